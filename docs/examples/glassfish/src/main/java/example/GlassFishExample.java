package example;

import com.sun.enterprise.v3.services.impl.GrizzlyProxy;
import com.sun.enterprise.v3.services.impl.GrizzlyService;
import dev.buffers.grizzly.GrizzlyMemoryManager;
import dev.buffers.grizzly.ReleasingAddOn;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import org.glassfish.embeddable.GlassFish;
import org.glassfish.embeddable.GlassFishProperties;
import org.glassfish.embeddable.GlassFishRuntime;
import org.glassfish.embeddable.archive.ScatteredArchive;
import org.glassfish.grizzly.Transport;
import org.glassfish.grizzly.config.dom.NetworkConfig;
import org.glassfish.grizzly.filterchain.FilterChain;
import org.glassfish.grizzly.memory.MemoryManager;

final class GlassFishExample {
    @WebServlet("/hello")
    public static final class Hello extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getOutputStream().write(request.getInputStream().readAllBytes());
        }
    }

    public static void main(String[] args) throws Exception {
        int port = freePort();
        GlassFishProperties properties = new GlassFishProperties();
        properties.setPort("http-listener", port);
        GlassFish glassFish = GlassFishRuntime.bootstrap().newGlassFish(properties);
        glassFish.start();
        installAddOn(glassFish);
        ScatteredArchive application = new ScatteredArchive("example", ScatteredArchive.Type.WAR);
        application.addClassPath(classes());
        glassFish.getDeployer().deploy(application.toURI(), "--contextroot=example");

        URI uri = URI.create("http://127.0.0.1:" + port + "/example/hello");
        HttpRequest request = HttpRequest.newBuilder(uri)
                .POST(BodyPublishers.fromPublisher(BodyPublishers.ofString("hello"))) // chunked
                .build();
        String answer = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .build()
                .send(request, BodyHandlers.ofString())
                .body();
        glassFish.dispose();
        GrizzlyMemoryManager memory = (GrizzlyMemoryManager) MemoryManager.DEFAULT_MEMORY_MANAGER;
        var stats = memory.heapPool().stats(); // small buffers have arrays
        System.out.println(answer + ": " + stats.acquiresByOutcome());
        // Grizzly's GZipEncoder has one buffer of 10 bytes in a static field.
        if (!answer.equals("hello") || stats.reservedBytes() == 0 || stats.leases() != 1) {
            throw new IllegalStateException("answer=" + answer + ", " + stats);
        }
        memory.close();
        System.exit(0); // GlassFish leaves threads behind
    }

    /** GlassFish builds its chains by itself; this puts another in the place of each that it has built. */
    private static void installAddOn(GlassFish glassFish) throws Exception {
        GrizzlyService grizzly = glassFish.getService(GrizzlyService.class);
        for (var listener :
                glassFish.getService(NetworkConfig.class).getNetworkListeners().getNetworkListener()) {
            if (grizzly.lookupNetworkProxy(listener) instanceof GrizzlyProxy proxy) {
                var generic = (org.glassfish.grizzly.config.GenericGrizzlyListener) proxy.getUnderlyingListener();
                Transport transport = generic.getTransport();
                transport.setProcessor(ReleasingAddOn.releasing((FilterChain) transport.getProcessor()));
            }
        }
    }

    private static File classes() throws Exception {
        return Path.of(GlassFishExample.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI())
                .toFile();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}

package example;

// tag::jersey-grizzly
import dev.buffers.grizzly.GrizzlyMemoryManager;
import dev.buffers.grizzly.ReleasingAddOn;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import org.glassfish.jersey.grizzly2.httpserver.GrizzlyHttpServerFactory;
import org.glassfish.jersey.server.ResourceConfig;

final class JerseyExample {
    @Path("/hello")
    public static final class Hello {
        @GET
        public String hello() {
            return "hello";
        }
    }

    public static void main(String[] args) throws Exception {
        GrizzlyMemoryManager memory = new GrizzlyMemoryManager();
        var server = GrizzlyHttpServerFactory.createHttpServer(
                URI.create("http://127.0.0.1:0/"), new ResourceConfig(Hello.class), false);
        var listener = server.getListener("grizzly");
        listener.getTransport().setMemoryManager(memory);
        listener.registerAddOn(new ReleasingAddOn());
        server.start();

        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + listener.getPort() + "/hello"));
        String answer = HttpClient.newHttpClient()
                .send(request.build(), BodyHandlers.ofString())
                .body();
        server.shutdown().get();
        var stats = memory.heapPool().stats(); // small buffers have arrays
        System.out.println(answer + ": " + stats.acquiresByOutcome());
        memory.close(); // after the server
        if (!answer.equals("hello") || stats.leases() != 0 || stats.reservedBytes() == 0) {
            throw new IllegalStateException("answer=" + answer + ", " + stats);
        }
    }
}
// end::jersey-grizzly

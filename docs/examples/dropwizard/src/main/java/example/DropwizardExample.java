package example;

import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.buffers.jetty.JettyBufferPool;
import io.dropwizard.core.Application;
import io.dropwizard.core.Configuration;
import io.dropwizard.core.setup.Environment;
import io.dropwizard.jetty.HttpConnectorFactory;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.server.Server;

public final class DropwizardExample extends Application<Configuration> {
    private static final JettyBufferPool POOL = JettyBufferPool.create();
    private volatile Server server;

    @JsonTypeName("pooled-http")
    public static final class PooledHttp extends HttpConnectorFactory {
        @Override
        protected ByteBufferPool buildBufferPool() {
            return POOL;
        }
    }

    @Path("/hello")
    public static final class Hello {
        @GET
        public String hello() {
            return "hello";
        }
    }

    @Override
    public void run(Configuration configuration, Environment environment) {
        environment.jersey().register(new Hello());
        environment.lifecycle().addServerLifecycleListener(started -> server = started);
    }

    public static void main(String[] args) throws Exception {
        var application = new DropwizardExample();
        application.run("server", "example.yml");

        var request = HttpRequest.newBuilder(application.server.getURI().resolve("/hello"));
        String answer = HttpClient.newHttpClient()
                .send(request.build(), BodyHandlers.ofString())
                .body();
        application.server.stop();
        var stats = POOL.pool().stats();
        POOL.close(); // after the server
        System.out.println(answer + ": " + stats.acquiresByOutcome());
        if (!answer.equals("hello") || stats.leases() != 0 || stats.reservedBytes() == 0) {
            throw new IllegalStateException("answer=" + answer + ", " + stats);
        }
    }
}

package example;

import dev.buffers.jetty.JettyBufferPool;
import io.javalin.Javalin;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.ServerConnector;

final class JavalinExample {
    public static void main(String[] args) throws Exception {
        JettyBufferPool pool = JettyBufferPool.create();
        Javalin server = Javalin.create(config -> {
            config.startup.showJavalinBanner = false;
            config.jetty.addConnector((jetty, http) -> {
                var connector =
                        new ServerConnector(jetty, null, null, pool, -1, -1, new HttpConnectionFactory(http));
                connector.setHost("127.0.0.1");
                return connector;
            });
            config.routes.get("/hello", context -> context.result("hello"));
        });
        server.start();

        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/hello"));
        String answer = HttpClient.newHttpClient()
                .send(request.build(), BodyHandlers.ofString())
                .body();
        server.stop();
        var stats = pool.pool().stats();
        pool.close(); // after the server
        System.out.println(answer + ": " + stats.acquiresByOutcome());
        if (!answer.equals("hello") || stats.leases() != 0 || stats.reservedBytes() == 0) {
            throw new IllegalStateException("answer=" + answer + ", " + stats);
        }
    }
}

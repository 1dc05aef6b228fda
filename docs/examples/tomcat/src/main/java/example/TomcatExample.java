package example;

// tag::tomcat
import dev.buffers.BufferPool;
import dev.buffers.tomcat.PooledHttp11NioProtocol;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;

final class TomcatExample {
    private static final class Hello extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().write("hello");
        }
    }

    public static void main(String[] args) throws Exception {
        BufferPool pool = BufferPool.builder("tomcat").forServer().build();
        BufferPool heapPool = // for TLS
                BufferPool.builder("tomcat-heap").forServer().policy("heap").build();
        Connector connector = new Connector(new PooledHttp11NioProtocol(pool, heapPool));
        connector.setPort(0);
        connector.setProperty("address", "127.0.0.1");
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(Files.createTempDirectory("tomcat").toString());
        tomcat.setConnector(connector);
        Tomcat.addServlet(tomcat.addContext("", null), "hello", new Hello()).addMapping("/hello");
        tomcat.start();

        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + connector.getLocalPort() + "/hello"));
        String answer = HttpClient.newHttpClient()
                .send(request.build(), BodyHandlers.ofString())
                .body();
        tomcat.stop();
        tomcat.destroy();
        var stats = pool.stats();
        pool.close(); // after the server
        heapPool.close();
        System.out.println(answer + ": " + stats.acquiresByOutcome());
        if (!answer.equals("hello") || stats.leases() != 0 || stats.reservedBytes() == 0) {
            throw new IllegalStateException("answer=" + answer + ", " + stats);
        }
    }
}
// end::tomcat

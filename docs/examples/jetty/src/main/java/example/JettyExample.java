package example;

// tag::jetty
import dev.buffers.jetty.JettyBufferPool;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

final class JettyExample {
    private static final class Hello extends Handler.Abstract {
        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            Content.Sink.write(response, true, "hello", callback);
            return true;
        }
    }

    public static void main(String[] args) throws Exception {
        JettyBufferPool pool = JettyBufferPool.create();
        Server server = new Server(new QueuedThreadPool(), null, pool);
        ServerConnector connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        server.setHandler(new Hello());
        server.start();

        HttpClient client = new HttpClient();
        client.setByteBufferPool(pool);
        client.start();
        String answer = client.GET("http://127.0.0.1:" + connector.getLocalPort()).getContentAsString();
        client.stop();
        server.stop();
        var stats = pool.pool().stats();
        pool.close(); // after the server
        System.out.println(answer + ": " + stats.acquiresByOutcome());
        if (!answer.equals("hello") || stats.leases() != 0 || stats.reservedBytes() == 0) {
            throw new IllegalStateException("answer=" + answer + ", " + stats);
        }
    }
}
// end::jetty

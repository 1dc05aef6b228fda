package dev.buffers.jetty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.ReleaseOutcome;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.junit.jupiter.api.Test;

/** The set-up of a server and a client. */
class JettySetUpTest {
    @Test
    void serverAndClient() throws Exception {
        int port = 0;
        Handler handler = new Handler.Abstract() {
            @Override
            public boolean handle(Request request, Response response, Callback callback) {
                Content.Sink.write(response, true, "hello", callback);
                return true;
            }
        };
        JettyBufferPool pool = JettyBufferPool.create();
        Server server = new Server(new QueuedThreadPool(), null, pool);
        ServerConnector connector = new ServerConnector(server);
        connector.setPort(port);
        server.addConnector(connector);
        server.setHandler(handler);
        server.start();
        String uri = "http://localhost:" + connector.getLocalPort();
        HttpClient client = new HttpClient();
        client.setByteBufferPool(pool);
        client.start();
        String answer = client.GET(uri).getContentAsString();
        assertEquals("hello", answer);
        client.stop();
        server.stop();
        assertTrue(pool.pool().stats().releases(ReleaseOutcome.RECYCLED) >= 4);
        assertEquals(0, pool.pool().stats().leases());
        pool.close();
    }
}

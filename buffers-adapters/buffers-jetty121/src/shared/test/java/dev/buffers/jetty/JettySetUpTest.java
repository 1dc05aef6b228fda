// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.jetty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.ReleaseOutcome;
import java.util.TimeZone;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.RetainableByteBuffer;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The set-up of a server and a client. */
class JettySetUpTest {

    /** Jetty 12.0 dumps the time in the zone of the property user.timezone, which Java sets when it is first asked for its zone. */
    @BeforeAll
    static void timeZone() {
        assertNotNull(TimeZone.getDefault());
    }

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

    /** What an operator looks at first, and what Jetty itself logs with {@code setDumpAfterStart}. */
    @Test
    void theServersDumpHasTheTableOfEachPool() throws Exception {
        try (JettyBufferPool pool = JettyBufferPool.create("dumped")) {
            Server server = new Server(new QueuedThreadPool(), null, pool);
            RetainableByteBuffer held = pool.acquire(5000, true);
            String dump = server.dump();
            assertTrue(dump.contains("JettyBufferPool[pool=dumped, heap=dumped-heap]"), dump);
            assertTrue(dump.contains("pool dumped, direct-view, cap "), dump);
            assertTrue(dump.contains("pool dumped-heap, heap, cap "), dump);
            assertTrue(dump.lines().anyMatch(line -> line.matches("[ |+>]*5,120 +1 +[0-9]+ +1 +0 +1")), dump);
            held.release();
        }
    }

    @Test
    void onePoolForBothIsShownOnce() throws Exception {
        try (BufferPool one = BufferPool.builder("alone").policy("heap").build()) {
            String dump = JettyBufferPool.of(one, one).dump();
            assertEquals(2, dump.split("pool alone, heap, cap ", -1).length, dump);
        }
    }
}

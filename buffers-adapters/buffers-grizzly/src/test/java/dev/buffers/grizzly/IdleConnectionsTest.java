// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.grizzly;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.glassfish.grizzly.http.server.HttpHandler;
import org.glassfish.grizzly.http.server.HttpServer;
import org.glassfish.grizzly.http.server.NetworkListener;
import org.glassfish.grizzly.http.server.Request;
import org.glassfish.grizzly.http.server.Response;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An idle connection keeps no request: Grizzly's threads cache up to 16 ended requests each, and the add-on none. */
@Tag("full")
class IdleConnectionsTest {
    private static final int CONNECTIONS = 400;

    private static final int HANDLERS = 5;

    /** A handler also holds the request that it has answered and not yet ended. */
    private static final int KEPT_BY_GRIZZLY = HANDLERS * (16 + 1);

    @Test
    void endedRequestsAreNotKeptByIdleConnections() throws Exception {
        Queue<WeakReference<Object>> requests = new ConcurrentLinkedQueue<>();
        List<Socket> idle = new ArrayList<>();
        try (GrizzlyMemoryManager memory = new GrizzlyMemoryManager()) {
            HttpServer server = start(memory, requests);
            try {
                int port = server.getListeners().iterator().next().getPort();
                for (int i = 0; i < CONNECTIONS; i++) {
                    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
                    idle.add(socket);
                    ask(socket);
                }
                long kept = keptOf(requests);
                assertTrue(kept <= KEPT_BY_GRIZZLY, () -> "kept=" + kept + ", of=" + CONNECTIONS);
            } finally {
                for (Socket socket : idle) {
                    socket.close();
                }
                server.shutdownNow();
            }
        }
    }

    private static HttpServer start(GrizzlyMemoryManager memory, Queue<WeakReference<Object>> requests)
            throws IOException {
        NetworkListener listener =
                new NetworkListener("idle", InetAddress.getLoopbackAddress().getHostAddress(), 0);
        listener.getTransport().setMemoryManager(memory);
        listener.getTransport()
                .getWorkerThreadPoolConfig()
                .setCorePoolSize(HANDLERS)
                .setMaxPoolSize(HANDLERS);
        listener.registerAddOn(new ReleasingAddOn());
        HttpServer server = new HttpServer();
        server.addListener(listener);
        server.getServerConfiguration().addHttpHandler(new HttpHandler() {
            @Override
            public void service(Request request, Response response) {
                requests.add(new WeakReference<>(request.getRequest()));
                response.setContentLength(0);
            }
        });
        server.start();
        return server;
    }

    private static void ask(Socket socket) throws IOException {
        socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(US_ASCII));
        InputStream in = socket.getInputStream();
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) in.read());
        }
        assertTrue(head.toString().startsWith("HTTP/1.1 200"), head::toString);
    }

    /** Distinct requests that the collector has not taken. */
    private static long keptOf(Queue<WeakReference<Object>> requests) {
        System.gc();
        return requests.stream()
                .map(WeakReference::get)
                .filter(request -> request != null)
                .distinct()
                .count();
    }
}

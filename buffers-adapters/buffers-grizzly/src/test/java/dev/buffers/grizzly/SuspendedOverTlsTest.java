// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.grizzly;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.adapters.Certificate;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.net.ssl.SSLContext;
import org.glassfish.grizzly.Buffer;
import org.glassfish.grizzly.filterchain.BaseFilter;
import org.glassfish.grizzly.filterchain.FilterChainContext;
import org.glassfish.grizzly.filterchain.NextAction;
import org.glassfish.grizzly.http.server.HttpHandler;
import org.glassfish.grizzly.http.server.HttpServer;
import org.glassfish.grizzly.http.server.NetworkListener;
import org.glassfish.grizzly.http.server.Request;
import org.glassfish.grizzly.http.server.Response;
import org.glassfish.grizzly.ssl.SSLBaseFilter;
import org.glassfish.grizzly.ssl.SSLEngineConfigurator;
import org.junit.jupiter.api.Test;

/** A stream of events over TLS does not keep the buffer that its request was read into: Grizzly's thread caches a few, and the add-on none. */
class SuspendedOverTlsTest {
    private static final int CONNECTIONS = 20;

    /** The one selector caches four, and may hold one more. */
    private static final int KEPT_BY_GRIZZLY = 5;

    private final Queue<WeakReference<byte[]>> encrypted = new ConcurrentLinkedQueue<>();
    private final Queue<Response> suspended = new ConcurrentLinkedQueue<>();

    @Test
    void suspendedRequestsKeepNoBufferOfTheirRecords() throws Exception {
        SSLContext tls = Certificate.context();
        List<Socket> waiting = new ArrayList<>();
        try (GrizzlyMemoryManager memory = new GrizzlyMemoryManager()) {
            HttpServer server = start(memory, tls);
            try {
                int port = server.getListeners().iterator().next().getPort();
                for (int i = 0; i < CONNECTIONS; i++) {
                    Socket socket = tls.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port);
                    waiting.add(socket);
                    socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(US_ASCII));
                    assertEquals('H', socket.getInputStream().read());
                }
                long kept = kept();
                assertTrue(kept <= KEPT_BY_GRIZZLY, () -> "kept=" + kept + ", reads=" + encrypted.size());
            } finally {
                suspended.forEach(Response::resume);
                for (Socket socket : waiting) {
                    socket.close();
                }
                server.shutdownNow();
            }
        }
    }

    private HttpServer start(GrizzlyMemoryManager memory, SSLContext tls) throws IOException {
        NetworkListener listener = new NetworkListener(
                "suspended", InetAddress.getLoopbackAddress().getHostAddress(), 0);
        listener.getTransport().setMemoryManager(memory);
        listener.getTransport().setSelectorRunnersCount(1);
        listener.setSecure(true);
        listener.setSSLEngineConfig(new SSLEngineConfigurator(tls, false, false, false));
        listener.registerAddOn(new ReleasingAddOn());
        listener.registerAddOn((same, chain) -> chain.add(chain.indexOfType(SSLBaseFilter.class), new Reads()));
        HttpServer server = new HttpServer();
        server.addListener(listener);
        server.getServerConfiguration().addHttpHandler(new HttpHandler() {
            @Override
            public void service(Request request, Response response) throws IOException {
                response.suspend();
                suspended.add(response);
                response.getOutputStream().write('x');
                response.getOutputStream().flush();
            }
        });
        server.start();
        return server;
    }

    /** Distinct arrays that the collector has not taken. */
    private long kept() {
        System.gc();
        return encrypted.stream()
                .map(WeakReference::get)
                .filter(Objects::nonNull)
                .distinct()
                .count();
    }

    private final class Reads extends BaseFilter {
        @Override
        public NextAction handleRead(FilterChainContext context) {
            encrypted.add(new WeakReference<>(context.<Buffer>getMessage().array()));
            return context.getInvokeAction();
        }
    }
}

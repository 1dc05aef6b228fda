// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.adapters;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.undertow.Undertow;
import io.undertow.UndertowOptions;
import io.undertow.server.handlers.BlockingHandler;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The reason why the documentation gives no limit of requests for Undertow over HTTP/2. Undertow 2.4.4 and 2.3.27 never end some requests
 * whose client has vanished, with their own pool and none of our code. A limit counts these requests forever. The cause is a race, which
 * affects about one request in fifty.
 */
class UndertowLosesRequestsTest {
    private static final int CLIENTS = 24;
    private static final int MOST_ROUNDS = 50;
    private static final long ENDS_WITHIN = TimeUnit.SECONDS.toNanos(3);

    private final AtomicInteger open = new AtomicInteger();

    @Test
    @Tag("frameworks")
    void someWhoseClientsVanishOverHttp2AreNeverEnded() throws Exception {
        SSLContext context = Certificate.context();
        Undertow server = Undertow.builder()
                .addHttpsListener(0, "localhost", context)
                .setServerOption(UndertowOptions.ENABLE_HTTP2, true)
                .setHandler(exchange -> {
                    open.incrementAndGet();
                    exchange.addExchangeCompleteListener((ended, next) -> {
                        open.decrementAndGet();
                        next.proceed();
                    });
                    new BlockingHandler(blocking -> blocking.getInputStream().readAllBytes()).handleRequest(exchange);
                })
                .build();
        server.start();
        try {
            InetSocketAddress address =
                    (InetSocketAddress) server.getListenerInfo().get(0).getAddress();
            URI uri = URI.create("https://localhost:" + address.getPort());
            for (int round = 0; round < MOST_ROUNDS && open.get() == 0; round++) {
                List<Connection> clients = new ArrayList<>();
                for (int i = 0; i < CLIENTS; i++) {
                    clients.add(Connection.open(Protocol.HTTP2, uri, context.getSocketFactory(), 60_000));
                    clients.get(i).write(Http2Frames.post(1, "/"));
                }
                await(CLIENTS);
                for (Connection client : clients) {
                    client.vanish();
                }
                await(0);
            }
            assertTrue(open.get() > 0, "Undertow is mended: give it a limit over HTTP/2 too");
        } finally {
            server.stop();
        }
    }

    private void await(int requests) throws InterruptedException {
        for (long start = System.nanoTime(); open.get() != requests && System.nanoTime() - start < ENDS_WITHIN; ) {
            Thread.sleep(10);
        }
    }
}

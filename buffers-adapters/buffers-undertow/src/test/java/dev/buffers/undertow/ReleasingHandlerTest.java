// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.undertow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.undertow.Undertow;
import io.undertow.UndertowOptions;
import io.undertow.server.HttpHandler;
import io.undertow.server.handlers.BlockingHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class ReleasingHandlerTest {
    /** If the client vanished now, Undertow would close the buffer of the first request, while the second one is read from it. */
    @Test
    void requestBehindAnotherIsReadFromNoPooledBuffer() throws Exception {
        BlockingQueue<Long> leases = new LinkedBlockingQueue<>();
        AtomicBoolean isSecond = new AtomicBoolean();
        UndertowBufferPool pool = UndertowBufferPool.create("behind", UndertowBufferPool.DEFAULT_BUFFER_SIZE);
        Undertow server = start(pool, exchange -> {
            if (isSecond.getAndSet(true)) {
                long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
                while (pool.pool().stats().leases() > 1 && System.nanoTime() - end < 0) {
                    Thread.sleep(1); // the thread of the first one is about to hand on the connection
                }
            }
            leases.add(pool.pool().stats().leases());
            exchange.getOutputStream().write(exchange.getInputStream().readAllBytes());
        });
        try {
            try (Socket socket = connect(server)) {
                send(socket, request("first", "") + request("second", "Connection: close\r\n"));
                String answers = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
                assertTrue(answers.contains("\r\n\r\nfirst") && answers.endsWith("\r\n\r\nsecond"), answers);
            }
            assertEquals(1, leases.remove(), "the packet with both");
            assertEquals(1, leases.remove(), "the buffer of the answers' heads, which stays between such requests");
        } finally {
            server.stop();
            pool.close();
        }
    }

    private static Undertow start(UndertowBufferPool pool, HttpHandler handler) {
        Undertow server = Undertow.builder()
                .setByteBufferPool(pool)
                .addHttpListener(0, "127.0.0.1")
                .setServerOption(UndertowOptions.BUFFER_PIPELINED_DATA, false) // else answers are gathered in a buffer
                .setHandler(new ReleasingHandler(new BlockingHandler(handler)))
                .build();
        server.start();
        return server;
    }

    private static Socket connect(Undertow server) throws IOException {
        InetSocketAddress address =
                (InetSocketAddress) server.getListenerInfo().get(0).getAddress();
        return new Socket(address.getAddress(), address.getPort());
    }

    private static void send(Socket socket, String requests) throws IOException {
        socket.getOutputStream().write(requests.getBytes(StandardCharsets.US_ASCII));
    }

    private static String request(String body, String headers) {
        return "POST / HTTP/1.1\r\nHost: h\r\n" + headers + "Content-Length: " + body.length() + "\r\n\r\n" + body;
    }
}

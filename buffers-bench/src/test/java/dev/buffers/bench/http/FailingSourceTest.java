// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.bench.jvm.VirtualThreads;
import java.io.EOFException;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One connection's error, wherever it is thrown, ends that connection at most: the server's only worker serves the others. */
class FailingSourceTest {
    @TempDir
    private Path folder;

    @BeforeEach
    void fill() throws IOException {
        TestServer.fill(folder);
    }

    @ParameterizedTest
    @ValueSource(strings = {"connection", "readFrom", "send", "writeTo", "close"})
    void oneConnectionIsDropped(String method) throws Exception {
        try (Server server = new HttpServer(ServerOptions.of(folder).withWorkers(1), new Failing(method))) {
            endsOne(server);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"connection", "readFrom", "send", "writeTo", "close"})
    void oneVirtualThreadIsDropped(String method) throws Exception {
        if (VirtualThreads.obstacle().isEmpty()) {
            try (Server server = new VirtualHttpServer(ServerOptions.of(folder), new Failing(method))) {
                endsOne(server);
            }
        }
    }

    /** Which of two is not said: on virtual threads the second may be the first to call. */
    private static void endsOne(Server server) throws IOException {
        try (RawClient one = new RawClient(server.port());
                RawClient other = new RawClient(server.port())) {
            boolean first = isServed(one);
            boolean second = isServed(other);
            assertTrue(first || second, "both were dropped");
        }
        try (RawClient later = new RawClient(server.port())) {
            assertTrue(isServed(later), "the server does not go on");
        }
    }

    private static boolean isServed(RawClient client) throws IOException {
        try {
            return client.get("/1.bin").reply().status() == 200;
        } catch (SocketException | EOFException e) {
            return false; // dropped, perhaps with its request unread
        }
    }

    @Test
    void waitingConnectionIsServedThoughWhenAvailableFailed() throws Exception {
        try (Server server = new HttpServer(ServerOptions.of(folder).withWorkers(1), new Failing("whenAvailable"));
                RawClient client = new RawClient(server.port())) {
            assertEquals(200, client.get("/1.bin").reply().status());
        }
    }

    /** Buffers that fail once: at the first call of one of their methods, or of their source's. */
    private static final class Failing implements BufferSource {
        private final BufferSource real = new FreshBuffers(ByteBuffer::allocate);
        private final String failing;
        private final AtomicBoolean failed = new AtomicBoolean();
        private final AtomicBoolean full;

        Failing(String method) {
            failing = method;
            full = new AtomicBoolean(method.equals("whenAvailable"));
        }

        private void mayFail(String method) {
            if (method.equals(failing) && !failed.getAndSet(true)) {
                throw new StackOverflowError("planned");
            }
        }

        @Override
        public ConnectionBuffers connection() {
            mayFail("connection");
            ConnectionBuffers buffers = real.connection();
            InvocationHandler handler = (proxy, method, arguments) -> {
                mayFail(method.getName());
                boolean refused = method.getName().equals("takeInput") && full.getAndSet(false);
                return refused ? false : method.invoke(buffers, arguments);
            };
            return (ConnectionBuffers) Proxy.newProxyInstance(
                    Failing.class.getClassLoader(), new Class<?>[] {ConnectionBuffers.class}, handler);
        }

        @Override
        public void whenAvailable(Runnable wake) {
            mayFail("whenAvailable");
            real.whenAvailable(wake);
        }
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.adapters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.grizzly.ReleasingAddOn;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.MonitorInfo;
import java.lang.management.ThreadInfo;
import java.lang.ref.WeakReference;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.glassfish.grizzly.CloseListener;
import org.glassfish.grizzly.CloseType;
import org.glassfish.grizzly.Closeable;
import org.glassfish.grizzly.EmptyCompletionHandler;
import org.glassfish.grizzly.filterchain.BaseFilter;
import org.glassfish.grizzly.filterchain.FilterChainContext;
import org.glassfish.grizzly.filterchain.NextAction;
import org.glassfish.grizzly.http.server.HttpHandler;
import org.glassfish.grizzly.http.server.NetworkListener;
import org.glassfish.grizzly.http.server.Request;
import org.glassfish.grizzly.http.server.RequestExecutorProvider;
import org.glassfish.grizzly.http.server.Response;
import org.glassfish.grizzly.http2.Http2AddOn;
import org.glassfish.grizzly.ssl.SSLBaseFilter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Faults of Grizzly 4.0.2 on its own buffers, which {@link GrizzlyWaitingStressTest} has to avoid, or that the add-on fixes. If a test
 * fails, Grizzly has fixed one.
 */
@Tag("full")
class WhatGrizzlyLosesTest {
    private static final String PATH = "/one";
    private static final String FIRST = "a".repeat(10);
    private static final String SECOND = "b".repeat(10);
    private static final int PATIENCE_SECONDS = 120;
    private static final int A_WHILE_SECONDS = 2;
    private static final int SELECTORS = 8;
    private static final int COLLECTIONS = 10;

    @TempDir
    Path folder;

    private interface Talk {
        void with(GrizzlyServer server, Client client) throws Exception;
    }

    private interface Service {
        void answer(Request request, Response response) throws Exception;
    }

    private void serve(Consumer<NetworkListener> more, Service service, Talk talk) throws Exception {
        SSLContext tls = Certificate.context();
        try (GrizzlyServer server = new GrizzlyServer(folder, tls, null, more)) {
            HttpHandler handler = new HttpHandler() {
                @Override
                public void service(Request request, Response response) throws Exception {
                    service.answer(request, response);
                }
            };
            server.add(handler, PATH);
            talk.with(server, new Client(server, tls));
        }
    }

    private static void eventually(String what, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() - end < 0, () -> "did not happen: " + what);
            Thread.sleep(5);
        }
    }

    /** A few of a hundred connections in the clear that change to HTTP/2 get a frame whose length is none. */
    @Test
    void fileFromTheCacheBreaksConnectionThatChangesToHttp2() throws Exception {
        Files.write(folder.resolve("file.bin"), Payload.FILE);
        serve(listener -> listener.registerAddOn(new Http2AddOn()), (request, response) -> {}, (server, client) -> {
            HttpRequest request = HttpRequest.newBuilder(client.uri(Protocol.HTTP, "/files/file.bin"))
                    .build();
            client.file(Protocol.HTTP); // now the cache has it
            eventually("a connection breaks", () -> breaks(request));
        });
    }

    private static boolean breaks(HttpRequest request) {
        HttpClient changing = HttpClient.newHttpClient();
        try {
            for (int i = 0; i < 2; i++) {
                HttpResponse<byte[]> response = changing.send(request, BodyHandlers.ofByteArray());
                assertEquals(HttpClient.Version.HTTP_2, response.version());
            }
            return false;
        } catch (IOException e) {
            return true;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /**
     * {@code Response.recycle} keeps the {@code HttpContext}, and so the connection. A thread of the pool that runs handlers caches up to 16
     * recycled responses and takes none, because selectors' threads create them.
     */
    @Test
    void recycledResponseRetainsConnectionThatHasEnded() throws Exception {
        WeakReference<?> connection = connectionOfOneRequest(listener -> {});
        assertNotNull(connection.get());
    }

    @Test
    void addOnLetsGoOfConnectionThatHasEnded() throws Exception {
        WeakReference<?> connection = connectionOfOneRequest(listener -> listener.registerAddOn(new ReleasingAddOn()));
        assertEquals(null, connection.get());
    }

    /** Gone, if the server that still runs has let it go. */
    private WeakReference<?> connectionOfOneRequest(Consumer<NetworkListener> more) throws Exception {
        CompletableFuture<WeakReference<?>> known = new CompletableFuture<>();
        WeakReference<?>[] result = new WeakReference<?>[1];
        Service service = (request, response) ->
                known.complete(new WeakReference<>(request.getRequest().getConnection()));
        serve(more, service, (server, client) -> {
            try (Connection connection = client.connect(Protocol.HTTP)) {
                connection.write(Connection.get(PATH));
                assertEquals(200, connection.readStatus());
            }
            WeakReference<?> ended = known.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            for (int i = 0; i < COLLECTIONS && ended.get() != null; i++) {
                for (int j = 0; j < SELECTORS; j++) { // each selector's thread retains the connection of its last event
                    client.status(Protocol.HTTP, 60_000);
                }
                System.gc();
                Thread.sleep(50);
            }
            result[0] = ended;
        });
        return result[0];
    }

    /**
     * {@code Http2BaseFilter.sendUpstream} takes the mark from a selector's thread by which it knows that it must not run handlers. Where it
     * runs one, {@code HttpHandler.runService} leaves the connection's reading on, and the next request's body gets into a suspended one.
     */
    @Test
    void suspendedRequestGetsTheBodyOfTheNextAfterHttp2() throws Exception {
        assertEquals(FIRST, answerToFirst(Handler.USUAL, listener -> {}, A_WHILE_SECONDS));
        assertEquals(FIRST + SECOND, answerToFirst(Handler.AFTER_HTTP2, listener -> {}, PATIENCE_SECONDS));
    }

    @Test
    void addOnKeepsBodiesApart() throws Exception {
        Consumer<NetworkListener> ours = listener -> listener.registerAddOn(new ReleasingAddOn());
        for (Handler how : Handler.values()) {
            assertEquals(FIRST, answerToFirst(how, ours, A_WHILE_SECONDS), how::name);
        }
    }

    private enum Handler {
        USUAL,
        ON_SELECTOR,
        AFTER_HTTP2
    }

    /** Of two requests on one connection, which the handler suspends and answers with all that comes for them within so many seconds. */
    private String answerToFirst(Handler how, Consumer<NetworkListener> more, int seconds) throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        HttpHandler handler = new HttpHandler() {
            @Override
            public RequestExecutorProvider getRequestExecutorProvider() {
                return how == Handler.ON_SELECTOR
                        ? new RequestExecutorProvider.SameThreadProvider()
                        : super.getRequestExecutorProvider();
            }

            @Override
            public void service(Request request, Response response) {
                if (request.getContentLength() > 0) {
                    InputStream in = request.getInputStream();
                    response.suspend();
                    new Thread(() -> answer(in, response, seconds)).start();
                    begun.countDown();
                }
            }
        };
        Consumer<NetworkListener> all = listener -> {
            listener.getTransport().setSelectorRunnersCount(1);
            listener.registerAddOn(new Http2AddOn());
            more.accept(listener);
        };
        SSLContext tls = Certificate.context();
        try (GrizzlyServer server = new GrizzlyServer(folder, tls, null, all)) {
            server.add(handler, PATH);
            Client client = new Client(server, tls);
            if (how == Handler.AFTER_HTTP2) {
                assertEquals(200, client.status(Protocol.HTTP2, 60_000));
            }
            try (Connection connection = client.connect(Protocol.HTTPS)) {
                connection.write(post(FIRST));
                assertTrue(begun.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
                connection.write(post(SECOND));
                return new String(connection.readAnswer(), StandardCharsets.US_ASCII);
            }
        }
    }

    private static String post(String body) {
        return "POST " + PATH + " HTTP/1.1\r\nHost: h\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
    }

    private static void answer(InputStream in, Response response, int seconds) {
        try {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
            while (in.available() <= FIRST.length() && System.nanoTime() - end < 0) {
                Thread.sleep(5);
            }
            byte[] bytes = in.readNBytes(in.available());
            response.setContentLength(bytes.length);
            response.getOutputStream().write(bytes);
        } catch (IOException | InterruptedException e) {
            response.setStatus(500);
        }
        response.resume();
    }

    /** {@code DefaultInputBuffer.poll0} waits with the lock that {@code terminate} needs: for the time-out of a read, 30 seconds. */
    @Test
    void selectorWaitsForReaderWhoseClientVanishesOverHttp2() throws Exception {
        Service service = (request, response) -> request.getInputStream().readAllBytes();
        serve(listener -> listener.registerAddOn(new Http2AddOn()), service, (server, client) -> {
            try (Connection connection = client.connect(Protocol.HTTP2)) {
                connection.write(Http2Frames.head(1, PATH));
                eventually(
                        "a read waits",
                        () -> threads("poll0", Thread.State.TIMED_WAITING)
                                .findAny()
                                .isPresent());
                connection.vanish();
            }
            eventually(
                    "a selector's thread waits",
                    () -> threads("terminate", Thread.State.BLOCKED)
                            .anyMatch(thread -> thread.getName().contains("SelectorRunner")));
        });
    }

    /** {@code Http2Session.ConnectionCloseListener} leaves the stream open, and so its request suspended until the time for that is over. */
    @Test
    void suspendedRequestIsNotToldThatItsClientVanishesOverHttp2() throws Exception {
        CompletableFuture<Void> suspended = new CompletableFuture<>();
        CompletableFuture<Boolean> told = new CompletableFuture<>();
        AtomicBoolean cancelled = new AtomicBoolean();
        Service service = (request, response) -> {
            response.suspend(0, TimeUnit.SECONDS, new EmptyCompletionHandler<Response>() {
                @Override
                public void cancelled() {
                    cancelled.set(true);
                }
            });
            CloseListener<Closeable, CloseType> last = (closed, how) -> told.complete(cancelled.get());
            request.getRequest().getConnection().addCloseListener(last); // notified after those of Grizzly
            suspended.complete(null);
        };
        serve(listener -> listener.registerAddOn(new Http2AddOn()), service, (server, client) -> {
            try (Connection connection = client.connect(Protocol.HTTP2)) {
                connection.write(Http2Frames.get(1, PATH));
                suspended.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
                connection.vanish();
            }
            assertFalse(told.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
        });
    }

    private static Stream<Thread> threads(String method, Thread.State state) {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(thread -> thread.getKey().getState() == state)
                .filter(thread -> Arrays.stream(thread.getValue())
                        .anyMatch(frame -> frame.getClassName().endsWith("http2.DefaultInputBuffer")
                                && frame.getMethodName().equals(method)))
                .map(Map.Entry::getKey);
    }

    /**
     * A thread that writes over TLS locks the connection. One that reads a GOAWAY writes, so it waits for that lock, with the session's in
     * hand. One that closes the connection waits for the session's. If the write finds the connection reset, the writer is the one that
     * closes: then two threads wait forever, and one may be a selector's.
     */
    @Test
    void goAwayDuringWriteThatFailsStopsThreadsOverHttp2() throws Exception {
        Writer writer = new Writer();
        Consumer<NetworkListener> more = listener -> {
            listener.registerAddOn(new Http2AddOn());
            listener.registerAddOn((same, chain) -> {
                int tls = chain.indexOfType(SSLBaseFilter.class);
                if (tls >= 0) {
                    chain.add(tls, writer);
                }
            });
        };
        Service service = (request, response) -> {
            writer.thread = Thread.currentThread();
            response.getOutputStream().write('x');
        };
        serve(more, service, (server, client) -> {
            try (Connection connection = client.connect(Protocol.HTTP2)) {
                connection.write(Http2Frames.get(1, PATH));
                writer.writes.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
                connection.write(Http2Frames.goAway());
                assertTrue(writer.cycle.get(2 * PATIENCE_SECONDS, TimeUnit.SECONDS));
            }
        });
    }

    /** Below TLS. While it writes for one thread, it lets another one close the connection, and sees both wait. Then all go on. */
    private static final class Writer extends BaseFilter {
        final CompletableFuture<Void> writes = new CompletableFuture<>();
        final CompletableFuture<Boolean> cycle = new CompletableFuture<>();
        volatile @Nullable Thread thread;

        @Override
        public NextAction handleWrite(FilterChainContext context) throws IOException {
            if (thread == Thread.currentThread()) {
                thread = null;
                writes.complete(null);
                try {
                    cycle.complete(wouldClosingWaitForever(context.getConnection()));
                } catch (Throwable e) {
                    cycle.completeExceptionally(e);
                }
            }
            return context.getInvokeAction();
        }

        private static boolean wouldClosingWaitForever(org.glassfish.grizzly.Connection<?> connection)
                throws InterruptedException {
            assertTrue(Thread.holdsLock(connection));
            int[] session = new int[1];
            eventually("the reader of GOAWAY waits for this thread", () -> {
                session[0] = lockOfSession();
                return session[0] != 0;
            });
            Thread closer = new Thread(connection::terminateSilently);
            closer.setDaemon(true);
            closer.start();
            eventually("a close waits for the reader of GOAWAY", () -> waitsFor(closer, session[0]));
            return true;
        }

        /** Of the thread that waits for the lock of this one; 0 if there is none. */
        private static int lockOfSession() {
            for (ThreadInfo waiting : ManagementFactory.getThreadMXBean().dumpAllThreads(true, false)) {
                if (waiting.getLockOwnerId() == Thread.currentThread().getId()) {
                    for (MonitorInfo held : waiting.getLockedMonitors()) {
                        if (held.getLockedStackFrame().getMethodName().equals("setGoAwayByPeer")) {
                            return held.getIdentityHashCode();
                        }
                    }
                }
            }
            return 0;
        }

        private static boolean waitsFor(Thread thread, int lock) {
            ThreadInfo info = ManagementFactory.getThreadMXBean().getThreadInfo(thread.getId());
            LockInfo wanted = info == null ? null : info.getLockInfo();
            return wanted != null && wanted.getIdentityHashCode() == lock;
        }
    }
}

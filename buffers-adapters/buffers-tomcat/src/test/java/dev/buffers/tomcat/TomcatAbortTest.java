// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.ReleaseOutcome;
import dev.buffers.adapters.Certificate;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.connector.RequestFacade;
import org.apache.tomcat.util.net.NioChannel;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Hundreds of connections, or thousands, end while a thread reads or writes, on a pool so small that their memory is leased again at once. Each
 * connection has a stamp, which is every byte of its request and of its answer.
 */
@Tag("full")
class TomcatAbortTest {
    private static final int CLIENTS =
            24; // a close by a thread of the application shows when Tomcat's poller next wakes
    private static final int LENGTH = 400_000;

    @TempDir
    Path folder;

    private final List<String> wrong = new CopyOnWriteArrayList<>();
    private final AtomicInteger answers = new AtomicInteger();
    private final AtomicInteger stamps = new AtomicInteger();
    private final ExecutorService writers = Executors.newCachedThreadPool();

    @Test
    void noByteReachesAnotherConnection() throws Exception {
        abort(10);
    }

    /** For some minutes: the profile {@code frameworks}. */
    @Test
    @Tag("frameworks")
    void noByteReachesAnotherConnectionInTenThousand() throws Exception {
        abort(420);
    }

    /** So many connections of each client. */
    private void abort(int connections) throws Exception {
        SSLContext tls = Certificate.context();
        try (TomcatServer server =
                new TomcatServer(folder, tls, settings -> settings.max(2 << 20).threadCache(0), Optional.empty())) {
            abort(connections, server, tls);
        }
    }

    private void abort(int connections, TomcatServer server, SSLContext tls) throws Exception {
        server.add("/stamp", new Stamp());
        server.start();
        for (boolean secure : new boolean[] {false, true}) {
            Connector connector = server.connector(secure);
            connector.setProperty("connectionTimeout", "2000");
        }
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        for (int i = 0; i < CLIENTS; i++) {
            boolean secure = i % 3 == 0;
            URI uri = secure ? server.https() : server.http();
            clients.execute(() -> run(uri, secure ? tls : null, connections));
        }
        clients.shutdown();
        assertTrue(clients.awaitTermination(1, TimeUnit.DAYS)); // each of their steps has a limit
        server.stop();
        writers.shutdownNow();
        assertTrue(writers.awaitTermination(1, TimeUnit.DAYS));
        assertEquals(List.of(), wrong);
        assertTrue(answers.get() > CLIENTS * connections / 10, () -> "answers: " + answers);
        for (BufferPool pool : server.pools()) {
            assertEquals(0, pool.stats().leases(), pool::dump);
            assertEquals(0, pool.stats().releases(ReleaseOutcome.INVALID));
        }
    }

    private void run(URI uri, SSLContext tls, int connections) {
        for (int i = 0; i < connections; i++) {
            byte stamp = (byte) (1 + stamps.getAndIncrement() % 127);
            try (Socket wire = new Socket()) {
                wire.setReceiveBufferSize(8 << 10);
                wire.setSoTimeout(20_000);
                wire.connect(new InetSocketAddress(uri.getHost(), uri.getPort()));
                Socket socket = tls == null
                        ? wire
                        : tls.getSocketFactory().createSocket(wire, uri.getHost(), uri.getPort(), true);
                ask(socket, stamp, i);
                if (i % 4 != 0) {
                    reset(wire);
                }
            } catch (IOException e) {
                // refused, or closed by the server: as it may be
            }
        }
    }

    private static void reset(Socket wire) throws IOException {
        wire.setSoLinger(true, 0);
        wire.close();
    }

    private void ask(Socket socket, byte stamp, int round) throws IOException {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        OutputStream out = socket.getOutputStream();
        byte[] body = new byte[20_000];
        Arrays.fill(body, stamp);
        String how = round % 3 == 0 ? "close" : "write";
        out.write(("POST /stamp HTTP/1.1\r\nHost: h\r\nHow: " + how + "\r\nStamp: " + stamp + "\r\nContent-Length: "
                        + body.length + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
        if (round % 5 == 1) {
            out.write(body, 0, random.nextInt(body.length)); // and leaves
            return;
        }
        out.write(body);
        InputStream in = socket.getInputStream();
        int head = 0;
        while (head < 4) {
            int next = in.read();
            if (next < 0) {
                return;
            }
            head = next == (head % 2 == 0 ? '\r' : '\n') ? head + 1 : 0;
        }
        long until = round % 4 == 0 ? Long.MAX_VALUE : random.nextInt(LENGTH);
        byte[] some = new byte[5000];
        long seen = 0;
        for (int n = in.read(some); n >= 0 && seen < until; n = in.read(some)) {
            for (int i = 0; i < n; i++) {
                if (some[i] != stamp) {
                    wrong.add("answer to " + stamp + " has " + some[i] + " at " + (seen + i));
                    return;
                }
            }
            seen += n;
        }
        answers.incrementAndGet();
    }

    /** Checks the request's bytes, then answers from a thread of the application; some connections it closes from a second one. */
    private final class Stamp extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            byte stamp = Byte.parseByte(request.getHeader("Stamp"));
            InputStream in = request.getInputStream();
            byte[] some = new byte[3000];
            for (int n = in.read(some); n >= 0; n = in.read(some)) {
                for (int i = 0; i < n; i++) {
                    if (some[i] != stamp) {
                        wrong.add("request " + stamp + " has " + some[i]);
                    }
                }
            }
            response.setContentLength(LENGTH);
            AsyncContext async = request.startAsync();
            async.setTimeout(20_000);
            Runnable close = request.getHeader("How").equals("close") ? closer(request) : () -> {};
            writers.execute(() -> {
                try {
                    ServletOutputStream out = response.getOutputStream();
                    byte[] bytes = new byte[10_000];
                    Arrays.fill(bytes, stamp);
                    for (int at = 0; at < LENGTH; at += bytes.length) {
                        out.write(bytes);
                        if (at == LENGTH / 2) {
                            writers.execute(close);
                        }
                    }
                } catch (IOException | RuntimeException e) {
                    // closed under its hands
                } finally {
                    complete(async);
                }
            });
        }
    }

    private static void complete(AsyncContext async) {
        try {
            async.complete();
        } catch (RuntimeException e) {
            // it has ended
        }
    }

    /**
     * What closes the channel while another thread writes. Not the whole connection: Tomcat would give its request and response to another
     * connection while the thread still writes to them, whatever the buffers are.
     */
    private static Runnable closer(HttpServletRequest request) {
        PooledSocketWrapper wrapper = (PooledSocketWrapper) Wrappers.of((RequestFacade) request);
        NioChannel channel = wrapper.getSocket();
        return () -> {
            try {
                channel.close(true);
            } catch (IOException e) {
                // it is closed
            }
        };
    }
}

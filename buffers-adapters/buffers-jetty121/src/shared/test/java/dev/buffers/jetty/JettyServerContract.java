// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.jetty;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.adapters.GzipRequestContract;
import dev.buffers.adapters.Http2Contract;
import dev.buffers.adapters.Payload;
import dev.buffers.adapters.Reply;
import dev.buffers.adapters.ServerContract;
import dev.buffers.adapters.ServerUnderTest;
import dev.buffers.adapters.WebSocketContract;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.eclipse.jetty.client.BytesRequestContent;
import org.eclipse.jetty.client.CompletableResponseListener;
import org.eclipse.jetty.client.ContentResponse;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.InputStreamRequestContent;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.client.Result;
import org.eclipse.jetty.client.transport.HttpClientTransportOverHTTP;
import org.eclipse.jetty.io.ClientConnector;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ThreadPool;
import org.eclipse.jetty.util.thread.VirtualThreadPool;
import org.junit.jupiter.api.Test;

/** The contract on any version of Jetty, and features that only Jetty has: its cache of files, and its client on the server's pool. */
abstract class JettyServerContract extends ServerContract
        implements Http2Contract, WebSocketContract, GzipRequestContract {
    private Path files;
    private SSLContext tls;

    @Override
    protected final ServerUnderTest start(Path folder, SSLContext context) throws Exception {
        files = folder;
        tls = context;
        return new JettyServer(JettyBufferPool.create(), threads(), compression(), folder, context);
    }

    /** Jetty's usual pool may run a handler on a platform thread although it has virtual ones. So virtual threads get the virtual pool. */
    private ThreadPool threads() {
        if (virtualThreads().isEmpty()) {
            return new QueuedThreadPool();
        }
        VirtualThreadPool threads = new VirtualThreadPool();
        threads.setVirtualThreadsExecutor(virtualThreads().get());
        return threads;
    }

    /** Compresses answers and decompresses requests. */
    abstract Handler.Wrapper compression();

    private JettyServer jetty() {
        return (JettyServer) server();
    }

    @Test
    void filesInJettysCacheAreLeasesUntilTheyAreEvicted() throws Exception {
        byte[] small = Arrays.copyOf(Payload.TEXT, 5000); // larger ones are mapped by 12.0
        Files.write(files.resolve("small.txt"), small);
        jetty().cache().setMaxCachedFiles(10);
        try (JettyClient client = new JettyClient()) {
            for (int i = 0; i < 3; i++) {
                assertArrayEquals(small, client.get(jetty().http(), "/files/small.txt"));
            }
        }
        long leased = jetty().pools().stream()
                .mapToLong(pool -> pool.stats().leasedBytes())
                .sum();
        assertTrue(leased >= small.length, () -> "leased=" + leased);
        jetty().cache().flushCache();
    }

    @Test
    void jettysClientOnTheServersPool() throws Exception {
        try (JettyClient client = new JettyClient()) {
            for (URI uri : List.of(jetty().http(), jetty().https())) {
                assertArrayEquals(Payload.FILE, client.get(uri, "/files/file.bin"));
                assertArrayEquals(Payload.TEXT, client.get(uri, "/files/text.txt")); // compressed on the way
                client.plain();
                assertArrayEquals(Payload.LARGE, client.get(uri, Reply.STREAM.path()));
                Request echo = client.request(uri, Reply.ECHO.path()).method("POST");
                assertArrayEquals(Payload.LARGE, client.send(echo.body(new BytesRequestContent(Payload.LARGE))));
            }
        }
    }

    @Test
    @SuppressWarnings("deprecation") // what stands in its place is not in 12.0
    void jettysClientThatGivesUp() throws Exception {
        try (JettyClient client = new JettyClient()) {
            client.plain();
            for (URI uri : List.of(jetty().http(), jetty().https())) {
                for (int i = 0; i < 20; i++) {
                    client.fails(client.request(uri, Reply.STREAM.path())
                            .onResponseContent((response, content) -> response.abort(new IOException("enough"))));
                    client.fails(client.request(uri, Reply.DIGEST.path())
                            .method("POST")
                            .timeout(1 + i, TimeUnit.MILLISECONDS)
                            .body(new InputStreamRequestContent(new Endless())));
                }
                assertArrayEquals(Payload.FILE, client.get(uri, "/files/file.bin"));
            }
        }
    }

    private final class JettyClient implements AutoCloseable {
        private final HttpClient http;

        JettyClient() throws Exception {
            SslContextFactory.Client ssl = new SslContextFactory.Client();
            ssl.setSslContext(tls);
            ClientConnector connector = new ClientConnector();
            connector.setSslContextFactory(ssl);
            http = new HttpClient(new HttpClientTransportOverHTTP(connector));
            http.setByteBufferPool(jetty().pool());
            http.start();
        }

        /** Accepts nothing compressed from now on. */
        void plain() {
            http.getContentDecoderFactories().clear();
        }

        Request request(URI server, String path) {
            return http.newRequest(server.resolve(path)).timeout(60, TimeUnit.SECONDS);
        }

        byte[] get(URI server, String path) throws Exception {
            return send(request(server, path));
        }

        byte[] send(Request request) throws Exception {
            ContentResponse response =
                    new CompletableResponseListener(request, 10_000_000).send().get();
            assertEquals(200, response.getStatus());
            return response.getContent();
        }

        void fails(Request request) throws Exception {
            CompletableFuture<Result> end = new CompletableFuture<>();
            request.send(end::complete);
            assertTrue(end.get(300, TimeUnit.SECONDS).isFailed());
        }

        @Override
        public void close() throws IOException {
            try {
                http.stop();
            } catch (Exception e) {
                throw new IOException("the client does not stop", e);
            }
        }
    }

    private static final class Endless extends InputStream {
        @Override
        public int read() {
            return 1;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) {
            return length;
        }
    }
}

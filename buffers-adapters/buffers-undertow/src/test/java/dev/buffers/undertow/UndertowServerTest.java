package dev.buffers.undertow;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.AcquireOutcome;
import dev.buffers.BufferPool;
import dev.buffers.PoolStats;
import dev.buffers.ReleaseOutcome;
import io.undertow.Handlers;
import io.undertow.Undertow;
import io.undertow.UndertowOptions;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.BlockingHandler;
import io.undertow.server.handlers.encoding.ContentEncodingRepository;
import io.undertow.server.handlers.encoding.EncodingHandler;
import io.undertow.server.handlers.encoding.GzipEncodingProvider;
import io.undertow.server.handlers.resource.PathResourceManager;
import io.undertow.util.Headers;
import io.undertow.websockets.core.AbstractReceiveListener;
import io.undertow.websockets.core.BufferedTextMessage;
import io.undertow.websockets.core.WebSocketChannel;
import io.undertow.websockets.core.WebSockets;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xnio.OptionMap;
import org.xnio.channels.AcceptingChannel;

/** A real server on this pool, and every kind of request: each byte is right, and no lease is left. */
class UndertowServerTest {
    private static final byte[] FILE = random(300_000);
    private static final byte[] UPLOAD = random(5_000_000);
    private static final long MOST = 10_000_000;
    private static final String LOCALHOST = InetAddress.getLoopbackAddress().getHostAddress();

    @TempDir
    Path folder;

    private final UndertowBufferPool pool = UndertowBufferPool.create();
    private Undertow server;
    private AcceptingChannel<?> https;
    private HttpClient client;

    @BeforeEach
    void start() throws Exception {
        Files.write(folder.resolve("file.bin"), FILE);
        SSLContext context = TlsContext.make(folder);
        HttpHandler handler = handler();
        server = Undertow.builder()
                .setByteBufferPool(pool)
                .setIoThreads(2)
                .setWorkerThreads(4)
                .addHttpListener(0, LOCALHOST)
                .setServerOption(UndertowOptions.MAX_ENTITY_SIZE, MOST)
                .setHandler(handler)
                .build();
        server.start();
        https = pool.addHttpsListener(
                server,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                context,
                handler,
                OptionMap.create(UndertowOptions.ENABLE_HTTP2, true, UndertowOptions.MAX_ENTITY_SIZE, MOST));
        client = HttpClient.newBuilder().sslContext(context).build();
    }

    @AfterEach
    void noLeaseIsLeft() throws Exception {
        eventually("leases are back: ", () -> leases() == 0);
        server.stop();
        for (BufferPool one : pools()) {
            PoolStats stats = one.stats();
            assertEquals(0, stats.leaks(), stats::toString);
            assertEquals(0, stats.releases(ReleaseOutcome.INVALID), stats::toString);
            assertEquals(0, stats.acquires(AcquireOutcome.REJECTED), stats::toString);
        }
        pool.close();
    }

    @Test
    void filesOverEachProtocol() throws Exception {
        for (URI uri : List.of(http("/files/file.bin"), https("/files/file.bin"))) {
            for (HttpClient.Version version : HttpClient.Version.values()) {
                HttpResponse<byte[]> response =
                        client.send(HttpRequest.newBuilder(uri).version(version).build(), BodyHandlers.ofByteArray());
                assertEquals(200, response.statusCode());
                assertArrayEquals(FILE, response.body());
                if (uri.getScheme().equals("https")) {
                    assertEquals(version, response.version());
                }
            }
        }
        assertTrue(pool.pool().stats().releases(ReleaseOutcome.RECYCLED) > 0);
    }

    @Test
    void tlsRecordsAreInThisPool() throws Exception {
        send(HttpRequest.newBuilder(http("/files/file.bin")).build());
        assertTrue(sizes().noneMatch(size -> size == 16_896));
        send(HttpRequest.newBuilder(https("/files/file.bin")).build());
        assertTrue(sizes().anyMatch(size -> size == 16_896));
    }

    private IntStream sizes() {
        return pool.pool().stats().sizeClasses().stream().mapToInt(PoolStats.SizeClass::size);
    }

    @Test
    void uploadsWithAndWithoutALength() throws Exception {
        for (URI uri : List.of(http("/digest"), https("/digest"))) {
            for (HttpClient.Version version : HttpClient.Version.values()) {
                for (boolean chunked : new boolean[] {false, true}) {
                    HttpRequest request = HttpRequest.newBuilder(uri)
                            .version(version)
                            .POST(
                                    chunked
                                            ? BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(UPLOAD))
                                            : BodyPublishers.ofByteArray(UPLOAD))
                            .build();
                    assertEquals(digest(UPLOAD), new String(send(request).body(), StandardCharsets.US_ASCII));
                }
            }
        }
    }

    @Test
    void chunkedAnswers() throws Exception {
        for (URI uri : List.of(http("/stream"), https("/stream"))) {
            HttpResponse<byte[]> response = send(HttpRequest.newBuilder(uri).build());
            assertTrue(response.headers().firstValue("content-length").isEmpty());
            assertArrayEquals(UPLOAD, response.body());
        }
    }

    @Test
    void gzip() throws Exception {
        HttpResponse<byte[]> response = send(HttpRequest.newBuilder(http("/files/file.bin"))
                .header("Accept-Encoding", "gzip")
                .build());
        assertEquals("gzip", response.headers().firstValue("content-encoding").orElse(""));
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(response.body()))) {
            assertArrayEquals(FILE, in.readAllBytes());
        }
    }

    @Test
    void webSocket() throws Exception {
        Echo echo = new Echo();
        WebSocket socket = client.newWebSocketBuilder()
                .buildAsync(URI.create("ws://" + LOCALHOST + ":" + httpPort() + "/ws"), echo)
                .get(30, TimeUnit.SECONDS);
        String large = "x".repeat(100_000);
        for (String message : List.of("hello", large, "")) {
            socket.sendText(message, true).get(30, TimeUnit.SECONDS);
            assertEquals(message, echo.next().get(30, TimeUnit.SECONDS));
        }
        socket.sendClose(WebSocket.NORMAL_CLOSURE, "").get(30, TimeUnit.SECONDS);
    }

    @Test
    void clientsThatLeave() throws Exception {
        for (int i = 0; i < 20; i++) {
            try (Socket half = socket("GET /files/file.bin HTT")) {
                assertTrue(half.isConnected());
            }
            try (Socket upload = socket("POST /digest HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\nabc")) {
                upload.setSoLinger(true, 0);
            }
            try (Socket reader = socket("GET /stream HTTP/1.1\r\nHost: h\r\n\r\n")) {
                assertEquals('H', reader.getInputStream().read());
                reader.setSoLinger(true, 0);
            }
        }
        assertArrayEquals(
                FILE,
                send(HttpRequest.newBuilder(http("/files/file.bin")).build()).body());
    }

    @Test
    void manyAtOnce() throws Exception {
        List<CompletableFuture<HttpResponse<byte[]>>> responses = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            URI uri = i % 2 == 0 ? http("/files/file.bin") : https("/files/file.bin");
            responses.add(client.sendAsync(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofByteArray()));
        }
        for (CompletableFuture<HttpResponse<byte[]>> response : responses) {
            assertArrayEquals(FILE, response.get(60, TimeUnit.SECONDS).body());
        }
    }

    private HttpHandler handler() {
        HttpHandler files = new EncodingHandler(
                Handlers.resource(new PathResourceManager(folder)),
                new ContentEncodingRepository().addEncodingHandler("gzip", new GzipEncodingProvider(), 50));
        return Handlers.path()
                .addPrefixPath("/files", files)
                .addExactPath("/digest", new BlockingHandler(UndertowServerTest::digest))
                .addExactPath("/stream", new BlockingHandler(UndertowServerTest::stream))
                .addExactPath("/ws", Handlers.websocket((exchange, channel) -> {
                    channel.getReceiveSetter().set(new AbstractReceiveListener() {
                        @Override
                        protected void onFullTextMessage(WebSocketChannel of, BufferedTextMessage message) {
                            WebSockets.sendText(message.getData(), of, null);
                        }
                    });
                    channel.resumeReceives();
                }));
    }

    private static void digest(HttpServerExchange exchange) throws Exception {
        String digest = digest(exchange.getInputStream().readAllBytes());
        exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, "text/plain");
        exchange.getOutputStream().write(digest.getBytes(StandardCharsets.US_ASCII));
    }

    private static void stream(HttpServerExchange exchange) throws Exception {
        OutputStream out = exchange.getOutputStream();
        for (int at = 0; at < UPLOAD.length; at += 10_000) {
            out.write(UPLOAD, at, Math.min(10_000, UPLOAD.length - at));
            if (at == 0) {
                out.flush();
            }
        }
    }

    private static String digest(byte[] bytes) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    }

    private HttpResponse<byte[]> send(HttpRequest request) throws Exception {
        HttpResponse<byte[]> response = client.send(request, BodyHandlers.ofByteArray());
        assertEquals(200, response.statusCode());
        return response;
    }

    private Socket socket(String request) throws Exception {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), httpPort());
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private URI http(String path) {
        return URI.create("http://" + LOCALHOST + ":" + httpPort() + path);
    }

    private URI https(String path) {
        return URI.create("https://localhost:" + ((InetSocketAddress) https.getLocalAddress()).getPort() + path);
    }

    private int httpPort() {
        return ((InetSocketAddress) server.getListenerInfo().get(0).getAddress()).getPort();
    }

    private List<BufferPool> pools() {
        return List.of(pool.pool(), ((UndertowBufferPool) pool.getArrayBackedPool()).pool());
    }

    private long leases() {
        return pools().stream().mapToLong(one -> one.stats().leases()).sum();
    }

    private void eventually(String what, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            assertTrue(
                    System.nanoTime() - end < 0,
                    () -> what + pools().stream().map(BufferPool::stats).toList());
            Thread.sleep(5);
        }
    }

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    /** Puts the parts of a message together again. */
    private static final class Echo implements WebSocket.Listener {
        private final StringBuilder parts = new StringBuilder();
        private CompletableFuture<String> next = new CompletableFuture<>();

        synchronized CompletableFuture<String> next() {
            return next.whenComplete((message, failure) -> renew());
        }

        private synchronized void renew() {
            next = new CompletableFuture<>();
        }

        @Override
        public synchronized CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
            parts.append(data);
            socket.request(1);
            if (last) {
                String message = parts.toString();
                parts.setLength(0);
                next.complete(message);
            }
            return null;
        }
    }
}

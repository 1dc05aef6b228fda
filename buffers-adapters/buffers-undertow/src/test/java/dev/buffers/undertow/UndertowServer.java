// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.undertow;

import dev.buffers.BufferPool;
import dev.buffers.LeakReport;
import dev.buffers.LeakTracking;
import dev.buffers.adapters.Reply;
import dev.buffers.adapters.ServerUnderTest;
import io.undertow.Handlers;
import io.undertow.Undertow;
import io.undertow.UndertowOptions;
import io.undertow.conduits.GzipStreamSourceConduit;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.BlockingHandler;
import io.undertow.server.handlers.PathHandler;
import io.undertow.server.handlers.encoding.ContentEncodingRepository;
import io.undertow.server.handlers.encoding.EncodingHandler;
import io.undertow.server.handlers.encoding.GzipEncodingProvider;
import io.undertow.server.handlers.encoding.RequestEncodingHandler;
import io.undertow.server.handlers.resource.PathResourceManager;
import io.undertow.server.protocol.framed.AbstractFramedStreamSinkChannel;
import io.undertow.websockets.core.BufferedBinaryMessage;
import io.undertow.websockets.extensions.PerMessageDeflateHandshake;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.xnio.OptionMap;
import org.xnio.Options;
import org.xnio.Xnio;
import org.xnio.XnioWorker;
import org.xnio.channels.AcceptingChannel;

/** Undertow on our pools, with a handler for each path of the contract, and a worker whose tasks run on threads of the test's choice. */
final class UndertowServer implements ServerUnderTest {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final long MOST = 10_000_000;

    private final Collection<LeakReport> forgotten = new ConcurrentLinkedQueue<>();
    private final BufferPool direct;
    private final BufferPool heap;
    private final UndertowBufferPool pool;
    private final XnioWorker worker;
    private final Undertow server;
    private final @Nullable AcceptingChannel<?> https;

    UndertowServer(Path folder, SSLContext tls, Optional<ExecutorService> tasks) throws IOException {
        this(folder, tls, tasks, settings -> settings, handler -> handler);
    }

    /** With these settings for its pools, and this around its handlers. */
    UndertowServer(
            Path folder,
            SSLContext tls,
            Optional<ExecutorService> tasks,
            UnaryOperator<BufferPool.Builder> settings,
            UnaryOperator<HttpHandler> around)
            throws IOException {
        this(folder, tls, tasks, settings, around, true);
    }

    /** The same, on our pools or on Undertow's own. */
    UndertowServer(
            Path folder,
            SSLContext tls,
            Optional<ExecutorService> tasks,
            UnaryOperator<BufferPool.Builder> settings,
            UnaryOperator<HttpHandler> around,
            boolean pooled)
            throws IOException {
        direct = settings.apply(watched("undertow")).build();
        heap = settings.apply(watched("undertow-heap")).policy("heap").build();
        pool = UndertowBufferPool.of(direct, heap, UndertowBufferPool.DEFAULT_BUFFER_SIZE);
        XnioWorker.Builder workers = Xnio.getInstance().createWorkerBuilder();
        workers.populateFromOptions(OptionMap.create(Options.WORKER_IO_THREADS, 2));
        tasks.ifPresentOrElse(
                workers::setExternalExecutorService,
                () -> workers.setCoreWorkerPoolSize(8).setMaxWorkerPoolSize(8));
        worker = workers.build();
        HttpHandler handler = around.apply(handler(folder));
        Undertow.Builder builder = Undertow.builder()
                .setWorker(worker)
                .addHttpListener(0, ANY_PORT.getHostString())
                .setServerOption(UndertowOptions.MAX_ENTITY_SIZE, MOST)
                .setServerOption(UndertowOptions.BUFFER_PIPELINED_DATA, false) // as the documentation says
                .setHandler(handler);
        if (pooled) {
            server = builder.setByteBufferPool(pool).build();
            server.start();
            https = pool.addHttpsListener(
                    server,
                    ANY_PORT,
                    tls,
                    handler,
                    OptionMap.create(UndertowOptions.ENABLE_HTTP2, true, UndertowOptions.MAX_ENTITY_SIZE, MOST));
        } else {
            server = builder.setServerOption(UndertowOptions.ENABLE_HTTP2, true)
                    .addHttpsListener(0, ANY_PORT.getHostString(), tls)
                    .build();
            server.start();
            https = null;
        }
    }

    private BufferPool.Builder watched(String name) {
        return BufferPool.builder(name).leaks(LeakTracking.all()).onLeak(this::lost);
    }

    private void lost(LeakReport lease) {
        if (forgets(lease)) {
            forgotten.add(lease);
        }
    }

    /** What {@link UndertowsOwnPoolTest} shows that Undertow loses. Of a lease that is just being acquired nothing is known yet. */
    @Override
    public boolean forgets(LeakReport lease) {
        return lease.acquisition().stream()
                .flatMap(known -> known.stack().stream())
                .anyMatch(frame -> frame.getClassName().startsWith(BufferedBinaryMessage.class.getName())
                        || frame.getClassName().equals(AbstractFramedStreamSinkChannel.class.getName())
                                && frame.getMethodName().equals("getWriteBuffer"));
    }

    @Override
    public URI http() {
        return uri("http", server.getListenerInfo().get(0).getAddress());
    }

    @Override
    public URI https() {
        return uri("https", https == null ? server.getListenerInfo().get(1).getAddress() : https.getLocalAddress());
    }

    private static URI uri(String scheme, SocketAddress address) {
        return URI.create(scheme + "://127.0.0.1:" + ((InetSocketAddress) address).getPort());
    }

    @Override
    public List<BufferPool> pools() {
        return List.of(direct, heap);
    }

    @Override
    public Collection<LeakReport> forgotten() {
        return forgotten;
    }

    @Override
    public void stop() throws Exception {
        if (worker.isShutdown()) {
            return; // closing a listener waits for a worker's thread, which is gone
        }
        if (https != null) {
            https.close();
        }
        server.stop();
        worker.shutdown();
        worker.awaitTermination();
    }

    private static HttpHandler handler(Path folder) {
        PathHandler paths = Handlers.path()
                .addPrefixPath("/files", files(folder))
                .addExactPath("/ws", exchange -> webSocket().handleRequest(exchange));
        for (Reply reply : Reply.values()) {
            paths.addExactPath(reply.path(), new BlockingHandler(exchange -> reply(reply, exchange)));
        }
        return new RequestEncodingHandler(paths).addEncoding("gzip", GzipStreamSourceConduit.WRAPPER);
    }

    /** A new one for each client: what one client negotiates holds for the later clients of an extension too. */
    private static HttpHandler webSocket() {
        return Handlers.websocket((exchange, channel) -> Echo.on(channel))
                .addExtension(new PerMessageDeflateHandshake());
    }

    private static HttpHandler files(Path folder) {
        return new EncodingHandler(
                Handlers.resource(new PathResourceManager(folder)),
                new ContentEncodingRepository().addEncodingHandler("gzip", new GzipEncodingProvider(), 50));
    }

    private static void reply(Reply reply, HttpServerExchange exchange) throws IOException {
        reply.reply(exchange.getInputStream(), exchange.getOutputStream());
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.frameworks;

import dev.buffers.BufferPool;
import dev.buffers.bench.jvm.VirtualThreads;
import dev.buffers.undertow.UndertowBufferPool;
import io.undertow.Undertow;
import io.undertow.UndertowOptions;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.resource.PathResourceManager;
import io.undertow.server.handlers.resource.ResourceHandler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.xnio.Option;
import org.xnio.OptionMap;

/** Undertow. */
final class EmbeddedUndertow {
    private EmbeddedUndertow() {}

    static Embedded start(Contents contents, Work work, boolean ours, @Nullable Tls tls) throws IOException {
        return start(handler(contents, work), ours, tls, OptionMap.builder());
    }

    /** Starts it with a handler, and options of the server and of its sockets. */
    static Embedded start(HttpHandler handler, boolean ours, @Nullable Tls tls, OptionMap.Builder more)
            throws IOException {
        UndertowBufferPool pool = ours ? UndertowBufferPool.create() : null;
        String host = InetAddress.getLoopbackAddress().getHostAddress();
        OptionMap options = more.set(UndertowOptions.NO_REQUEST_TIMEOUT, Embedded.IDLE_SECONDS * 1_000)
                .getMap();
        Undertow.Builder builder = Undertow.builder().setHandler(handler);
        for (Option<?> option : options) {
            set(builder, options, option);
        }
        if (tls == null) {
            builder.addHttpListener(0, host);
        } else if (pool == null) {
            builder.addHttpsListener(0, host, tls.context());
        }
        if (pool != null) {
            builder.setByteBufferPool(pool);
        }
        Undertow server = builder.build();
        server.start();
        int port = pool != null && tls != null
                ? pool.addHttpsListener(
                                server,
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                                tls.context(),
                                handler,
                                options)
                        .getLocalAddress(InetSocketAddress.class)
                        .getPort()
                : ((InetSocketAddress) server.getListenerInfo().get(0).getAddress()).getPort();
        List<BufferPool> pools = pool == null
                ? List.of()
                : List.of(pool.pool(), ((UndertowBufferPool) pool.getArrayBackedPool()).pool());
        return new Embedded(port, pools, () -> {
            server.stop();
            if (pool != null) {
                pool.close();
            }
        });
    }

    private static <T> void set(Undertow.Builder builder, OptionMap options, Option<T> option) {
        builder.setServerOption(option, options.get(option)).setSocketOption(option, options.get(option));
    }

    private static HttpHandler handler(Contents contents, Work work) {
        if (work == Work.FILES) {
            return new ResourceHandler(new PathResourceManager(contents.root()));
        }
        HttpHandler stream = exchange -> write(exchange, contents);
        if (work == Work.STREAMS) {
            return exchange -> exchange.dispatch(stream);
        }
        var threads = VirtualThreads.factory();
        Executor executor = task -> threads.newThread(task).start();
        return exchange -> exchange.dispatch(executor, stream);
    }

    private static void write(HttpServerExchange exchange, Contents contents) throws IOException {
        exchange.startBlocking();
        byte[] content = contents.of(exchange.getRequestPath());
        exchange.setResponseContentLength(content.length);
        exchange.getOutputStream().write(content);
        exchange.endExchange();
    }
}

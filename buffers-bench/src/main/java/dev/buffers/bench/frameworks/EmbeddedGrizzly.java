// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.frameworks;

import dev.buffers.BufferPool;
import dev.buffers.bench.jvm.VirtualThreads;
import dev.buffers.grizzly.GrizzlyMemoryManager;
import dev.buffers.grizzly.ReleasingAddOn;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.Executors;
import org.glassfish.grizzly.http.server.HttpHandler;
import org.glassfish.grizzly.http.server.HttpServer;
import org.glassfish.grizzly.http.server.NetworkListener;
import org.glassfish.grizzly.http.server.Request;
import org.glassfish.grizzly.http.server.Response;
import org.glassfish.grizzly.http.server.StaticHttpHandler;
import org.glassfish.grizzly.ssl.SSLEngineConfigurator;
import org.jspecify.annotations.Nullable;

/** Grizzly. */
final class EmbeddedGrizzly {
    private EmbeddedGrizzly() {}

    static Embedded start(Contents contents, Work work, boolean ours, @Nullable Tls tls) throws IOException {
        HttpHandler handler =
                work == Work.FILES ? new StaticHttpHandler(contents.root().toString()) : stream(contents);
        return start(handler, work == Work.VIRTUAL, ours, tls, (listener, memory) -> {
            if (memory != null) {
                listener.registerAddOn(new ReleasingAddOn());
            }
        });
    }

    /** More for a listener on our memory manager, or on Grizzly's own where that is null. */
    interface More {
        void to(NetworkListener listener, @Nullable GrizzlyMemoryManager memory);
    }

    /** Starts it with a handler, and more. */
    static Embedded start(HttpHandler handler, boolean virtual, boolean ours, @Nullable Tls tls, More more)
            throws IOException {
        NetworkListener listener =
                new NetworkListener("bench", InetAddress.getLoopbackAddress().getHostAddress(), 0);
        GrizzlyMemoryManager memory = ours ? new GrizzlyMemoryManager() : null;
        if (memory != null) {
            listener.getTransport().setMemoryManager(memory);
        }
        more.to(listener, memory);
        listener.getKeepAlive().setIdleTimeoutInSeconds(Embedded.IDLE_SECONDS);
        listener.getKeepAlive().setMaxRequestsCount(-1); // its default ends a connection after 256 requests
        if (tls != null) {
            listener.setSecure(true);
            listener.setSSLEngineConfig(new SSLEngineConfigurator(tls.context(), false, false, false));
        }
        if (virtual) {
            listener.getTransport().setWorkerThreadPool(Executors.newCachedThreadPool(VirtualThreads.factory()));
        }
        HttpServer server = new HttpServer();
        server.addListener(listener);
        server.getServerConfiguration().addHttpHandler(handler, "/");
        server.start();
        List<BufferPool> pools = memory == null ? List.of() : List.of(memory.pool(), memory.heapPool());
        return new Embedded(listener.getPort(), pools, () -> {
            server.shutdownNow();
            if (memory != null) {
                memory.close();
            }
        });
    }

    private static HttpHandler stream(Contents contents) {
        return new HttpHandler() {
            @Override
            public void service(Request request, Response response) throws IOException {
                byte[] content = contents.of(request.getRequestURI());
                response.setContentLength(content.length);
                response.getOutputStream().write(content);
            }
        };
    }
}

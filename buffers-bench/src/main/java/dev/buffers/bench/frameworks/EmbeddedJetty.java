// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.frameworks;

import dev.buffers.BufferPool;
import dev.buffers.bench.jvm.VirtualThreads;
import dev.buffers.jetty.JettyBufferPool;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.Executor;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.ResourceHandler;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.component.LifeCycle;
import org.eclipse.jetty.util.resource.ResourceFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;

/** Jetty. */
final class EmbeddedJetty {
    private EmbeddedJetty() {}

    static Embedded start(Contents contents, Work work, boolean ours, @Nullable Tls tls) {
        QueuedThreadPool threads = new QueuedThreadPool();
        if (work == Work.VIRTUAL) {
            var factory = VirtualThreads.factory();
            Executor executor = task -> factory.newThread(task).start();
            threads.setVirtualThreadsExecutor(executor);
        }
        JettyBufferPool pool = ours ? JettyBufferPool.create() : null;
        Server server = new Server(threads, null, pool);
        ServerConnector connector = new ServerConnector(server, secure(tls));
        connector.setHost(InetAddress.getLoopbackAddress().getHostAddress());
        connector.setIdleTimeout(Embedded.IDLE_SECONDS * 1_000L);
        server.addConnector(connector);
        server.setHandler(handler(contents, work));
        LifeCycle.start(server);
        List<BufferPool> pools = pool == null ? List.of() : List.of(pool.pool(), pool.heapPool());
        return new Embedded(connector.getLocalPort(), pools, () -> {
            LifeCycle.stop(server);
            if (pool != null) {
                pool.close();
            }
        });
    }

    private static SslContextFactory.@Nullable Server secure(@Nullable Tls tls) {
        if (tls == null) {
            return null;
        }
        SslContextFactory.Server factory = new SslContextFactory.Server();
        factory.setSslContext(tls.context());
        return factory;
    }

    private static Handler handler(Contents contents, Work work) {
        if (work == Work.FILES) {
            ResourceHandler files = new ResourceHandler();
            files.setBaseResource(ResourceFactory.of(files).newResource(contents.root()));
            return files;
        }
        return new Handler.Abstract() {
            @Override
            public boolean handle(Request request, Response response, Callback callback) throws Exception {
                byte[] content = contents.of(Request.getPathInContext(request));
                response.getHeaders().put(HttpHeader.CONTENT_LENGTH, content.length);
                Content.Sink.asOutputStream(response).write(content);
                callback.succeeded();
                return true;
            }
        };
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.jetty;

import dev.buffers.BufferPool;
import dev.buffers.adapters.OverloadContract;
import dev.buffers.adapters.Protocol;
import dev.buffers.adapters.ServerUnderTest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.handler.QoSHandler;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** Jetty on pools that are too small. */
class JettyOverloadTest extends OverloadContract {
    @Override
    protected ServerUnderTest start(Path folder, SSLContext tls, UnaryOperator<BufferPool.Builder> pools, int requests)
            throws Exception {
        JettyBufferPool pool = JettyBufferPool.of(
                pools.apply(BufferPool.builder("jetty")).build(),
                pools.apply(BufferPool.builder("jetty-heap")).policy("heap").build());
        return new JettyServer(
                pool, new QueuedThreadPool(), requests == 0 ? new Handler.Wrapper() : limited(requests), folder, tls);
    }

    private static Handler.Wrapper limited(int requests) {
        QoSHandler handler = new QoSHandler();
        handler.setMaxRequestCount(requests);
        handler.setMaxSuspendedRequestCount(1);
        handler.setMaxSuspend(Duration.ofMillis(50));
        return handler;
    }

    @Override
    protected List<Protocol> protocols() {
        return List.of(Protocol.values());
    }

    @Override
    protected int share() {
        return 40 << 10;
    }
}

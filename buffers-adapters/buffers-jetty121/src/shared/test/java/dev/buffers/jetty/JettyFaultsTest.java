// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.jetty;

import dev.buffers.BufferPool;
import dev.buffers.LeakTracking;
import dev.buffers.adapters.RepeatedFaultsContract;
import dev.buffers.adapters.ServerUnderTest;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.handler.gzip.GzipHandler;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** Jetty whose {@code GzipHandler} inflates. */
class JettyFaultsTest extends RepeatedFaultsContract {
    @Override
    @SuppressWarnings({"deprecation", "removal"}) // what stands in its place is not in 12.0
    protected ServerUnderTest start(Path folder, SSLContext tls, UnaryOperator<BufferPool.Builder> pools)
            throws Exception {
        JettyBufferPool pool = JettyBufferPool.of(
                pools.apply(BufferPool.builder("jetty"))
                        .leaks(LeakTracking.all())
                        .build(),
                pools.apply(BufferPool.builder("jetty-heap"))
                        .policy("heap")
                        .leaks(LeakTracking.all())
                        .build());
        GzipHandler gzip = new GzipHandler();
        gzip.setInflateBufferSize(8192);
        return new JettyServer(pool, new QueuedThreadPool(), gzip, folder, tls);
    }

    @Override
    protected Set<Fault> losing() {
        boolean old = Server.getVersion().startsWith("12.0.");
        return old ? EnumSet.of(Fault.UPGRADE_WITH_BYTES) : EnumSet.noneOf(Fault.class);
    }
}

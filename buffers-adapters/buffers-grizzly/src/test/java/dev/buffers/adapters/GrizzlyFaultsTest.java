// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.adapters;

import dev.buffers.BufferPool;
import dev.buffers.LeakTracking;
import dev.buffers.grizzly.GrizzlyMemoryManager;
import dev.buffers.grizzly.ReleasingAddOn;
import dev.buffers.grizzly.ReleasingWebSocketAddOn;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;

/** Grizzly with the add-ons. */
class GrizzlyFaultsTest extends RepeatedFaultsContract {
    @Override
    protected ServerUnderTest start(Path folder, SSLContext tls, UnaryOperator<BufferPool.Builder> pools)
            throws Exception {
        BufferPool heap = pools.apply(BufferPool.builder("grizzly"))
                .policy("heap")
                .leaks(LeakTracking.all())
                .build();
        return new GrizzlyServer(folder, tls, GrizzlyMemoryManager.of(heap, heap), listener -> {
            listener.registerAddOn(new ReleasingWebSocketAddOn());
            listener.registerAddOn(new ReleasingAddOn());
        });
    }

    /** The head of each request that becomes a web socket: the web socket keeps it, and drops it. */
    @Override
    protected Set<Fault> losing() {
        return EnumSet.of(Fault.UPGRADE_WITH_BYTES, Fault.UPGRADE_WITH_PING, Fault.UPGRADE_WITH_HALF_A_FRAME);
    }
}

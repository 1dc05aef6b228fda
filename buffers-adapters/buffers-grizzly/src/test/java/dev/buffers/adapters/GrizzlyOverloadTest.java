// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.adapters;

import dev.buffers.BufferPool;
import dev.buffers.grizzly.GrizzlyMemoryManager;
import dev.buffers.grizzly.ReleasingAddOn;
import dev.buffers.grizzly.ReleasingWebSocketAddOn;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import org.glassfish.grizzly.threadpool.ThreadPoolConfig;

/** Grizzly on pools that are too small. */
class GrizzlyOverloadTest extends OverloadContract {
    private static final int SHARE = 64 << 10;
    private static final int THREADS = 200;

    @Override
    protected ServerUnderTest start(Path folder, SSLContext tls, UnaryOperator<BufferPool.Builder> pools, int requests)
            throws Exception {
        BufferPool heap =
                pools.apply(BufferPool.builder("grizzly")).policy("heap").build();
        Semaphore free = new Semaphore(requests);
        return new GrizzlyServer(
                folder,
                tls,
                GrizzlyMemoryManager.of(heap, heap),
                listener -> {
                    listener.setMaxPendingBytes(SHARE);
                    listener.getTransport() // else the limit of threads would be met before the cap
                            .setWorkerThreadPoolConfig(ThreadPoolConfig.defaultConfig()
                                    .setCorePoolSize(THREADS)
                                    .setMaxPoolSize(THREADS));
                    listener.registerAddOn(new ReleasingWebSocketAddOn());
                    listener.registerAddOn(new ReleasingAddOn());
                },
                handler -> requests == 0 ? handler : new LimitedHandler(handler, free));
    }

    /** With TLS Grizzly keeps the records of clients that have gone, and finds no room for the next one's (SSLConnectionContext.unwrap). */
    @Override
    protected List<Protocol> withoutHelp() {
        return List.of(Protocol.HTTP);
    }

    /** Smaller memory for a short record of TLS. */
    @Override
    protected boolean triesToSaveMemory() {
        return true;
    }

    @Override
    protected int share() {
        return SHARE + (48 << 10);
    }
}

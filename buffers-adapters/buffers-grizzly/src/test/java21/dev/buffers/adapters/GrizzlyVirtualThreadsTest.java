// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.adapters;

import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.glassfish.grizzly.http.server.NetworkListener;

/** Grizzly with a virtual thread for each request. */
class GrizzlyVirtualThreadsTest extends GrizzlyServerTest {
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    @Override
    protected Optional<ExecutorService> virtualThreads() {
        return Optional.of(threads);
    }

    @Override
    void addOns(NetworkListener listener) {
        listener.getTransport().setWorkerThreadPool(threads);
        super.addOns(listener);
    }
}

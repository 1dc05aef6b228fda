// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.jetty;

import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The contract with all of Jetty on virtual threads. */
class JettyVirtualThreadsTest extends JettyServerTest {
    /** Never shut down, as Jetty needs it until it has stopped: it keeps no thread. */
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();

    @Override
    protected Optional<ExecutorService> virtualThreads() {
        return Optional.of(executor);
    }
}

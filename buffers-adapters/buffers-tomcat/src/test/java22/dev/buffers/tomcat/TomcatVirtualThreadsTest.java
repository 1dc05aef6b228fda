// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.tomcat;

import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Tomcat with a virtual thread for each event. */
class TomcatVirtualThreadsTest extends TomcatServerTest {
    @Override
    protected Optional<ExecutorService> virtualThreads() {
        return Optional.of(Executors.newVirtualThreadPerTaskExecutor());
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.undertow;

import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Undertow with a virtual thread for each request that blocks. */
class UndertowVirtualThreadsTest extends UndertowServerTest {
    @Override
    protected Optional<ExecutorService> virtualThreads() {
        return Optional.of(Executors.newVirtualThreadPerTaskExecutor());
    }
}

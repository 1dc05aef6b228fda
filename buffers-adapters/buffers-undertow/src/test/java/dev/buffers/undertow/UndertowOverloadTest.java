// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.undertow;

import dev.buffers.BufferPool;
import dev.buffers.adapters.OverloadContract;
import dev.buffers.adapters.ServerUnderTest;
import io.undertow.server.handlers.RequestLimitingHandler;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;

/** Undertow on pools that are too small, without HTTP/2: {@code UndertowLosesRequestsTest} says why. */
class UndertowOverloadTest extends OverloadContract {
    private final ExecutorService tasks =
            Executors.newCachedThreadPool(); // a limit of threads would be met before the cap

    @Override
    protected ServerUnderTest start(Path folder, SSLContext tls, UnaryOperator<BufferPool.Builder> pools, int requests)
            throws Exception {
        return new UndertowServer(
                folder,
                tls,
                Optional.of(tasks),
                pools,
                handler -> requests == 0 ? handler : new RequestLimitingHandler(requests, 1, handler));
    }

    @AfterEach
    void endTasks() {
        tasks.shutdownNow();
    }

    @Override
    protected int share() {
        return 4 * (16 << 10) + 2 * 16_896; // buffers of 16 KiB, and a TLS record each way
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.undertow;

import dev.buffers.adapters.GzipRequestContract;
import dev.buffers.adapters.Http2Contract;
import dev.buffers.adapters.ServerContract;
import dev.buffers.adapters.ServerUnderTest;
import dev.buffers.adapters.WebSocketContract;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;

/** Undertow with its own threads. */
class UndertowServerTest extends ServerContract implements Http2Contract, WebSocketContract, GzipRequestContract {
    @Override
    protected ServerUnderTest start(Path folder, SSLContext tls) throws Exception {
        return new UndertowServer(folder, tls, virtualThreads());
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.tomcat;

import dev.buffers.adapters.Http2Contract;
import dev.buffers.adapters.ServerContract;
import dev.buffers.adapters.ServerUnderTest;
import dev.buffers.adapters.WebSocketContract;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;

/** The contract on Tomcat, which decompresses no requests. */
class TomcatServerTest extends ServerContract implements Http2Contract, WebSocketContract {
    @Override
    protected ServerUnderTest start(Path folder, SSLContext tls) throws Exception {
        return new TomcatServer(folder, tls, settings -> settings, virtualThreads()).start();
    }

    /** An answer is one acquire without TLS. */
    @Override
    protected int rounds() {
        return 8;
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.tomcat;

import dev.buffers.BufferPool;
import dev.buffers.adapters.OverloadContract;
import dev.buffers.adapters.Protocol;
import dev.buffers.adapters.ServerUnderTest;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;

/** Tomcat on pools that are too small. */
class TomcatOverloadTest extends OverloadContract {
    @Override
    protected ServerUnderTest start(Path folder, SSLContext tls, UnaryOperator<BufferPool.Builder> pools, int requests)
            throws Exception {
        TomcatServer server = new TomcatServer(folder, tls, pools, Optional.empty());
        if (requests > 0) {
            server.limit(requests);
        }
        return server.start();
    }

    @Override
    protected List<Protocol> protocols() {
        return List.of(Protocol.values());
    }

    @Override
    protected int share() {
        return 2 * 16_896; // the bytes to be sent, and a TLS record of them
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.tomcat;

import dev.buffers.BufferPool;
import dev.buffers.adapters.RepeatedFaultsContract;
import dev.buffers.adapters.ServerUnderTest;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;

/** Tomcat, which loses none. */
class TomcatFaultsTest extends RepeatedFaultsContract {
    @Override
    protected ServerUnderTest start(Path folder, SSLContext tls, UnaryOperator<BufferPool.Builder> pools)
            throws Exception {
        return new TomcatServer(folder, tls, pools, Optional.empty()).start();
    }

    @Override
    protected Set<Fault> losing() {
        return EnumSet.noneOf(Fault.class);
    }
}

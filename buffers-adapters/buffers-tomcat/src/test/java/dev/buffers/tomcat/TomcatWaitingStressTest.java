// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.tomcat;

import dev.buffers.adapters.ServerUnderTest;
import dev.buffers.adapters.StampedServlet;
import dev.buffers.adapters.Stamps;
import dev.buffers.adapters.WaitingStressContract;
import java.nio.file.Path;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Tag;

/** The stress on Tomcat. */
@Tag("full")
class TomcatWaitingStressTest extends WaitingStressContract {
    @Override
    protected ServerUnderTest start(Path folder, SSLContext tls, Buffers buffers, Stamps stamps) throws Exception {
        TomcatServer server =
                new TomcatServer(folder, tls, buffers::settings, Optional.empty(), buffers != Buffers.OWN);
        server.add(Stamps.PREFIX + "*", new StampedServlet(stamps));
        return server.start();
    }
}

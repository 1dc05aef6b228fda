// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.tomcat;

import dev.buffers.adapters.Http2Contract;
import dev.buffers.adapters.ServerContract;
import dev.buffers.adapters.ServerUnderTest;
import dev.buffers.adapters.WebSocketContract;
import java.nio.file.Path;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.apache.catalina.connector.Connector;
import org.junit.jupiter.api.Tag;

/** The contract with the connector's settings that make connections smaller while they wait, as the page on Tomcat lists them. */
@Tag("full")
class TomcatSmallBuffersTest extends ServerContract implements Http2Contract, WebSocketContract {
    @Override
    protected ServerUnderTest start(Path folder, SSLContext tls) throws Exception {
        TomcatServer server = new TomcatServer(folder, tls, settings -> settings, Optional.empty());
        for (boolean secure : new boolean[] {false, true}) {
            Connector connector = server.connector(secure);
            connector.setProperty("responseBufferSize", "1024");
            connector.setProperty("maxHttpRequestHeaderSize", "4096");
            connector.setProperty("maxHttpResponseHeaderSize", "2048");
            connector.setProperty("socket.appReadBufSize", "1024");
            connector.setProperty("useAsyncIO", "false");
        }
        return server.start();
    }

    /** An answer is one acquire without TLS. */
    @Override
    protected int rounds() {
        return 8;
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.jetty;

import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.handler.gzip.GzipHandler;

/** The contract on Jetty 12.0. */
class JettyServerTest extends JettyServerContract {
    @Override
    Handler.Wrapper compression() {
        GzipHandler handler = new GzipHandler();
        handler.setInflateBufferSize(8192);
        return handler;
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.jetty;

import org.eclipse.jetty.compression.gzip.GzipCompression;
import org.eclipse.jetty.compression.server.CompressionHandler;
import org.eclipse.jetty.server.Handler;

/** The contract on Jetty 12.1. */
class JettyServerTest extends JettyServerContract {
    @Override
    Handler.Wrapper compression() {
        CompressionHandler handler = new CompressionHandler();
        handler.putCompression(new GzipCompression());
        return handler;
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.springboot;

import dev.buffers.jetty.JettyBufferPool;
import org.springframework.boot.jetty.ConfigurableJettyWebServerFactory;
import org.springframework.boot.web.server.WebServerFactory;

/** Jetty 12.1, as Boot 4 embeds it. */
final class JettyAdapter implements ServerAdapter {
    @Override
    public boolean adapt(WebServerFactory factory, ServerBufferPools pools, Runnable started) {
        if (!(factory instanceof ConfigurableJettyWebServerFactory jetty)) {
            return false;
        }
        JettyBufferPool pool = JettyBufferPool.of(pools.pool(), pools.heapPool());
        jetty.addServerCustomizers(server -> {
            JettyConnectors.put(server, pool);
            started.run();
        });
        return true;
    }
}

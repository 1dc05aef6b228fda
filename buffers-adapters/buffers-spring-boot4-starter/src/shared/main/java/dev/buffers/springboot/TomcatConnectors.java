// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.springboot;

import dev.buffers.tomcat.PooledHttp11NioProtocol;
import org.apache.catalina.Lifecycle;
import org.apache.catalina.connector.Connector;

/** What Boot makes of a protocol's name is a connector that has no pools yet. */
final class TomcatConnectors {
    static final String PROTOCOL = PooledHttp11NioProtocol.class.getName();

    private TomcatConnectors() {}

    /** Puts the connector on the pools if its protocol is ours. With OpenSSL it stays on its own buffers, and says so in the log. */
    static void put(Connector connector, ServerBufferPools pools, Runnable started) {
        if (connector.getProtocolHandler() instanceof PooledHttp11NioProtocol protocol) {
            protocol.setPools(pools.pool(), pools.heapPool());
            connector.addLifecycleListener(event -> {
                if (event.getType().equals(Lifecycle.AFTER_START_EVENT) && protocol.isPooled()) {
                    started.run();
                }
            });
        }
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.springboot;

import dev.buffers.tomcat.PooledHttp11NioProtocol;
import org.apache.catalina.connector.Connector;

/** What Boot makes of a protocol's name is a connector that has no pools yet. */
final class TomcatConnectors {
    static final String PROTOCOL = PooledHttp11NioProtocol.class.getName();

    private TomcatConnectors() {}

    /** Whether the connector's protocol is ours, which now has these pools. */
    static boolean put(Connector connector, ServerBufferPools pools) {
        if (!(connector.getProtocolHandler() instanceof PooledHttp11NioProtocol protocol)) {
            return false;
        }
        protocol.setPools(pools.pool(), pools.heapPool());
        return true;
    }
}

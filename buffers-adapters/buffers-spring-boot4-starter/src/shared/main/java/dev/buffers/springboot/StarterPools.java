// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.springboot;

import dev.buffers.BufferPool;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The pools that the meters, the endpoint and the health detail show: the server's, and the application's if that is the starter's. */
final class StarterPools {
    private final Map<String, BufferPool> byRole = new LinkedHashMap<>();

    StarterPools(ServerBufferPools server, @Nullable BufferPool application) {
        byRole.put(PoolsOfEnvironment.POOL, server.pool());
        if (server.heapPool() != server.pool()) {
            byRole.put(PoolsOfEnvironment.HEAP_POOL, server.heapPool());
        }
        if (application != null) {
            byRole.put(PoolsOfEnvironment.APPLICATION_POOL, application);
        }
    }

    /** Each pool under its name in the properties. */
    Map<String, BufferPool> byRole() {
        return Collections.unmodifiableMap(byRole);
    }

    Collection<BufferPool> all() {
        return byRole().values();
    }
}

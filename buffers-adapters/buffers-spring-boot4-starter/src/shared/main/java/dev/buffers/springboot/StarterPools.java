// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.springboot;

import dev.buffers.BufferPool;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The pools that the meters, the endpoint and the health detail show: the server's, and the application's if that is the starter's. */
final class StarterPools {
    private final List<BufferPool> all;

    StarterPools(ServerBufferPools server, @Nullable BufferPool application) {
        all = Stream.concat(server.all().stream(), Stream.ofNullable(application))
                .toList();
    }

    List<BufferPool> all() {
        return all;
    }
}

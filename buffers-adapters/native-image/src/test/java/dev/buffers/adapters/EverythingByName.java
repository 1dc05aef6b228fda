// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.adapters;

import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.buffers.BufferPool;
import dev.buffers.PooledBuffer;

/** Has core find whatever it finds by name but when its classes are initialized. */
public final class EverythingByName implements Runnable {
    @Override
    public void run() {
        try (BufferPool pool = BufferPool.builder("traced").jmx(true).build();
                PooledBuffer lease = pool.acquire(1)) {
            lease.buffer().put((byte) 1);
        }
        BufferPool.Builder builder = BufferPool.builder("traced").policy("nobody's");
        assertThrows(IllegalArgumentException.class, builder::build);
    }
}

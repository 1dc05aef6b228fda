// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support;

import dev.buffers.BufferPool;
import dev.buffers.PoolStats;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.Parameter;

/**
 * What every pool must do, whatever its policy; split by topic into the classes that extend this. Every pool that
 * a test opens is checked for conservation as the test ends, and again once it is closed.
 */
public abstract class PoolContract {
    public static final int MAX_SIZE = 256 << 10;

    @Parameter
    public Kind kind;

    private final List<BufferPool> opened = new ArrayList<>();

    /** Keeps what a pool says that is closed with leases out from the console. */
    private final Logged log = new Logged("contract");

    public BufferPool pool() {
        return pool(kind.builder("contract"));
    }

    public BufferPool pool(BufferPool.Builder builder) {
        DirectRoom.make();
        BufferPool pool = builder.build();
        opened.add(pool);
        return pool;
    }

    @AfterEach
    void everyByteIsAccountedFor() {
        try (log) {
            opened.forEach(PoolContract::check);
        }
    }

    private static void check(BufferPool pool) {
        Conservation.check(pool);
        pool.close();
        // At once, but for what the daemon has in its hands just then.
        Eventually.holds("a closed pool keeps no memory: " + pool.name(), () -> {
            PoolStats closed = Conservation.check(pool);
            return closed.reservedBytes() == closed.lostBytes() && closed.cachedBytes() == 0;
        });
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support;

import dev.buffers.BufferPool;
import dev.buffers.internal.signals.PoolState;
import java.util.concurrent.TimeUnit;

/**
 * Seconds that pass at once: calls the tick with a time far ahead of the real one, so that the daemon, which goes on by that,
 * finds nothing due.
 */
public final class TrimTime {
    private final PoolState pool;
    private long now = System.nanoTime() + TimeUnit.DAYS.toNanos(1);

    public TrimTime(BufferPool pool) {
        this.pool = (PoolState) pool;
        this.pool.tick(now);
    }

    public void seconds(int count) {
        for (int i = 0; i < count; i++) {
            now += TimeUnit.SECONDS.toNanos(1);
            pool.tick(now);
        }
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.buffers.BufferPool;
import dev.buffers.PooledBuffer;
import dev.buffers.internal.slab.Slot;
import dev.buffers.support.Eventually;
import dev.buffers.support.Peek;
import dev.buffers.support.TrimTime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MaintenanceTest {

    private final BufferPool pool =
            BufferPool.builder("maintained").policy("heap-view").max(4 << 20).build();

    @AfterEach
    void close() {
        pool.close();
    }

    /** A slot larger than any class, free and outside its slab, as a release leaves it that finds no heap to go on. */
    private Slot oversizeSlotOutside() {
        PooledBuffer lease = pool.acquire(pool.settings().maxSize() + 1);
        Slot slot = Peek.slot(lease);
        slot.endUnused(lease.buffer());
        return slot;
    }

    @Test
    void tickRevokesOversizeSlotThatNoThreadOwns() {
        oversizeSlotOutside();
        Eventually.holds("nothing stays leased", () -> pool.stats().leasedBytes() == 0);
    }

    /** Between two steps of an acquire or a release a slot looks the same. One look of the tick must not take it. */
    @Test
    void tickRevokesOversizeSlotOnlyWhenUnchangedForOneSecond() {
        TrimTime time = new TrimTime(pool);
        Slot slot = oversizeSlotOutside();
        time.seconds(1);
        assertNotNull(Peek.view(slot));
        time.seconds(1);
        assertNull(Peek.view(slot));
        assertEquals(0, pool.stats().reservedBytes());
    }
}

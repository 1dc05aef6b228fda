// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.monitor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.buffers.PoolStats;
import dev.buffers.internal.cache.Magazine;
import dev.buffers.internal.cache.ThreadCaches;
import dev.buffers.internal.memory.Budget;
import dev.buffers.internal.memory.RegionAllocator;
import dev.buffers.internal.slab.SizeClasses;
import dev.buffers.internal.slab.Slab;
import dev.buffers.internal.slab.SlabStore;
import dev.buffers.internal.slab.Slot;
import dev.buffers.support.BareOwner;
import dev.buffers.support.Linked;
import dev.buffers.support.Peek;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StatisticsTest {
    private static final long MAX = 1 << 20;

    private final BareOwner owner = new BareOwner();
    private final SizeClasses classes = new SizeClasses(256);
    private final RegionAllocator regions =
            new RegionAllocator(owner, owner.settings().policy(), new Budget(MAX));
    private final SlabStore slabs = new SlabStore(classes.count(), regions, 0);
    private final ThreadCaches magazines = new ThreadCaches(owner, classes, 1 << 16, 1 << 16);

    @AfterEach
    void free() {
        owner.close();
    }

    private PoolStats stats() {
        return new Statistics(owner.counters, classes, magazines).stats(slabs.figures(), MAX, 3);
    }

    /** A slab of that many slots of a class, of which {@code taken} are out. */
    private Slot[] slab(int sizeClass, int slots, int taken) {
        int size = classes.sizeOf(sizeClass);
        Slab slab = new Slab(owner, Objects.requireNonNull(regions.allocate(size, slots)), sizeClass, size);
        if (taken > 0) {
            return Linked.added(slabs, slab, taken);
        }
        slabs.giveBack(slabs.addAndTake(slab));
        return new Slot[0];
    }

    /** Size, leased, cached, slabs, hits and misses of the only class. */
    private static void assertClass(PoolStats stats, long... figures) {
        PoolStats.SizeClass only = stats.sizeClasses().get(0);
        assertEquals(1, stats.sizeClasses().size());
        assertArrayEquals(
                figures,
                new long[] {only.size(), only.leased(), only.cached(), only.slabs(), only.hits(), only.misses()});
    }

    @Test
    void figuresCannotBeChanged() {
        slab(0, 2, 0);
        PoolStats stats = stats();
        assertThrows(
                UnsupportedOperationException.class, () -> stats.sizeClasses().clear());
        assertThrows(
                UnsupportedOperationException.class,
                () -> stats.acquiresByOutcome().clear());
        assertThrows(
                UnsupportedOperationException.class,
                () -> stats.releasesByOutcome().clear());
    }

    /** An acquire of another thread may be seen before its slot, or after its release: no figure is impossible for that. */
    @Test
    void leasedSlotsAreNeverNegativeOrMoreThanSlots() {
        slab(0, 2, 0);
        Peek.prepare(magazines, 0);
        Magazine own = owner.current(0);
        own.hits = 5;
        assertClass(stats(), 128, 2, 0, 1, 5, 0);
        own.releases = 6;
        assertClass(stats(), 128, 0, 2, 1, 5, 0);
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.buffers.PoolStats;
import dev.buffers.internal.guard.Block.Place;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BlockFiguresTest {
    private final GuardParts parts = new GuardParts("heap-view", 64 << 10);
    private final BlockFigures figures = new BlockFigures(parts.classes);

    private Block block(int size, Place place) {
        Block block = new Block(parts.classes.classOf(size), size);
        block.place = place;
        figures.count(block, 1);
        return block;
    }

    private PoolStats stats() {
        return figures.stats(64 << 10, parts.counters, 0, Map.of(), Map.of());
    }

    @Test
    void reservedBlocksAreLeasedAsideOrFree() {
        block(1024, Place.LEASED);
        block(2048, Place.ASIDE);
        block(4096, Place.FREE);
        block(8192, Place.DROPPED);
        block(16384, Place.GONE);
        PoolStats stats = stats();
        assertEquals(3, figures.reserved());
        assertEquals(1024 + 2048 + 4096, stats.reservedBytes());
        assertEquals(1024, stats.leasedBytes());
        assertEquals(2048 + 4096, stats.cachedBytes());
        assertEquals(8192, stats.droppedBytes());
        assertEquals(1, stats.leases());
        assertEquals(3, stats.sizeClasses().size());
    }

    @Test
    void lentPartCountsAsLeasedAndTheRestAsUncarved() {
        Block block = new Block(parts.classes.classOf(4096), 4096);
        block.place = Place.LEASED;
        block.lentRow = parts.classes.classOf(1024);
        block.capacity = 1024;
        figures.count(block, 1);
        assertEquals(1024, stats().leasedBytes());
        assertEquals(4096 - 1024, stats().uncarvedBytes());
        assertEquals(1024, stats().sizeClasses().get(0).size());
    }

    @Test
    void countedOutLeavesNothing() {
        figures.count(block(1024, Place.LEASED), -1);
        figures.count(block(2048, Place.FREE), -1);
        PoolStats stats = stats();
        assertEquals(0, stats.reservedBytes() + stats.leasedBytes() + stats.cachedBytes() + stats.leases());
        assertEquals(0, stats.sizeClasses().size());
    }

    /** As memory beyond the cap has. */
    @Test
    void blockWithoutBytesCountsAsLeaseAlone() {
        Block block = new Block(parts.classes.count(), 0);
        block.capacity = 1000;
        block.place = Place.LEASED;
        figures.count(block, 1);
        assertEquals(1, stats().leases());
        assertEquals(0, stats().reservedBytes() + stats().leasedBytes());
        assertEquals(0, figures.blocks(Place.LEASED));
    }
}

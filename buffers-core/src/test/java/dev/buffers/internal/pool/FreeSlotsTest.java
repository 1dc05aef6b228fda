// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.PoolStats;
import dev.buffers.internal.memory.Region;
import dev.buffers.internal.slab.Slot;
import dev.buffers.support.Explicit;
import dev.buffers.support.Linked;
import dev.buffers.support.Peek;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which region a class grows by. */
class FreeSlotsTest {
    private PoolParts parts = new PoolParts("heap-view", 1 << 20);
    private final Slot[] some = new Slot[2000];

    /** How many slots it found, which are in {@code some}; negative if a slab was cut for them. */
    private int grow(int size, int most) {
        int sizeClass = parts.classes.classOf(size);
        Slot first = parts.slabs.take(sizeClass, most);
        if (first == null) {
            first = parts.free.find(sizeClass, parts.threads.own(), true);
            if (first != null) {
                first.next = parts.slabs.take(sizeClass, most - 1);
            }
        }
        boolean cut = first != null && first.slab.countCut();
        Slot[] found = Linked.array(first);
        System.arraycopy(found, 0, some, 0, found.length);
        return cut ? -found.length : found.length;
    }

    @Test
    void growthDoublesMemoryOfClass() {
        assertEquals(-512, grow(128, 512), "64 KiB, cut for it");
        assertEquals(64 << 10, parts.regions.reservedBytesPlain());
        assertEquals(-512, grow(128, 512));
        assertEquals(-1024, grow(128, 2000), "as much again");
        assertEquals(256 << 10, parts.regions.reservedBytesPlain());
    }

    /** With an exact policy, memory of one size becomes room for another one only through a collection. */
    @Test
    void unusedRegionsAreDroppedOnlyIfTheySuffice() {
        parts = new PoolParts("heap", 128 << 10);
        assertEquals(-1, grow(64 << 10, 1));
        Slot first = some[0];
        assertEquals(-1, grow(64 << 10, 1), "the rest of the cap");
        Slot second = some[0];
        parts.giveBack(first);
        assertEquals(0, grow(128 << 10, 1));
        assertEquals(0, parts.regions.droppedBytes());
        parts.giveBack(second);
        assertEquals(0, grow(128 << 10, 1));
        assertEquals(128 << 10, parts.regions.droppedBytes());
    }

    /** The collector has taken the memory, and no tick has credited it yet. */
    @ParameterizedTest
    @ValueSource(ints = {1024, 64 << 10})
    void memoryTheCollectorHasTakenIsRoom(int size) {
        parts = new PoolParts("heap-view", 64 << 10);
        grow(128, 1);
        Region region = some[0].slab.region;
        region.isReusable = false;
        parts.giveBack(some[0]);
        parts.slabs.dropUnused(true);
        assertEquals(0, grow(size, 1));
        region.footprint(0).clear(); // as the collector does
        System.gc(); // without one nothing is looked for
        assertEquals(-1, grow(size, 1));
    }

    @Test
    void oversizeSlotFindsMemoryTheCollectorHasTaken() {
        Slot alone = parts.free.alone(1 << 20);
        Region region = alone.slab.region;
        region.isReusable = false;
        parts.giveBack(alone);
        assertNull(parts.free.alone(1 << 20));
        region.footprint(0).clear(); // as the collector does
        System.gc(); // without one nothing is looked for
        assertNotNull(parts.free.alone(1 << 20));
    }

    /** Another size cannot use them, but the same size finds them again, each by itself. */
    @Test
    void exactPolicyAdoptsDroppedSlotsOfItsSize() {
        parts = new PoolParts("heap", 64 << 10);
        grow(512, 128);
        byte[] kept = Peek.view(some[5]).array();
        parts.giveBack(Arrays.copyOf(some, 128));
        parts.slabs.dropUnused(true);
        assertEquals(64 << 10, parts.regions.droppedBytes());
        int found = grow(512, 128);
        assertTrue(found < 0, "at the cap there is no other memory");
        assertTrue(
                Arrays.stream(some, 0, -found).anyMatch(slot -> Peek.view(slot).array() == kept));
    }

    /** Of slots of 1280 bytes the region would be 256 bytes smaller. */
    @Test
    void regionOfSmallPoolServesLargerClass() {
        parts = new PoolParts("direct-view", 1 << 20);
        grow(1280, 1);
        assertEquals(64 << 10, parts.regions.reservedBytesPlain());
        parts.giveBack(some[0]);
        grow(64 << 10, 1);
        assertEquals(64 << 10, parts.regions.reservedBytesPlain());
        parts = new PoolParts("direct-view", 64 << 20);
        grow(1280, 1);
        assertEquals((64 << 10) - 256, parts.regions.reservedBytesPlain());
    }

    @Test
    void preallocatedRegionsAreCutForLargestClassThatFits() {
        parts = new PoolParts(new Explicit()
                .policy("heap-view")
                .max(1 << 20)
                .regionSize(256 << 10)
                .maxSize(128 << 10)
                .preallocate((600 << 10) + 100));
        parts.cutting.preallocate();
        PoolStats stats = parts.owner.stats();
        assertEquals(3, stats.regions());
        assertEquals((512 << 10) + (80 << 10), stats.cachedBytes());
        assertEquals(8 << 10, stats.uncarvedBytes());
        Slot slot = parts.carve(1024);
        assertEquals(256 << 10, slot.slab.region.bytes(), "cut anew");
        assertEquals(600 << 10, parts.owner.stats().reservedBytes());
    }

    /** Else G1 needs one more of its regions for each, half as much again. */
    @ParameterizedTest
    @CsvSource({"heap-view, 16", "direct-view, 0"})
    void preallocatedArrayLeavesRoomForItsHeader(String policy, int room) {
        parts = new PoolParts(new Explicit()
                .policy(policy)
                .max(4 << 20)
                .regionSize(1 << 20)
                .maxSize(64 << 10)
                .preallocate(2 << 20));
        parts.cutting.preallocate();
        assertEquals((2 << 20) - 2 * room, parts.owner.stats().reservedBytes());
    }
}

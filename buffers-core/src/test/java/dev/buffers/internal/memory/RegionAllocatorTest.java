// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPolicy;
import dev.buffers.internal.slab.SizeClasses;
import dev.buffers.support.BareOwner;
import dev.buffers.support.Kind;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** R1 to R7 of {@link RegionAllocator}: what it charges, and what it gives out again. */
class RegionAllocatorTest {
    private static final int MAX = 10_000;

    @AutoClose
    private final BareOwner owner = new BareOwner();

    private final Budget budget = new Budget(MAX);
    private RegionAllocator regions = allocator(owner.settings().policy());

    private RegionAllocator allocator(BufferPolicy policy) {
        return new RegionAllocator(owner, policy, budget);
    }

    private Region allocate(int bytes) {
        return Objects.requireNonNull(regions.allocate(bytes, 1), regions::refusal);
    }

    private void figures(long reserved, long dropped) {
        assertEquals(reserved, regions.reservedBytesPlain());
        assertEquals(dropped, regions.droppedBytes());
        assertEquals(MAX - reserved - dropped, regions.budget.room());
    }

    @Test
    void marginIsOutsideTheCharge() {
        regions = new RegionAllocator(owner, BuiltInPolicy.HEAP, budget, false, 128);
        Region region = allocate(MAX);
        figures(MAX, 0);
        assertEquals(MAX, region.bytes());
        assertEquals(MAX + 128, region.handOut().capacity());
        regions.drop(region);
        figures(0, MAX);
    }

    private Region growBy(int bytes) {
        return Objects.requireNonNull(regions.allocateOrLarge(bytes, 0), regions::refusal);
    }

    /** A cap of 600 KiB, of which 256 KiB are for the largest class. */
    private void roomy() {
        regions = new RegionAllocator(owner, BuiltInPolicy.HEAP_VIEW, new Budget(600 << 10));
    }

    @Test
    void largeRegionThatIsNotUsedAgainIsReplaced() {
        roomy();
        Region large = growBy(256 << 10);
        large.isReusable = false;
        regions.drop(large);
        assertEquals(256 << 10, growBy(100 << 10).bytes());
    }

    @Test
    void largeRegionIsReplacedOnceCollected() {
        roomy();
        Region large = growBy(256 << 10);
        Footprint footprint = large.footprint(0);
        regions.drop(large);
        assertEquals(100 << 10, growBy(100 << 10).bytes(), "it can be adopted");
        assertTrue(regions.budget.end(footprint));
        assertEquals(200 << 10, growBy(200 << 10).bytes());
        assertEquals(256 << 10, growBy(100 << 10).bytes());
    }

    @Test
    void smallRegionIsAllocatedWhenTheJvmHasNoRoomForLargeOne() {
        BufferPolicy noLarge = Kind.own(bytes -> {
            if (bytes > 100 << 10) {
                throw new OutOfMemoryError("of the test");
            }
            return ByteBuffer.allocate(bytes);
        });
        regions = new RegionAllocator(owner, noLarge, new Budget(600 << 10));
        for (int i = 0; i < 6; i++) {
            assertEquals(100 << 10, growBy(100 << 10).bytes());
        }
        assertEquals(600 << 10, regions.reservedBytesPlain());
    }

    @Test
    void capBelowLargestClassKeepsHalfForLargeRegion() {
        assertEquals(3000, growBy(3000).bytes());
        assertEquals(MAX / 2, growBy(3000).bytes());
        assertEquals(2000, growBy(2000).bytes());
    }

    @Test
    void droppedRegionHasNoSlotsAndIsDroppedOnce() {
        Region region = allocate(1024);
        region.forget();
        assertThrows(IllegalStateException.class, () -> region.slot(0, 1024));
        assertThrows(IllegalStateException.class, region::forget);
    }

    @Test
    void regionOfOneSlotMayWasteOneFifth() {
        assertEquals(1250, Region.mostAlone(1000));
        assertEquals(Integer.MAX_VALUE, Region.mostAlone(Integer.MAX_VALUE));
    }

    @Test
    void regionIsChargedUntilItsMemoryIsGone() {
        Region region = allocate(4000);
        figures(4000, 0);
        regions.drop(region);
        figures(0, 4000);
        assertEquals(4000, budget.collectable());
        assertNull(regions.allocate(6001, 1), "the dropped one is still charged");
        assertEquals("the cap is reached", regions.refusal());
        region.footprint(0).clear(); // as the collector does
        assertEquals(0, budget.gone());
        assertEquals(4000, budget.creditTaken());
        assertEquals(1, budget.gone());
        assertEquals(0, budget.collectable());
        figures(0, 0);
        assertNotNull(regions.allocate(10_000, 1));
    }

    @Test
    void partsOfDroppedRegionAreAdoptedBySize() {
        regions = allocator(BuiltInPolicy.HEAP);
        byte[] first = Objects.requireNonNull(dropped(100, 5)).array();
        assertNull(regions.adoptParts(99, 9, 0));
        assertNull(regions.adoptParts(101, 9, 0));
        Region some = Objects.requireNonNull(regions.adoptParts(100, 2, 0));
        assertEquals(2, some.slots(100));
        assertSame(first, some.slot(0, 100).array());
        figures(200, 300);
        Region one = Objects.requireNonNull(regions.adopt(80, 120), "a part is adopted like a region");
        assertEquals(100, one.bytes());
        assertEquals(2, Objects.requireNonNull(regions.adoptParts(100, 9, 0)).slots(100), "fewer than asked for");
        assertNull(regions.adoptParts(100, 1, 0));
        figures(500, 0);
        assertEquals(0, budget.collectable());
    }

    /** Drops a region of so many parts; returns the first part, which keeps only itself. */
    private ByteBuffer dropped(int bytes, int count) {
        Region region = Objects.requireNonNull(regions.allocate(bytes, count));
        kept = new ByteBuffer[count];
        for (int i = 0; i < count; i++) {
            kept[i] = region.slot(i, bytes);
        }
        regions.drop(region);
        return kept[0];
    }

    /** No collection of another test takes these. */
    private ByteBuffer[] kept = {};

    /** To look for a part of one size, past 20,000 of another size, took half a second. */
    @Test
    void eachSizeClassHasItsRow() {
        SizeClasses classes = new SizeClasses(1 << 30);
        int last = AdoptableParts.rowOf(0);
        for (int c = 0; c < classes.count(); c++) {
            int row = AdoptableParts.rowOf(classes.sizeOf(c));
            assertTrue(row > last, "size=" + classes.sizeOf(c));
            last = row;
        }
        assertTrue(AdoptableParts.rowOf(Integer.MAX_VALUE) >= last);
        assertEquals(SizeClasses.TLS_RECORD, AdoptableParts.BETWEEN_STEPS);
    }

    @Test
    void refusalTellsHowMuchOtherPoolsHold() {
        RegionAllocator other = new RegionAllocator(owner, BuiltInPolicy.HEAP_VIEW, budget);
        assertNotNull(other.allocate(MAX - 100, 1));
        assertNotNull(regions.allocate(100, 1));
        assertNull(regions.allocate(1, 1));
        assertEquals("the cap is reached; other pools hold " + (MAX - 100) + " of it", regions.refusal());
    }

    @Test
    void droppedRegionIsAdoptedOnce() {
        Region first = allocate(4000);
        ByteBuffer view = first.slot(0, 4000);
        regions.drop(first);
        assertNull(regions.adopt(4001, 9000));
        assertNull(regions.adopt(1, 3999));
        Region again = regions.adopt(4000, 4000);
        assertNotNull(again);
        figures(4000, 0);
        assertNull(regions.adopt(1, 9000));
        regions.drop(again);
        assertNotNull(regions.adopt(1, 9000), "dropped again");
        assertEquals(4000, view.capacity()); // kept until here
    }

    @Test
    void smallestRegionThatFitsIsAdopted() {
        ByteBuffer[] views = new ByteBuffer[4];
        int[] sizes = {1100, 1030, 1200, 1040};
        for (int i = 0; i < 4; i++) {
            Region region = allocate(sizes[i]);
            views[i] = region.slot(0, sizes[i]);
            regions.drop(region);
        }
        assertEquals(1040, Objects.requireNonNull(regions.adopt(1035, 9000)).bytes());
        assertEquals(1100, Objects.requireNonNull(regions.adopt(1035, 9000)).bytes());
        assertEquals(1030, Objects.requireNonNull(regions.adopt(1, 9000)).bytes());
        assertEquals(1200, views[2].capacity());
    }

    /** The pool's own record of it was lost for want of heap (R4). */
    @Test
    void regionThatIsGoneWithoutBeingDroppedIsCredited() {
        Region region = allocate(4000);
        region.footprint(0).clear();
        assertEquals(4000, budget.creditInTurn(System.nanoTime()));
        figures(0, 0);
    }

    /** So a closed pool is looked after until its figures are 0. */
    @Test
    void memoryInTheMakingAndDroppedMemoryIsNotNothing() {
        assertTrue(regions.isEmpty());
        assertTrue(regions.charge(4000, 0));
        assertFalse(regions.isEmpty());
        Region region = Objects.requireNonNull(regions.allocateCharged(4000, 1));
        regions.drop(region);
        assertFalse(regions.isEmpty());
        region.footprint(0).clear();
        assertEquals(4000, budget.creditAll());
        assertTrue(regions.isEmpty());
    }

    // ---------------------------------------------------------------- R5

    @Test
    void partThatFitsIsLeftForWaiter() {
        Region small = allocate(1000);
        Region large = allocate(4000);
        ByteBuffer[] memory = {small.slot(0, 1000), large.slot(0, 4000)};
        regions.drop(small);
        regions.drop(large);
        assertNotNull(regions.adopt(1000, 4000, 2000));
        assertNull(regions.adopt(1000, 4000, 2000), "it can be cut for the waiter");
        assertNotNull(regions.adopt(2000, 4000, 0));
        Reference.reachabilityFence(memory);
    }
}

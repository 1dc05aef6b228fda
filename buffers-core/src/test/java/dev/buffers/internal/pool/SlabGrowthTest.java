package dev.buffers.internal.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.AcquireOutcome;
import dev.buffers.PoolExhaustedException;
import dev.buffers.internal.memory.Region;
import dev.buffers.internal.slab.SizeClasses;
import dev.buffers.internal.slab.Slot;
import dev.buffers.support.Explicit;
import dev.buffers.support.Linked;
import org.junit.jupiter.api.Test;

/** Which region a class grows by. */
class SlabGrowthTest {
    private PoolParts parts = new PoolParts("heap-view", 1 << 20);
    private final Slot[] some = new Slot[2000];

    /** How many slots it found, which are in {@code some}; negative if a slab was cut for them. */
    private int grow(int size, int most) {
        Slot first = parts.growth.grow(parts.classes.classOf(size), most);
        boolean cut = first != null && parts.slabs.countCut(first.slab);
        Slot[] found = Linked.array(first);
        System.arraycopy(found, 0, some, 0, found.length);
        return cut ? -found.length : found.length;
    }

    @Test
    void aClassGrowsByAsMuchAsItHas() {
        assertEquals(-512, grow(128, 512), "64 KiB, cut for it");
        assertEquals(64 << 10, parts.regions.reservedBytes());
        assertEquals(-512, grow(128, 512));
        assertEquals(-1024, grow(128, 2000), "as much again");
        assertEquals(256 << 10, parts.regions.reservedBytes());
    }

    @Test
    void aLargeSlotBringsFewOthers() {
        grow(16 << 10, 1);
        assertEquals(64 << 10, parts.regions.reservedBytes());
        parts = new PoolParts("heap-view", 1 << 20);
        grow(128 << 10, 1);
        assertEquals(128 << 10, parts.regions.reservedBytes());
    }

    @Test
    void whatAnotherThreadHasCutMeanwhileIsTaken() {
        grow(128, 1);
        assertEquals(3, grow(128, 3), "positive: nothing was cut");
        assertEquals(64 << 10, parts.regions.reservedBytes());
    }

    @Test
    void anUnusedRegionIsCutAnewBeforeThePoolGrows() {
        grow(128, 1);
        Region region = some[0].slab.region;
        parts.giveBack(some[0]);
        assertTrue(grow(1024, 1) < 0);
        assertSame(region.footprint, some[0].slab.region.footprint);
        assertEquals(64 << 10, parts.regions.reservedBytes());
    }

    @Test
    void aDroppedRegionIsAdoptedBeforeANewOneIsAllocated() {
        grow(128, 1);
        Region.Footprint footprint = some[0].slab.region.footprint;
        parts.giveBack(some[0]);
        parts.slabs.dropUnused(0);
        grow(1024, 1);
        assertSame(footprint, some[0].slab.region.footprint);
        assertEquals(0, parts.regions.droppedBytes());
    }

    @Test
    void atTheCapWhatThisThreadCachesIsReclaimedFirst() {
        parts = new PoolParts("heap-view", 64 << 10);
        grow(128, 512);
        parts.own().put(some[7]);
        Slot cached = some[7];
        assertEquals(1, grow(128, 1));
        assertSame(cached, some[0]);
        assertEquals(0, grow(128, 1));
        assertEquals(0, grow(1024, 1));
    }

    @Test
    void theExactPoliciesHaveOneRegionForEachSlot() {
        parts = new PoolParts("heap", 1000);
        assertEquals(-1, grow(512, 9));
        assertEquals(512, parts.regions.reservedBytes());
        assertEquals(0, grow(512, 1));
        assertEquals(-1, grow(256, 1));
    }

    @Test
    void oneSlotAlone() {
        int size = parts.classes.maxSize() + 1;
        Slot slot = parts.growth.alone(size);
        assertNotNull(slot);
        assertEquals(SizeClasses.OVERSIZE, slot.sizeClass());
        assertEquals(size, parts.regions.reservedBytes());
        assertEquals(1, parts.acquires(AcquireOutcome.OVERSIZE));
        assertNull(parts.growth.alone(1 << 20));
        parts.giveBack(slot);
        assertEquals(0, parts.regions.reservedBytes(), "its slab ends with it");
    }

    @Test
    void plainMemoryIsChargedAsItIsAskedFor() {
        assertNotNull(parts.growth.unpooled(100, Region.Charge.WHILE_LEASED));
        assertNotNull(parts.growth.unpooled(2 << 20, Region.Charge.NONE));
        assertEquals(100, parts.regions.reservedBytes());
        assertEquals(2, parts.acquires(AcquireOutcome.UNPOOLED));
    }

    @Test
    void roomThatWasLookedForCanBeFoundByAnybody() {
        parts = new PoolParts("heap-view", 64 << 10);
        assertTrue(parts.growth.hasRoom(128, 0));
        assertEquals(1, grow(128, 1), "the slab was cut for nobody's acquire");
        assertEquals(511, Linked.list(parts.slabs.take(0, 1000)).size());
        assertFalse(parts.growth.hasRoom(128, 0));
        assertFalse(parts.growth.hasRoom(1, SizeClasses.OVERSIZE));
        parts = new PoolParts("heap-view", 64 << 10);
        assertTrue(parts.growth.hasRoom(50_000, SizeClasses.OVERSIZE));
        assertNotNull(parts.slabs.takeUnused(50_000, true));
    }

    @Test
    void whatIsPreallocatedIsUncut() {
        parts = new PoolParts(new Explicit()
                .policy("heap-view")
                .max(1 << 20)
                .regionSize(256 << 10)
                .preallocate(600 << 10));
        parts.growth.preallocate();
        assertEquals(600 << 10, parts.owner.stats().uncarvedBytes());
        assertEquals(3, parts.owner.stats().regions());
    }

    @Test
    void whatCannotBePreallocatedIsAnError() {
        parts = new PoolParts(new Explicit().policy("heap-view").max(1 << 20).preallocate(1 << 20));
        parts.budget.tryCharge(1);
        assertThrows(PoolExhaustedException.class, () -> parts.growth.preallocate());
    }
}

package dev.buffers.internal.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.BareOwner;
import dev.buffers.support.Kind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** R1 to R4 of {@link RegionAllocator}: what it charges, and what it gives out again. */
class RegionAllocatorTest {
    private static final int MAX = 10_000;

    private final BareOwner owner = new BareOwner();
    private final Budget budget = new Budget(MAX);
    private RegionAllocator regions =
            new RegionAllocator(owner, owner.settings().policy(), budget);

    @AfterEach
    void free() {
        owner.close();
    }

    private Region allocate(int bytes) {
        return Objects.requireNonNull(regions.allocate(bytes), regions::refusal);
    }

    private void figures(long reserved, long dropped) {
        assertEquals(reserved, regions.reservedBytes());
        assertEquals(dropped, regions.droppedBytes());
        assertEquals(MAX - reserved - dropped, regions.room());
    }

    @Test
    void aRegionIsChargedUntilItsMemoryIsGone() {
        Region region = allocate(4000);
        figures(4000, 0);
        regions.drop(region, true);
        figures(0, 4000);
        assertNull(regions.allocate(6001), "the dropped one is charged still");
        assertEquals("the cap is reached", regions.refusal());
        region.footprint.enqueue(); // as the collector does
        assertEquals(4000, regions.collect());
        figures(0, 0);
        assertNotNull(regions.allocate(10_000));
    }

    @Test
    void aDroppedRegionIsAdoptedOnce() {
        regions.drop(allocate(4000), true);
        assertNull(regions.adopt(4001, 9000));
        assertNull(regions.adopt(1, 3999));
        Region again = regions.adopt(4000, 4000);
        assertNotNull(again);
        figures(4000, 0);
        assertNull(regions.adopt(1, 9000));
        regions.drop(again, true);
        assertNotNull(regions.adopt(1, 9000), "dropped again");
    }

    @Test
    void theSmallestThatFitsIsAdopted() {
        for (int bytes : new int[] {1100, 1030, 1200, 1040}) {
            regions.drop(allocate(bytes), true);
        }
        List<Integer> sizes = new ArrayList<>();
        regions.eachAdoptable(sizes::add);
        assertEquals(4, sizes.size());
        assertEquals(1040, Objects.requireNonNull(regions.adopt(1035, 9000)).bytes);
        assertEquals(1100, Objects.requireNonNull(regions.adopt(1035, 9000)).bytes);
        assertEquals(1030, Objects.requireNonNull(regions.adopt(1, 9000)).bytes);
    }

    @Test
    void whatMayStillBeWrittenToIsNotAdopted() {
        regions.drop(allocate(4000), false);
        assertNull(regions.adopt(1, 9000));
        figures(0, 4000);
    }

    /** The pool's own record of it was lost for want of heap (R4). */
    @Test
    void aRegionThatIsGoneWithoutHavingBeenDroppedIsCreditedToo() {
        Region region = allocate(4000);
        region.footprint.enqueue();
        assertTrue(regions.makeRoom(MAX));
        figures(0, 0);
    }

    @Test
    void plainMemoryIsChargedWhileItIsLeasedOrNever() {
        Region leased = Objects.requireNonNull(regions.allocatePlain(3000, Region.Charge.WHILE_LEASED));
        Region free = Objects.requireNonNull(regions.allocatePlain(20_000, Region.Charge.NONE));
        figures(3000, 0);
        assertNull(regions.allocatePlain(7001, Region.Charge.WHILE_LEASED));
        regions.drop(free, true);
        figures(3000, 0);
        regions.drop(leased, true);
        figures(0, 0);
    }

    @Test
    void aPolicyThatFailsLeavesNoCharge() {
        OutOfMemoryError none = new OutOfMemoryError("none today");
        regions = new RegionAllocator(
                owner,
                Kind.own(bytes -> {
                    throw none;
                }),
                budget);
        assertNull(regions.allocate(100));
        assertEquals("the JVM is out of memory: none today", regions.refusal());
        regions = new RegionAllocator(
                owner,
                Kind.own(bytes -> {
                    throw new IllegalCallerException();
                }),
                budget);
        assertThrows(IllegalCallerException.class, () -> regions.allocate(100));
        figures(0, 0);
    }

    private void refuses(String fault, IntFunction<ByteBuffer> memory) {
        regions = new RegionAllocator(owner, Kind.own(memory), budget);
        String message = assertThrows(IllegalStateException.class, () -> regions.allocate(128))
                .getMessage();
        assertEquals("policy " + fault + ": policy=own, bytes asked for=128", message);
        figures(0, 0);
    }

    @Test
    void memoryThatCannotBeUsedIsRefused() {
        refuses("returned null", bytes -> null);
        refuses(
                "returned a read-only buffer",
                bytes -> ByteBuffer.allocate(bytes).asReadOnlyBuffer());
        refuses("returned a direct buffer but says direct=false", ByteBuffer::allocateDirect);
        refuses("returned a buffer of another size: capacity=129", bytes -> ByteBuffer.allocate(bytes + 1));
        refuses(
                "returned a slice of a larger array: arrayOffset=1, array.length=200",
                bytes -> ByteBuffer.allocate(200).slice(1, bytes));
        refuses(
                "returned a buffer in use: position=3, limit=128",
                bytes -> ByteBuffer.allocate(bytes).position(3));
        refuses(
                "returned a buffer in use: position=0, limit=5",
                bytes -> ByteBuffer.allocate(bytes).limit(5));
    }

    @Test
    void memoryOfAPolicyIsWhatItReturned() {
        ByteBuffer[] returned = new ByteBuffer[1];
        regions = new RegionAllocator(owner, Kind.own(bytes -> returned[0] = ByteBuffer.allocate(bytes)), budget);
        Region region = allocate(128);
        assertSame(returned[0].array(), region.view(0, 128).array());
    }

    @Test
    void nothingIsDyingOrClosingWithoutArenas() {
        regions.drop(allocate(4000), true);
        assertFalse(regions.isAnyUnreachable());
        assertFalse(regions.isClosing());
        assertFalse(regions.closeArenas(Long.MAX_VALUE));
        assertFalse(regions.closeOneArena());
        assertFalse(regions.makeRoom(MAX), "the collector has not taken it");
    }
}

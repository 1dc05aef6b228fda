package dev.buffers.internal.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Eventually;
import java.lang.ref.ReferenceQueue;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RegionTest {
    private final ReferenceQueue<Object> collected = new ReferenceQueue<>();

    private Region region(ByteBuffer memory) {
        return new Region(memory, null, collected, null);
    }

    private static ByteBuffer memory(boolean direct) {
        return direct ? ByteBuffer.allocateDirect(1024) : ByteBuffer.allocate(1024);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aViewIsItsPartOfTheMemoryAndNoMore(boolean direct) {
        ByteBuffer memory = memory(direct);
        Region region = region(memory);
        ByteBuffer view = region.view(128, 256);
        assertEquals(256, view.capacity());
        assertEquals(direct, view.isDirect());
        view.put(0, (byte) 1).put(255, (byte) 2);
        assertEquals(1, memory.get(128));
        assertEquals(2, memory.get(383));
    }

    /** What the exact policies promise: the array is the buffer's alone. */
    @Test
    void theWholeOfAHeapRegionBeginsAtOffsetZero() {
        ByteBuffer memory = memory(false);
        ByteBuffer whole = region(memory).view(0, 1024);
        assertEquals(0, whole.arrayOffset());
        assertSame(memory.array(), whole.array());
    }

    @Test
    void whatIsDroppedHasNoViewsAndIsDroppedOnce() {
        Region region = region(memory(false));
        region.forget();
        assertEquals(
                "region was dropped: bytes=1024",
                assertThrows(IllegalStateException.class, () -> region.view(0, 1))
                        .getMessage());
        assertEquals(
                "region was dropped twice: bytes=1024",
                assertThrows(IllegalStateException.class, region::forget).getMessage());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatTheCollectorHasNotTakenIsAdoptedWithItsMemory(boolean direct) {
        ByteBuffer memory = memory(direct);
        Region region = region(memory);
        Region.Footprint footprint = region.footprint;
        memory.put(0, (byte) 9);
        region.forget();
        Region again = footprint.adopt();
        assertNotNull(again);
        assertSame(footprint, again.footprint);
        assertEquals(9, again.view(0, 1).get(0));
    }

    /** Only views keep the memory: neither the footprint nor a region that has forgotten it does. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theFootprintReportsThatTheMemoryIsGone(boolean direct) {
        Region region = region(memory(direct));
        Region.Footprint footprint = region.footprint;
        ByteBuffer[] view = {region.view(0, 8)};
        region.forget();
        System.gc();
        assertFalse(footprint.isUnreachable(), "a view is in use");
        view[0] = null;
        Eventually.collected("the memory is gone", () -> collected.poll() == footprint);
        assertTrue(footprint.isUnreachable());
        assertNull(footprint.adopt());
    }

    @Test
    void plainMemoryHasNoFootprint() {
        Region plain = new Region(memory(false), Region.Charge.WHILE_LEASED);
        assertNull(plain.footprint);
        assertEquals(Region.Charge.UNTIL_GONE, region(memory(false)).charge);
    }

    @Test
    void oneSlotAloneMayWasteAFifth() {
        assertEquals(1250, Region.mostAlone(1000));
        assertEquals(Integer.MAX_VALUE, Region.mostAlone(Integer.MAX_VALUE));
        Region region = region(memory(false));
        assertTrue(region.fits(1024, true));
        assertTrue(region.fits(1000, false));
        assertFalse(region.fits(1000, true));
        assertFalse(region.fits(1025, false));
    }

    @Test
    void itIsUncutSinceItWasFirstLookedAt() {
        Region region = region(memory(false));
        assertEquals(0, region.uncutFor(5));
        assertEquals(95, region.uncutFor(100));
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
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

    private Region region(ByteBuffer... parts) {
        Region region = new Region(parts.length);
        for (ByteBuffer part : parts) {
            region.add(part, new Footprint(part, part.capacity(), null, collected, null));
        }
        return region;
    }

    private static ByteBuffer memory(boolean direct) {
        return direct ? ByteBuffer.allocateDirect(1024) : ByteBuffer.allocate(1024);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void slotIsItsPartOfMemoryAndNoMore(boolean direct) {
        ByteBuffer memory = memory(direct);
        Region region = region(memory);
        assertEquals(4, region.slots(256));
        ByteBuffer view = region.slot(1, 256);
        assertEquals(256, view.capacity());
        assertEquals(direct, view.isDirect());
        view.put(0, (byte) 1).put(255, (byte) 2);
        assertEquals(1, memory.get(256));
        assertEquals(2, memory.get(511));
    }

    /** The exact policies promise that the array belongs to one buffer. */
    @Test
    void slotOfWholePartHasArrayToItself() {
        ByteBuffer one = ByteBuffer.allocate(128);
        ByteBuffer other = ByteBuffer.allocate(128);
        Region region = region(one, other);
        assertEquals(2, region.slots(128));
        assertEquals(256, region.bytes());
        assertSame(one.array(), region.slot(0, 128).array());
        assertSame(other.array(), region.slot(1, 128).array());
        assertEquals(0, region.slot(1, 128).arrayOffset());
        assertNotSame(other, region.slot(1, 128), "a view of the pool's own");
    }

    @Test
    void eachPartHasFootprint() {
        Region region = new Region(3);
        assertEquals(0, region.footprints());
        ByteBuffer part = ByteBuffer.allocate(128);
        region.add(part, new Footprint(part, part.capacity(), null, collected, null));
        assertEquals(1, region.footprints());
        assertEquals(128, region.footprint(0).bytes);
        assertEquals(128, region.bytes());
        assertFalse(region.hasAllParts());
    }

    @Test
    void regionOfSeveralPartsFitsNoOtherSize() {
        assertFalse(region(ByteBuffer.allocate(128), ByteBuffer.allocate(128)).fits(128));
        assertTrue(region(memory(false)).fits(1024));
        assertTrue(region(memory(false)).fits(1000));
        assertFalse(region(memory(false)).fits(1025));
    }

    @Test
    void droppedRegionHasNoSlotsAndIsDroppedOnce() {
        Region region = region(memory(false));
        region.forget();
        assertEquals(
                "region was dropped: bytes=1024",
                assertThrows(IllegalStateException.class, () -> region.slot(0, 1))
                        .getMessage());
        assertEquals(
                "region was dropped twice: bytes=1024",
                assertThrows(IllegalStateException.class, region::forget).getMessage());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void footprintFindsMemoryThatCollectorHasNotTaken(boolean direct) {
        ByteBuffer memory = memory(direct);
        Region region = region(memory);
        Footprint footprint = region.footprint(0);
        memory.put(0, (byte) 9);
        region.forget();
        ByteBuffer again = footprint.memory();
        assertNotNull(again);
        assertEquals(9, again.get(0));
        assertEquals(1024, again.capacity());
        memory.put(0, (byte) 8); // keeps it reachable
    }

    /** Only views keep the memory: neither the footprint nor a region that has forgotten it does. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void footprintReportsThatMemoryIsGone(boolean direct) {
        Region region = region(memory(direct));
        Footprint footprint = region.footprint(0);
        ByteBuffer[] view = {region.slot(0, 8)};
        region.forget();
        System.gc();
        assertNotNull(footprint.memory(), "a view is in use");
        view[0] = null;
        Eventually.collected("the memory is gone", () -> collected.poll() == footprint);
        assertNull(footprint.memory());
    }

    @Test
    void plainMemoryHasNoFootprint() {
        Region plain = new Region(memory(false), Region.Charge.WHILE_LEASED);
        assertEquals(0, plain.footprints());
        assertEquals(1024, plain.bytes());
        assertEquals(1, plain.slots(0), "for an empty buffer too");
        assertEquals(Region.Charge.UNTIL_GONE, region(memory(false)).charge);
    }

    @Test
    void regionOfOneSlotMayWasteOneFifth() {
        assertEquals(1250, Region.mostAlone(1000));
        assertEquals(Integer.MAX_VALUE, Region.mostAlone(Integer.MAX_VALUE));
    }
}

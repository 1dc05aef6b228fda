// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class RegionTest {

    private Region region(ByteBuffer... parts) {
        Region region = new Region(parts.length);
        for (ByteBuffer part : parts) {
            region.add(part, new Footprint(part, part.capacity(), null, null));
        }
        return region;
    }

    private static ByteBuffer memory(boolean direct) {
        return direct ? ByteBuffer.allocateDirect(1024) : ByteBuffer.allocate(1024);
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

    @Test
    void regionOfOneSlotMayWasteOneFifth() {
        assertEquals(1250, Region.mostAlone(1000));
        assertEquals(Integer.MAX_VALUE, Region.mostAlone(Integer.MAX_VALUE));
    }
}

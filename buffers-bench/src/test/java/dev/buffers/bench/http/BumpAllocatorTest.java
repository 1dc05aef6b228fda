// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BumpAllocatorTest {
    private final List<ByteBuffer> regions = new ArrayList<>();
    private final BumpAllocator allocator = new BumpAllocator(size -> {
        regions.add(ByteBuffer.allocateDirect(size));
        return regions.get(regions.size() - 1);
    });

    @Test
    void viewsAreCutInSequenceAndRestIsAbandoned() {
        List<ByteBuffer> views = new ArrayList<>();
        for (int i = 0; i < 489; i++) {
            views.add(allocator.apply(8192).putInt(0, i));
        }
        assertEquals(2, regions.size(), "488 views of 8,192 bytes fit into 4,000,000");
        for (int i = 0; i < views.size(); i++) {
            assertEquals(i, views.get(i).getInt(0));
            assertEquals(8192, views.get(i).capacity());
        }
        assertEquals(488, regions.get(1).getInt(0));
    }
}

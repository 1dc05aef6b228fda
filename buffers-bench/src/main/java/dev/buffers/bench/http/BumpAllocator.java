// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.http;

import java.nio.ByteBuffer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * How a web server of 2007 made its views, written anew: the next piece of one large buffer, under a lock. Views never come back;
 * a region that cannot fit the next view is abandoned, and the collector has it when its last view is gone.
 */
final class BumpAllocator implements IntFunction<ByteBuffer> {

    private static final int REGION_SIZE = 4_000_000;

    private final IntFunction<ByteBuffer> regions;
    private @Nullable ByteBuffer region;

    BumpAllocator(IntFunction<ByteBuffer> regions) {
        this.regions = regions;
    }

    @Override
    public synchronized ByteBuffer apply(int size) {
        if (region == null || region.remaining() < size) {
            region = regions.apply(REGION_SIZE);
        }
        ByteBuffer view = region.slice(region.position(), size);
        region.position(region.position() + size);
        return view;
    }
}

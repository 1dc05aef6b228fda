package dev.buffers.internal.slab;

import dev.buffers.internal.memory.RegionAllocator;

/** What a test must see of a store. */
public final class SlabParts {
    private SlabParts() {}

    public static RegionAllocator regions(SlabStore slabs) {
        return slabs.regions;
    }
}

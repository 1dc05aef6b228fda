// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support;

import dev.buffers.PoolStats;
import dev.buffers.internal.cache.ThreadTable;
import dev.buffers.internal.memory.Region;
import dev.buffers.internal.settings.ResolvedSettings;
import dev.buffers.internal.signals.Callbacks;
import dev.buffers.internal.signals.PlacedSettings;
import dev.buffers.internal.signals.PoolName;
import dev.buffers.internal.slab.Slab;
import dev.buffers.internal.slab.Slot;
import java.nio.ByteBuffer;
import java.util.Map;

/** What slots and slabs need of a pool, without a pool. */
public class BareOwner extends ThreadTable implements AutoCloseable {
    public BareOwner() {
        this(ResolvedSettings.resolve("bare", new Explicit().policy("heap-view"), Map.of(), Map.of()), 2);
    }

    /** For parts of a pool that need more of it. */
    protected BareOwner(PlacedSettings settings, int sizeClasses) {
        super(PoolName.of(settings.name()), settings, sizeClasses);
    }

    /** A slab of that many slots of 128 bytes each, which nothing else knows. */
    public Slab slab(int sizeClass, int slots) {
        return new Slab(this, new Region(ByteBuffer.allocate(slots * 128), Region.Charge.NONE), sizeClass, 128);
    }

    @Override
    protected void takeBack(Slot slot, ByteBuffer view, long held, Object home) {
        slot.free(view, held);
    }

    @Override
    protected long endSlowly(Slot slot, ByteBuffer view, long stamp) {
        return slot.endHold(stamp);
    }

    @Override
    public PoolStats stats() {
        throw new UnsupportedOperationException();
    }

    @Override
    public long tick(long now) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void call(Callbacks.Callback callback) {
        callbacks().add(callback);
    }

    @Override
    public void close() {
        ownedName().free();
    }
}

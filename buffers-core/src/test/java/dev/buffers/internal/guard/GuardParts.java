// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.guard;

import dev.buffers.AcquireOutcome;
import dev.buffers.PoolStats;
import dev.buffers.PooledBuffer;
import dev.buffers.internal.memory.Budget;
import dev.buffers.internal.memory.RegionAllocator;
import dev.buffers.internal.monitor.LeakReports;
import dev.buffers.internal.monitor.Statistics;
import dev.buffers.internal.settings.ExplicitSettings;
import dev.buffers.internal.settings.ResolvedSettings;
import dev.buffers.internal.signals.Callbacks;
import dev.buffers.internal.signals.PlacedSettings;
import dev.buffers.internal.signals.PoolName;
import dev.buffers.internal.signals.PoolState;
import dev.buffers.internal.signals.WaitQueue;
import dev.buffers.internal.slab.SizeClasses;
import dev.buffers.support.Explicit;
import dev.buffers.support.Peek;
import java.lang.ref.ReferenceQueue;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Objects;

/** What a test must see of a guarded pool, and its store without the pool. */
public final class GuardParts extends PoolState implements Tenancy.Owner {
    final SizeClasses classes = SizeClasses.of(settings());
    final Budget budget = new Budget(settings().maxBytes());
    final Findings findings = new Findings(this);
    final BlockStore blocks = new BlockStore(this, findings, classes, budget);

    GuardParts(String policy, long max) {
        this(new Explicit().policy(policy).max(max));
    }

    GuardParts(ExplicitSettings settings) {
        this(ResolvedSettings.resolve("guard-parts", settings, Map.of(), Map.of()));
    }

    private GuardParts(PlacedSettings settings) {
        super(PoolName.of("guard-parts"), settings, SizeClasses.of(settings).count());
        ownedName().free();
    }

    /** The memory of an open lease, which later leases may get. */
    public static Object memory(PooledBuffer lease) {
        return Objects.requireNonNull(((GuardedBuffer) lease).tenancy.block)
                .region()
                .footprint(0);
    }

    public static RegionAllocator regions(GuardedPool pool) {
        return pool.blocks.regions;
    }

    public static WaitQueue waitQueue(GuardedPool pool) {
        return pool.acquire.waitQueue;
    }

    /** Has a new pool use this queue for the tenancies whose leases were lost. */
    public static void replaceQueue(GuardedPool pool, ReferenceQueue<?> lost) {
        Peek.setField(pool.acquire, GuardedAcquire.class, "unreachable", lost);
    }

    /** Another search over the same store. */
    GuardedAcquire acquire() {
        LeakReports lost = new LeakReports(this, true, null);
        return new GuardedAcquire(this, this, classes, blocks, lost, budget.max());
    }

    /** Dropped memory for this size, or the charge for it. */
    Block take(int size) {
        int capacity = classes.sizeOf(classes.classOf(size));
        Block dropped = blocks.take(capacity, capacity, 0);
        return dropped != null ? dropped : blocks.charge(capacity, 0);
    }

    /** Lends a block that was taken, and counts that. */
    Tenancy lend(Block block) {
        ByteBuffer view = view(block);
        block.sizeClass = block.isBeyond() ? SizeClasses.OVERSIZE : classes.classOf(block.capacity);
        Tenancy tenancy = tenancy(block, view);
        if (!blocks.begin(tenancy)) {
            throw new AssertionError("the pool is closed");
        }
        counters.acquired(AcquireOutcome.CARVED, block.sizeClass);
        return tenancy;
    }

    /** The view to lend of a block that was taken. */
    ByteBuffer view(Block block) {
        if (!blocks.allocate(block)) {
            throw new AssertionError("the JVM has no memory");
        }
        return blocks.lend(block);
    }

    private Tenancy tenancy(Block block, ByteBuffer view) {
        return new Tenancy(this, block, block.capacity, view, new ReferenceQueue<>());
    }

    /** A tenancy that no store knows. */
    Tenancy tenancy(int capacity) {
        return tenancy(new Block(capacity), ByteBuffer.allocate(capacity));
    }

    @Override
    public PoolStats stats() {
        return new Statistics(counters, classes, null).stats(blocks.figures(), budget.max(), 0);
    }

    @Override
    public long tick(long now) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void call(Callbacks.Callback callback) {
        callbacks().call(callback);
    }

    @Override
    public void takeBack(Tenancy tenancy, boolean discards) {
        throw new UnsupportedOperationException();
    }

    @Override
    public IllegalStateException ended(Tenancy tenancy, boolean release, Throwable released) {
        throw new UnsupportedOperationException();
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.pool;

import dev.buffers.AcquireOutcome;
import dev.buffers.BufferPool;
import dev.buffers.PoolStats;
import dev.buffers.internal.cache.Depot;
import dev.buffers.internal.cache.Magazine;
import dev.buffers.internal.cache.ThreadCaches;
import dev.buffers.internal.memory.Budget;
import dev.buffers.internal.memory.RegionAllocator;
import dev.buffers.internal.monitor.LeakTracker;
import dev.buffers.internal.monitor.Statistics;
import dev.buffers.internal.settings.ExplicitSettings;
import dev.buffers.internal.settings.ResolvedSettings;
import dev.buffers.internal.signals.Callbacks;
import dev.buffers.internal.signals.PlacedSettings;
import dev.buffers.internal.signals.WaitQueue;
import dev.buffers.internal.slab.SizeClasses;
import dev.buffers.internal.slab.SlabStore;
import dev.buffers.internal.slab.Slot;
import dev.buffers.internal.slab.SlotState;
import dev.buffers.support.BareOwner;
import dev.buffers.support.Explicit;
import dev.buffers.support.Linked;
import dev.buffers.support.Peek;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Objects;

/**
 * The parts of a pool, put together as in a pool, but without the pool: nothing ticks, no name stays taken, and a test calls each part by
 * itself. No part is a copy.
 */
public final class PoolParts {
    public final SizeClasses classes;
    public final BareOwner owner;
    public final Budget budget;
    public final RegionAllocator regions;
    public final SlabStore slabs;
    public final ThreadCaches threads;
    public final WaitQueue waitQueue;

    final SlowRelease slowRelease;
    final HandOff handOff;
    final LeakTracker leaks;
    final Cutting cutting;
    final FreeSlots free;
    final SlowAcquire slowAcquire;

    /** The slabs of a pool of a test. */
    public static SlabStore slabs(BufferPool pool) {
        return ((SlabPool) pool).slabs;
    }

    public static WaitQueue waitQueue(BufferPool pool) {
        return ((SlabPool) pool).waitQueue;
    }

    /** With magazines, and the other settings as they are by default. */
    public PoolParts(String policy, long max) {
        this(new Explicit().policy(policy).max(max));
    }

    public PoolParts(ExplicitSettings settings) {
        this(ResolvedSettings.resolve("parts", settings, Map.of(), Map.of()));
    }

    public PoolParts(PlacedSettings settings) {
        this.classes = SizeClasses.of(settings);
        this.owner = new Owner(settings, classes.count());
        owner.close(); // its name is free for others
        this.budget = new Budget(settings.maxBytes());
        this.regions = new RegionAllocator(owner, settings.policy(), budget);
        this.slabs = new SlabStore(classes.count(), regions, SlabPool.preallocated(settings));
        this.threads = new ThreadCaches(owner, classes, settings.threadCache(), settings.maxBytes() / 8);
        this.waitQueue = new WaitQueue(owner, classes.count());
        this.cutting = new Cutting(owner, classes, regions, slabs, waitQueue);
        this.handOff = new HandOff(owner, regions, slabs, waitQueue, cutting);
        this.leaks = new LeakTracker(owner, slabs, null);
        this.free = new FreeSlots(owner, classes, regions, slabs, threads, cutting, handOff);
        this.slowAcquire = new SlowAcquire(owner, classes, free, handOff, leaks);
        this.slowRelease = new SlowRelease(owner, slabs, free, handOff);
    }

    /** The pool as its parts see it. Each release is one that misses. */
    private final class Owner extends BareOwner {
        Owner(PlacedSettings settings, int sizeClasses) {
            super(settings, sizeClasses);
        }

        @Override
        protected void takeBack(Slot slot, ByteBuffer view, long held, Object home) {
            slowRelease.endAndPlace(slot, view, SlotState.NOT_OPEN, held);
        }

        @Override
        protected long endSlowly(Slot slot, ByteBuffer view, long stamp) {
            return slowRelease.endAndPlace(slot, view, stamp, 0);
        }

        @Override
        public PoolStats stats() {
            return new Statistics(counters, classes, threads).stats(slabs.figures(), budget.max(), waitQueue.size());
        }

        @Override
        public void call(Callbacks.Callback callback) {
            // Nothing here is the user's.
        }
    }

    /** An acquire that misses: a slot whose tenancy has begun; null at the cap. */
    Slot find(int size) {
        return slowAcquire.find(size, classes.classOf(size), SlowAcquire.AtCap.RETURN_NULL);
    }

    /** A free slot of a slab that is cut for it, which the caller owns. */
    public Slot carve(int size) {
        Slot slot = free.find(classes.classOf(size), threads.own(), true);
        if (slot == null) {
            throw new AssertionError("no room: size=" + size);
        }
        slot.slab.countCut(); // for no acquire
        return slot;
    }

    public Depot depot(int sizeClass) {
        return free.depot(sizeClass);
    }

    /** This thread's magazine for the smallest class. */
    Magazine own() {
        Peek.prepare(threads, 0);
        return Objects.requireNonNull(owner.current(0));
    }

    /** Returns a free slot to its slab, or to who waits for it. */
    void giveBack(Slot... slots) {
        handOff.giveBack(Linked.of(slots));
    }

    /** Puts a free slot where the next acquire finds it, as a channel gives it back. */
    public void giveBackFree(Slot slot) {
        slowRelease.giveBackFree(slot);
    }

    /** A thread that waits for a slot of this size. */
    public WaitQueue.Waiter waiter(int size, Thread thread) {
        WaitQueue.Waiter waiter = new WaitQueue.Waiter(size, classes.classOf(size), thread);
        waitQueue.add(waiter);
        return waiter;
    }

    long acquires(AcquireOutcome outcome) {
        return owner.stats().acquires(outcome);
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support;

import dev.buffers.BufferPool;
import dev.buffers.ChannelBuffers;
import dev.buffers.PooledBuffer;
import dev.buffers.internal.cache.ThreadCache;
import dev.buffers.internal.cache.ThreadCaches;
import dev.buffers.internal.cache.ThreadTable;
import dev.buffers.internal.guard.GuardParts;
import dev.buffers.internal.guard.GuardedPool;
import dev.buffers.internal.memory.Budget;
import dev.buffers.internal.memory.RegionAllocator;
import dev.buffers.internal.monitor.LeakTracker;
import dev.buffers.internal.pool.PoolParts;
import dev.buffers.internal.pool.SlabChannelBuffers;
import dev.buffers.internal.pool.SlabPool;
import dev.buffers.internal.signals.PoolState;
import dev.buffers.internal.signals.WaitQueue;
import dev.buffers.internal.slab.Lease;
import dev.buffers.internal.slab.ReturnStack;
import dev.buffers.internal.slab.SlabParts;
import dev.buffers.internal.slab.SlabStore;
import dev.buffers.internal.slab.Slot;
import dev.buffers.internal.slab.SlotOwner;
import java.lang.ref.ReferenceQueue;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** What stands behind a public object, where a test must look at it or bring it into a state that takes years to reach. */
public final class Peek {

    private Peek() {}

    public static Slot slot(PooledBuffer lease) {
        return ((Lease) lease).slot();
    }

    /** Puts back into an ended lease what a thread had read of it that was overtaken as it was about to end it. */
    public static void overtaken(PooledBuffer lease, ByteBuffer view) {
        setField(lease, Lease.class, "view", view);
    }

    /** The view in a slot; null during a tenancy. */
    public static ByteBuffer view(Slot slot) {
        return (ByteBuffer) field(slot, Slot.class, "view");
    }

    /** Brings a slot into a state that takes years to reach. */
    public static void setState(Slot slot, long state) {
        setField(slot, Slot.class, "state", state);
    }

    /** The free slots that a channel keeps. */
    static List<Slot> kept(ChannelBuffers channel) {
        List<Slot> kept = new ArrayList<>();
        if (!(channel instanceof SlabChannelBuffers)) {
            return kept; // with guard=on they keep none
        }
        Object stack = field(channel, SlabChannelBuffers.class, "returnStack");
        for (Object first :
                new Object[] {field(channel, SlabChannelBuffers.class, "kept"), field(stack, ReturnStack.class, "head")
                }) {
            for (Slot slot = first instanceof Slot some ? some : null; slot != null; slot = slot.next) {
                kept.add(slot);
            }
        }
        return kept;
    }

    /** The bytes that its budget has left, whatever kind of pool. */
    static long room(BufferPool pool) {
        return pool instanceof GuardedPool guarded
                ? GuardParts.regions(guarded).budget.room()
                : budget(pool).room();
    }

    /** The bytes of that room which a waiter's turn keeps from an acquire of {@code bytes}, whatever kind of pool. */
    static int keptForTurn(BufferPool pool, int bytes) {
        WaitQueue queue =
                pool instanceof GuardedPool guarded ? GuardParts.waitQueue(guarded) : PoolParts.waitQueue(pool);
        return queue.keptFrom(null, bytes);
    }

    public static RegionAllocator regions(BufferPool pool) {
        return SlabParts.regions(slabs(pool));
    }

    public static SlabStore slabs(BufferPool pool) {
        return PoolParts.slabs(pool);
    }

    public static Budget budget(BufferPool pool) {
        return regions(pool).budget;
    }

    /** Has a new pool use this queue for what its lost leases had. */
    public static void replaceQueue(BufferPool pool, ReferenceQueue<?> lost) {
        if (pool instanceof GuardedPool guarded) {
            GuardParts.replaceQueue(guarded, lost);
        } else {
            setField(pool, SlotOwner.class, "lost", lost);
        }
    }

    /** As the tick does, while the daemon is held, or does not know the pool. */
    public static void findLost(BufferPool pool) {
        ((LeakTracker) field(pool, SlabPool.class, "leaks")).collect();
    }

    /** One round of what the daemon does by the clock, at this time; the daemon must be held, or not know the pool. */
    public static void tick(BufferPool pool) {
        ((PoolState) pool).tick(System.nanoTime());
    }

    /** For how many threads, and stripes, the pool keeps magazines. */
    public static int registered(BufferPool pool) {
        return all(magazines(pool)).length;
    }

    /** The magazines of all threads, and the stripes. */
    public static ThreadCache[] all(ThreadCaches magazines) {
        try {
            Method all = ThreadCaches.class.getDeclaredMethod("all");
            all.setAccessible(true);
            return (ThreadCache[]) all.invoke(magazines);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    /** How long the table is that finds a thread's magazines. */
    public static int placesOfThreads(ThreadTable pool) {
        return ((Object[]) field(pool, ThreadTable.class, "table")).length;
    }

    /** Bytes that are charged for magazines, and that none of these may hold. */
    public static long strayGrants(BufferPool pool) {
        ThreadCaches magazines = magazines(pool);
        long granted = 0;
        for (ThreadCache each : all(magazines)) {
            granted += each.granted;
        }
        return ((AtomicLong) field(magazines, ThreadCaches.class, "together")).get() - granted;
    }

    /** Lets the current thread miss so often that its magazine for the smallest class is granted, unless there is no room. */
    public static void makeBusy(BufferPool pool) {
        ThreadCaches magazines = magazines(pool);
        for (int misses = 0; misses < 2 * ThreadCaches.BUSY && !prepare(magazines, 0); misses++) {
            // the next one
        }
    }

    /** Makes this thread's magazine as after a miss; false when it has no grant. */
    public static boolean prepare(ThreadCaches magazines, int sizeClass) {
        return magazines.prepare(magazines.own(), null, sizeClass).isGranted();
    }

    public static ThreadCaches magazines(BufferPool pool) {
        return (ThreadCaches) field(pool, SlabPool.class, "magazines");
    }

    public static void setField(Object of, Class<?> type, String name, Object value) {
        try {
            Field field = type.getDeclaredField(name);
            field.setAccessible(true);
            field.set(of, value);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError("no such field: " + name, e);
        }
    }

    public static Object field(Object of, Class<?> type, String name) {
        try {
            Field field = type.getDeclaredField(name);
            field.setAccessible(true);
            return field.get(of);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError("no such field: " + name, e);
        }
    }
}

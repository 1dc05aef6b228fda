package dev.buffers.support;

import dev.buffers.BufferPool;
import dev.buffers.ChannelBuffers;
import dev.buffers.PooledBuffer;
import dev.buffers.internal.cache.ThreadCaches;
import dev.buffers.internal.cache.ThreadCaches.ThreadCache;
import dev.buffers.internal.memory.Budget;
import dev.buffers.internal.memory.RegionAllocator;
import dev.buffers.internal.pool.PoolParts;
import dev.buffers.internal.pool.Revocation;
import dev.buffers.internal.pool.SlabChannelBuffers;
import dev.buffers.internal.pool.SlabPool;
import dev.buffers.internal.signals.Counters;
import dev.buffers.internal.slab.Lease;
import dev.buffers.internal.slab.ReturnStack;
import dev.buffers.internal.slab.SlabParts;
import dev.buffers.internal.slab.SlabStore;
import dev.buffers.internal.slab.Slot;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;

/** What stands behind a public object, where a test must look at it or bring it into a state that takes years to reach. */
public final class Peek {

    private Peek() {}

    public static Slot slot(PooledBuffer lease) {
        return ((Lease) lease).slot();
    }

    /** Puts back into an ended lease what a thread had read of it that was overtaken as it was about to end it. */
    public static void overtaken(PooledBuffer lease, ByteBuffer view) {
        try {
            Field field = Lease.class.getDeclaredField("view");
            field.setAccessible(true);
            field.set(lease, view);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    /** Has this happen between the moment when a revocation looks at a slot's state and that when it takes the view. */
    public static void beforeTheSwap(Revocation revocation, Runnable happens) {
        ArrayList<Object> taken = new ArrayList<>() {
            @Override
            public void ensureCapacity(int entries) {
                super.ensureCapacity(entries);
                happens.run();
            }
        };
        try {
            Field field = Revocation.class.getDeclaredField("revoked");
            field.setAccessible(true);
            field.set(revocation, taken);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    /** Whether any revoked slots are not in their slabs yet. */
    public static boolean isPending(Revocation revocation) {
        return !((List<?>) field(revocation, Revocation.class, "revoked")).isEmpty();
    }

    /** The free slots that a channel keeps. */
    static List<Slot> kept(ChannelBuffers channel) {
        List<Slot> kept = new ArrayList<>();
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

    public static RegionAllocator regions(BufferPool pool) {
        return SlabParts.regions(slabs(pool));
    }

    public static SlabStore slabs(BufferPool pool) {
        return PoolParts.slabs(pool);
    }

    /** For how many threads, and stripes, the pool keeps magazines. */
    public static int registered(BufferPool pool) {
        return ((List<?>) field(magazines(pool), ThreadCaches.class, "all")).size();
    }

    /** How long the table is that finds a thread's magazines. */
    public static int placesOfThreads(ThreadCaches magazines) {
        return ((Object[]) field(magazines, ThreadCaches.class, "table")).length;
    }

    /** Bytes that are charged for magazines, and that none of these may hold. */
    static long strayGrants(BufferPool pool) {
        ThreadCaches magazines = magazines(pool);
        long granted = 0;
        for (Object each : (List<?>) field(magazines, ThreadCaches.class, "all")) {
            granted += ((ThreadCache) each).granted;
        }
        return ((Budget) field(magazines, ThreadCaches.class, "grants")).charged() - granted;
    }

    public static ThreadCaches magazines(BufferPool pool) {
        return (ThreadCaches) field(pool, SlabPool.class, "magazines");
    }

    /** How many acquires so far were counted on what was a revoked slot. */
    static long acquiresUndone(BufferPool pool) {
        AtomicLongArray counts = (AtomicLongArray) field(((SlabPool) pool).counters, Counters.class, "acquiresUndone");
        return IntStream.range(0, counts.length()).mapToLong(counts::get).sum();
    }

    /** From now on the acquires that are shown may be fewer than those shown before, if revoked slots were among those. */
    static void forgetShown(BufferPool pool) {
        AtomicLongArray shown = (AtomicLongArray) field(((SlabPool) pool).counters, Counters.class, "shown");
        IntStream.range(0, shown.length()).forEach(i -> shown.set(i, 0));
    }

    private static Object field(Object of, Class<?> type, String name) {
        try {
            Field field = type.getDeclaredField(name);
            field.setAccessible(true);
            return field.get(of);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError("no such field: " + name, e);
        }
    }
}

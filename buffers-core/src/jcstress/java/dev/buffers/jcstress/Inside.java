package dev.buffers.jcstress;

import dev.buffers.ChannelBuffers;
import dev.buffers.PooledBuffer;
import dev.buffers.internal.cache.Depot;
import dev.buffers.internal.cache.Depots;
import dev.buffers.internal.cache.ThreadCaches;
import dev.buffers.internal.pool.Caches;
import dev.buffers.internal.pool.MaintenanceThread;
import dev.buffers.internal.pool.SlabChannelBuffers;
import dev.buffers.internal.pool.SlabPool;
import dev.buffers.internal.pool.SlowRelease;
import dev.buffers.internal.slab.Lease;
import dev.buffers.internal.slab.ReturnStack;
import dev.buffers.internal.slab.Slot;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** What is private in the shipped classes and a test must look at, call, or put together out of fewer parts. */
final class Inside {
    private static final VarHandle LANE;
    private static final VarHandle LANE_OF;
    private static final MethodHandle ACQUIRE_KEPT;
    private static final MethodHandle TO_DEPOT;
    private static final Constructor<?> BARE_POOL;
    private static final Constructor<?> BARE_DEPOTS;
    private static final Field MAGAZINES = field(SlabPool.class, "magazines");
    private static final Field DEPOTS = field(Depots.class, "depots");

    static {
        try {
            MethodHandles.Lookup channel =
                    MethodHandles.privateLookupIn(SlabChannelBuffers.class, MethodHandles.lookup());
            LANE_OF = channel.findVarHandle(SlabChannelBuffers.class, "returnStack", ReturnStack.class);
            LANE = MethodHandles.privateLookupIn(ReturnStack.class, MethodHandles.lookup())
                    .findVarHandle(ReturnStack.class, "head", Object.class);
            ACQUIRE_KEPT = channel.findVirtual(
                    SlabChannelBuffers.class, "acquireKept", MethodType.methodType(Lease.class, int.class));
            TO_DEPOT = MethodHandles.privateLookupIn(SlowRelease.class, MethodHandles.lookup())
                    .findVirtual(SlowRelease.class, "giveToDepot", MethodType.methodType(void.class, Slot.class));
            BARE_POOL = bare(SlabPool.class);
            BARE_DEPOTS = bare(Depots.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private Inside() {}

    static ThreadCaches magazines(SlabPool pool) {
        return (ThreadCaches) get(MAGAZINES, pool);
    }

    static ReturnStack laneOf(ChannelBuffers channel) {
        return (ReturnStack) LANE_OF.get(channel);
    }

    /** What stands where a channel's lane begins. */
    static Object lane(ChannelBuffers channel) {
        return LANE.getVolatile(laneOf(channel));
    }

    /** What a channel's owner can have of what came back. */
    static PooledBuffer acquireKept(ChannelBuffers channel, int size) {
        try {
            return (Lease) ACQUIRE_KEPT.invokeExact((SlabChannelBuffers) channel, size);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** A pool that has a word of signals, the magazines of another, and nothing else. */
    static SlabPool barePool(ThreadCaches magazines) {
        SlabPool pool = (SlabPool) make(BARE_POOL);
        set(MAGAZINES, pool, magazines);
        return pool;
    }

    /** The returns of a pool that has one class's depot, and nothing else. */
    @SuppressWarnings("NullAway") // what is null would be used under pressure alone
    static SlowRelease bareReturns(SlabPool pool, Depot depot) {
        Depots depots = (Depots) make(BARE_DEPOTS);
        set(DEPOTS, depots, new AtomicReferenceArray<>(new Depot[] {depot}));
        return new SlowRelease(pool, null, null, new Caches(null, depots, null), null, null);
    }

    /**
     * Puts a free slot into the depot of bare returns. Says whether it saw pressure: then it would empty the depot, for which
     * they lack the parts.
     */
    static boolean seesPressureAfterPutting(SlowRelease returns, Slot slot) {
        try {
            TO_DEPOT.invokeExact(returns, slot);
            return false;
        } catch (NullPointerException e) {
            return true;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** From now on the daemon does nothing, so that a wake-up that was lost is not made good by the next tick. */
    static void holdTick() {
        ReentrantLock lock = (ReentrantLock) get(field(MaintenanceThread.class, "LOCK"), null);
        CountDownLatch held = new CountDownLatch(1);
        Thread holder = new Thread(() -> {
            lock.lock();
            held.countDown();
            while (true) {
                LockSupport.park(); // until the process ends
            }
        });
        holder.setDaemon(true);
        holder.start();
        try {
            held.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static Constructor<?> bare(Class<?> type) throws ReflectiveOperationException {
        Class<?> factory = Class.forName("sun.reflect.ReflectionFactory");
        Object its = factory.getMethod("getReflectionFactory").invoke(null);
        return (Constructor<?>) factory.getMethod("newConstructorForSerialization", Class.class, Constructor.class)
                .invoke(its, type, Object.class.getConstructor());
    }

    private static Object make(Constructor<?> constructor) {
        try {
            return constructor.newInstance();
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static Field field(Class<?> type, String name) {
        try {
            Field field = type.getDeclaredField(name);
            field.setAccessible(true);
            return field;
        } catch (ReflectiveOperationException e) {
            throw new AssertionError("no such field: " + name, e);
        }
    }

    private static Object get(Field field, Object of) {
        try {
            return field.get(of);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static void set(Field field, Object of, Object value) {
        try {
            field.set(of, value);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }
}

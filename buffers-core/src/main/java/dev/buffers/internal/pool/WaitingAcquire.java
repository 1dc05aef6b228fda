// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.pool;

import dev.buffers.internal.failsafe.StackProbe;
import dev.buffers.internal.signals.FlightEvents;
import dev.buffers.internal.signals.PoolState;
import dev.buffers.internal.signals.Refusals;
import dev.buffers.internal.signals.WaitQueue;
import dev.buffers.internal.slab.Slot;
import dev.buffers.internal.upkeep.MaintenanceThread;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * An acquire with patience, and {@code whenAvailable}: from the first attempt to the slot, the wake-up or the refusal.
 *
 * <p>Called by the thread that waits, with no lock held, because it may call wake-ups.
 */
final class WaitingAcquire {
    /*
     * attempt -> join the queue (WaitQueue) -> serve the queue -> park until a thread has given this one a slot, or the patience ends
     *
     * A waiter leaves the queue whatever is thrown, and gives back a slot that it was given and cannot use.
     */
    private final PoolState pool;
    private final WaitQueue waitQueue;
    private final HandOff handOff;
    private final SlowAcquire slowAcquire;

    WaitingAcquire(PoolState pool, HandOff handOff, SlowAcquire slowAcquire) {
        this.pool = pool;
        this.waitQueue = handOff.waitQueue();
        this.handOff = handOff;
        this.slowAcquire = slowAcquire;
    }

    /** The patience in nanoseconds. */
    static long nanos(Duration patience) {
        if (patience.isNegative()) {
            throw new IllegalArgumentException("patience must not be negative: patience=" + patience);
        }
        return TimeUnit.NANOSECONDS.convert(patience); // Long.MAX_VALUE if it is more than that
    }

    /**
     * Finds a slot, begins a tenancy on it and counts it. Waits for at most {@code patienceNanos}, behind all earlier waiters of the same
     * size class.
     *
     * @throws dev.buffers.PoolExhaustedException when the patience ended, or the thread was interrupted; its interrupt flag is then set
     */
    Slot findOrWait(int size, int sizeClass, long patienceNanos) {
        StackProbe.check();
        pool.checkCaller();
        slowAcquire.checkCanSucceed(size, sizeClass, true);
        Slot slot = waitQueue.hasWaiters(sizeClass)
                ? null
                : slowAcquire.find(size, sizeClass, SlowAcquire.AtCap.RETURN_NULL);
        if (slot == null && patienceNanos == 0) {
            throw slowAcquire.refused(size, "");
        }
        return slot != null ? slot : slowAcquire.prepare(await(size, sizeClass, patienceNanos), size);
    }

    private Slot await(int size, int sizeClass, long patienceNanos) {
        Object flight = FlightEvents.waitBegins();
        WaitQueue.Waiter waiter =
                new WaitQueue.Waiter(slowAcquire.bytesFor(size, sizeClass), sizeClass, Thread.currentThread());
        boolean interrupted = false;
        boolean served = false;
        waitQueue.add(waiter);
        try {
            MaintenanceThread.requestTick();
            slowAcquire.serve(sizeClass);
            Slot slot;
            for (slot = slotOf(waiter); slot == null; slot = slotOf(waiter)) {
                throwIfFailed(waiter);
                pool.checkCaller();
                long left = patienceNanos - (System.nanoTime() - waiter.since);
                if (left > 0 && !interrupted) {
                    LockSupport.parkNanos(pool, left);
                    interrupted = Thread.interrupted();
                } else if (waitQueue.remove(waiter)) { // else it has just been served
                    throw slowAcquire.refused(size, Refusals.waited(interrupted, waiter.since));
                }
            }
            slowAcquire.count(slot);
            served = true;
            return slot;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            waitQueue.remove(waiter);
            Slot unused = served ? null : slotOf(waiter);
            if (unused != null) {
                unused.endUnused(null);
                handOff.giveBack(unused);
            }
            pool.counters.waited(System.nanoTime() - waiter.since);
            FlightEvents.waitEnded(flight, pool.name(), size, served);
        }
    }

    private static @Nullable Slot slotOf(WaitQueue.Waiter waiter) {
        return (Slot) waiter.slot();
    }

    private static void throwIfFailed(WaitQueue.Waiter waiter) {
        Throwable failure = waiter.failure();
        if (failure instanceof RuntimeException exception) {
            throw exception;
        } else if (failure instanceof Error error) {
            throw error;
        }
    }

    void whenAvailable(int size, int sizeClass, Runnable wake) {
        slowAcquire.checkCanSucceed(size, sizeClass, false);
        WaitQueue.Waiter waiter = new WaitQueue.Waiter(slowAcquire.bytesFor(size, sizeClass), sizeClass, wake);
        if (!waitQueue.hasWaiters(sizeClass) && slowAcquire.hasRoom(size, sizeClass)) {
            handOff.wake(waiter); // the calling thread calls it: once it is queued, the tick might
            return;
        }
        waitQueue.add(waiter);
        slowAcquire.serve(sizeClass);
        if (pool.isClosed() && waitQueue.remove(waiter)) {
            handOff.wake(waiter);
        }
        MaintenanceThread.requestTick();
    }
}

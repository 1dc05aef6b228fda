// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.upkeep;

import dev.buffers.PoolExhaustedException;
import dev.buffers.internal.signals.FlightEvents;
import dev.buffers.internal.signals.PoolState;
import dev.buffers.internal.signals.Refusals;
import dev.buffers.internal.signals.WaitQueue;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * How a thread waits in an acquire, and how a wake-up waits: from the queue to the memory, the call or the refusal.
 *
 * <p>Called by the thread that waits, with no lock held, because it may call wake-ups.
 */
public final class Waiting {
    /*
     * join the queue (WaitQueue) -> serve the queue -> park until a thread has given this one memory, or the patience ends
     *
     * A waiter leaves the queue whatever is thrown, and gives back memory that it was given and cannot use.
     */
    private final PoolState pool;
    private final WaitQueue queue;
    private final Memory memory;

    public Waiting(PoolState pool, WaitQueue queue, Memory memory) {
        this.pool = pool;
        this.queue = queue;
        this.memory = memory;
    }

    /** The pool's memory, as a waiter sees it. */
    public interface Memory {
        /** Whether there is memory for this waiter now, which is in no queue. Every thread can use it afterwards. */
        boolean hasRoom(WaitQueue.Waiter waiter);

        /** Serves a waiter of this class that has joined the queue, and others, from where releases may have put memory unseen. */
        void serve(int sizeClass);

        /** Takes back what a waiter was given and cannot use. */
        void giveBackUnused(WaitQueue.Room given);

        /** Serves others from the memory that was kept for a waiter whose turn has ended because it has left. */
        void turnHasEnded();

        /** Counts a refusal at the cap and makes its error; {@code because} comes before the reason. */
        PoolExhaustedException refused(int size, String because);
    }

    /** The patience in nanoseconds. */
    public static long nanos(Duration patience) {
        if (patience.isNegative()) {
            throw new IllegalArgumentException("patience must not be negative: patience=" + patience);
        }
        return TimeUnit.NANOSECONDS.convert(patience); // Long.MAX_VALUE if it is more than that
    }

    /**
     * Waits for at most {@code patienceNanos}, behind all earlier waiters of the same class, and returns what this thread was given.
     *
     * @param size that the acquire asks for, of the {@code bytes} that it takes
     * @throws PoolExhaustedException when the patience ended, or the thread was interrupted; its interrupt flag is then set
     */
    public WaitQueue.Room await(int size, int bytes, int sizeClass, long patienceNanos) {
        WaitQueue.Waiter waiter = new WaitQueue.Waiter(bytes, sizeClass, Thread.currentThread());
        boolean taken = false;
        try {
            queue.add(waiter);
            WaitQueue.Room given = parkUntilServed(waiter, size, patienceNanos);
            taken = true;
            return given;
        } finally {
            queue.remove(waiter);
            WaitQueue.Room unused = taken ? null : waiter.slot();
            if (unused != null) {
                memory.giveBackUnused(unused);
            }
            if (!taken && queue.takeTurnEnd()) {
                memory.turnHasEnded();
            }
        }
    }

    private WaitQueue.Room parkUntilServed(WaitQueue.Waiter waiter, int size, long patienceNanos) {
        Object flight = FlightEvents.waitBegins();
        boolean interrupted = false;
        boolean served = false;
        try {
            MaintenanceThread.requestTick();
            memory.serve(waiter.sizeClass);
            WaitQueue.Room given;
            for (given = waiter.slot(); given == null; given = waiter.slot()) {
                Waiting.<RuntimeException>throwIfFailed(waiter);
                pool.checkCaller();
                long left = patienceNanos - (System.nanoTime() - waiter.since);
                if (left > 0 && !interrupted) {
                    LockSupport.parkNanos(pool, left);
                    interrupted = Thread.interrupted();
                } else if (queue.remove(waiter)) { // else it has just been served
                    throw memory.refused(size, Refusals.waited(interrupted, waiter.since));
                }
            }
            served = true;
            return given;
        } finally {
            pool.counters.waited(System.nanoTime() - waiter.since);
            FlightEvents.waitEnded(flight, pool.name(), size, served);
            if (interrupted) {
                Thread.currentThread().interrupt(); // last: a subclass may override it, and throw
            }
        }
    }

    /** Throws what the policy has thrown, as if this thread had called it. */
    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void throwIfFailed(WaitQueue.Waiter waiter) throws T {
        Throwable failure = waiter.failure();
        if (failure != null) {
            throw (T) failure;
        }
    }

    /** Calls {@code wake} when there is room: at once, or later in the thread that makes it. */
    public void whenAvailable(int bytes, int sizeClass, Runnable wake) {
        WaitQueue.Waiter waiter = new WaitQueue.Waiter(bytes, sizeClass, wake);
        if (!queue.hasWaiters(sizeClass) && memory.hasRoom(waiter)) {
            queue.call(waiter); // the calling thread calls it: once it is queued, the tick might
            return;
        }
        queue.add(waiter);
        memory.serve(sizeClass);
        if (pool.isClosed() && queue.remove(waiter)) {
            queue.call(waiter);
        }
        MaintenanceThread.requestTick();
    }
}

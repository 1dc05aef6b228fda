package dev.buffers.internal.pool;

import dev.buffers.AcquireOutcome;
import dev.buffers.internal.failsafe.StackProbe;
import dev.buffers.internal.signals.FlightEvents;
import dev.buffers.internal.signals.PoolState;
import dev.buffers.internal.slab.Slot;
import dev.buffers.internal.text.DurationText;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * An acquire with patience, and {@code whenAvailable}: from the first look for room to the slot, the wake-up or the refusal.
 *
 * <p>Called by the thread that waits, with no lock held, because it may call wake-ups.
 */
final class WaitingAcquire {
    /*
     * look -> join the queue (WaitQueue) -> first of its class, or called: look again -> given a slot: take it -> else park
     *
     * A waiter that leaves passes on a slot that it was given and does not need, and serves the waiters behind it. Nothing allocates from
     * the beginning of a tenancy until its view is in the waiter or on the stack. A waiter leaves the queue whatever is thrown.
     */
    private final PoolState pool;
    private final WaitQueue waitQueue;
    private final HandOff handOff;
    private final SlabGrowth growth;
    private final SlowAcquire slowAcquire;

    WaitingAcquire(PoolState pool, HandOff handOff, SlabGrowth growth, SlowAcquire slowAcquire) {
        this.pool = pool;
        this.waitQueue = handOff.waitQueue();
        this.handOff = handOff;
        this.growth = growth;
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
     * Finds a slot, which the caller then owns, and counts it. Waits for at most {@code patienceNanos}, behind all earlier waiters of the
     * same size class. The caller begins the tenancy at once; after a wait it has begun already, and beginning it again does no harm.
     *
     * @param revoked the revoked slot that the caller was given before, if any
     * @throws dev.buffers.PoolExhaustedException when the patience ended, or the thread was interrupted; its interrupt flag is then set
     */
    Slot findOrWait(int size, int sizeClass, @Nullable Slot revoked, long patienceNanos) {
        StackProbe.check();
        if (revoked != null) {
            slowAcquire.uncountRevoked(revoked);
        }
        pool.checkCaller();
        slowAcquire.checkCanBeHad(size, sizeClass, true);
        if (!waitQueue.hasWaiters(sizeClass)) {
            Slot slot = slowAcquire.find(size, sizeClass, null, SlowAcquire.AtCap.RETURN_NULL);
            if (slot != null) {
                return slowAcquire.answer(slot, size, revoked, SlowAcquire.AtCap.OBEY_SETTING);
            }
        }
        if (patienceNanos == 0) {
            throw slowAcquire.refused(size, "", revoked);
        }
        int bytes = slowAcquire.bytesFor(size, sizeClass);
        WaitQueue.Waiter waiter = new WaitQueue.Waiter(bytes, sizeClass, Thread.currentThread());
        return await(size, revoked, waiter, patienceNanos);
    }

    private Slot await(int size, @Nullable Slot revoked, WaitQueue.Waiter waiter, long patienceNanos) {
        Object flight = FlightEvents.waitBegins();
        boolean interrupted = false;
        boolean served = false;
        Slot mine = null;
        ByteBuffer view = null;
        waitQueue.add(waiter);
        try {
            MaintenanceThread.requestTick();
            boolean look = waitQueue.isFirst(waiter);
            int seen = 0;
            while (view == null && waiter.slot() == null) {
                int calls = waiter.calls();
                if (look || calls != seen) { // before it parks: the locks of find may consume its unpark
                    seen = calls;
                    mine = slowAcquire.find(size, waiter.sizeClass, null, SlowAcquire.AtCap.RETURN_NULL);
                    view = mine == null ? null : mine.beginAndTake(); // so that no thread revokes it meanwhile
                    look = mine != null && view == null;
                    if (look) {
                        slowAcquire.uncountRevoked(Objects.requireNonNull(mine));
                    }
                } else {
                    pool.checkCaller();
                    long left = patienceNanos - (System.nanoTime() - waiter.since);
                    if (left > 0 && !interrupted) {
                        LockSupport.parkNanos(pool, left);
                        interrupted = Thread.interrupted();
                    } else if (waitQueue.remove(waiter)) { // else it was just given a slot
                        throw slowAcquire.refused(
                                size,
                                (interrupted ? "interrupted after " : "waited ") + waited(waiter) + ", ",
                                revoked);
                    }
                }
            }
            served = true;
        } finally {
            waitQueue.remove(waiter);
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            Slot given = waiter.slot();
            if (given != null && view == null && served) {
                mine = given;
                view = waiter.view();
                pool.counters.acquired(AcquireOutcome.DEPOT, given.sizeClass());
            } else if (given != null) {
                given.endUnused(Objects.requireNonNull(waiter.view()));
                handOff.giveBack(given);
            }
            serveBehind(waiter, served);
            pool.counters.waited(System.nanoTime() - waiter.since);
            FlightEvents.waitEnded(flight, pool.name(), size, served);
        }
        slowAcquire.answer(Objects.requireNonNull(mine), size, revoked, SlowAcquire.AtCap.OBEY_SETTING);
        mine.viewRelease(view);
        return mine;
    }

    /**
     * After a wait: serves the waiters behind with what is free beside the slot, or with what the waiter was called for and has not taken.
     * Without memory for this the tick does it.
     */
    private void serveBehind(WaitQueue.Waiter waiter, boolean served) {
        try {
            if (!handOff.hasWaiters() || pool.isClosed()) {
                return;
            }
            if (served) {
                handOff.handOut(waiter.sizeClass, Integer.MAX_VALUE);
            } else if (waiter.calls() > 0) {
                handOff.serveAll();
            }
        } catch (OutOfMemoryError e) {
            MaintenanceThread.requestTick();
        }
    }

    private static String waited(WaitQueue.Waiter waiter) {
        return DurationText.of(Duration.ofMillis(Math.max(1, (System.nanoTime() - waiter.since) / 1_000_000)));
    }

    void whenAvailable(int size, int sizeClass, Runnable wake) {
        slowAcquire.checkCanBeHad(size, sizeClass, false);
        WaitQueue.Waiter waiter = new WaitQueue.Waiter(slowAcquire.bytesFor(size, sizeClass), sizeClass, wake);
        if (!waitQueue.hasWaiters(sizeClass) && growth.hasRoom(size, sizeClass)) {
            handOff.wake(waiter); // the calling thread calls it: once it is queued, the tick might
            return;
        }
        waitQueue.add(waiter);
        boolean now = true;
        try {
            now = waitQueue.isFirst(waiter) && growth.hasRoom(size, sizeClass) || pool.isClosed();
        } finally {
            now = now && waitQueue.remove(waiter); // also if hasRoom has thrown: no waiter stays
        }
        if (now) {
            handOff.wake(waiter);
        } else {
            MaintenanceThread.requestTick();
        }
    }
}

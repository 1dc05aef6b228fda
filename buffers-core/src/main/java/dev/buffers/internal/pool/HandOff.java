package dev.buffers.internal.pool;

import dev.buffers.internal.failsafe.IntrusiveList;
import dev.buffers.internal.memory.Region;
import dev.buffers.internal.memory.RegionAllocator;
import dev.buffers.internal.signals.PoolState;
import dev.buffers.internal.slab.SizeClasses;
import dev.buffers.internal.slab.SlabStore;
import dev.buffers.internal.slab.Slot;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where free slots go: to the wait queue in its order, or into their slabs. Calls waiters when there is room.
 *
 * <p>Any thread, with no lock held, because wake-ups are the user's code.
 */
final class HandOff {
    /*
     *   a slot becomes free                                  -> the first waiter for its class gets it; without one, its slab does
     *   a region becomes empty, or the cap has room again    -> the oldest waiters that it suffices for are called and look themselves
     *
     * A thread is given its slot (WaitQueue, W1). A wake-up is called when its room can be found. Any thread can find that room: a running
     * thread may overtake those that are called, and the tick calls again. No other thread sees slots that one thread is moving into their
     * slabs; an acquire that would be refused learns of them from `inTransit`.
     */
    /** How long an acquire waits, before it is refused, for memory that others are just moving. */
    private static final long TRANSIT_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final SizeClasses classes;
    private final RegionAllocator regions;
    private final SlabStore slabs;
    private final WaitQueue waitQueue;
    private final WakeUps wakeUps;
    private final boolean views;
    private final long regionSize;

    /** How many threads move slots that no other thread can see; no user code runs meanwhile. */
    private final AtomicInteger inTransit = new AtomicInteger();

    HandOff(
            PoolState pool,
            SizeClasses classes,
            RegionAllocator regions,
            SlabStore slabs,
            WaitQueue waitQueue,
            WakeUps wakeUps) {
        this.classes = classes;
        this.regions = regions;
        this.slabs = slabs;
        this.waitQueue = waitQueue;
        this.wakeUps = wakeUps;
        this.regionSize = pool.settings().regionSize();
        this.views = pool.settings().policy().views();
    }

    /** Whether any thread or wake-up waits. */
    boolean hasWaiters() {
        return waitQueue.hasWaiters();
    }

    /** Whether any waits for a slot of this class. */
    boolean hasWaiters(int sizeClass) {
        return sizeClass != SizeClasses.OVERSIZE && waitQueue.hasWaiters(sizeClass);
    }

    WaitQueue waitQueue() {
        return waitQueue;
    }

    /** Calls the wake-up of a waiter that is in no queue. */
    void wake(WaitQueue.Waiter waiter) {
        wakeUps.wake(waiter);
    }

    /** Runs {@code work}, then the wake-ups that it made due; returns what the work does. */
    <T extends @Nullable Object> T batch(Supplier<T> work) {
        return wakeUps.batch(work);
    }

    /** Returns linked free slots of one class to their slabs, or gives them straight to the waiters of that class. */
    void giveBack(@Nullable Slot first) {
        if (first == null) {
            return;
        }
        int sizeClass = first.sizeClass();
        if (!waitQueue.hasWaiters()) {
            int count = Slot.count(first);
            afterGiveBack(sizeClass, count, slabs.giveBack(first));
            return;
        }
        IntrusiveList<WaitQueue.Waiter> due = new IntrusiveList<>();
        try {
            Slot rest = null;
            int left = 0;
            for (Slot slot = first, next; slot != null; slot = next) {
                next = slot.next;
                slot.next = null;
                if (!handOver(slot, due)) {
                    slot.next = rest;
                    rest = slot;
                    left++;
                }
            }
            int unused = slabs.giveBack(rest);
            afterGiveBack(sizeClass, left - due.size(), due.isEmpty() ? unused : 0);
        } finally {
            wakeUps.wake(due);
        }
    }

    /** Serves the waiters that looked too early: before these slots, all of one class, were in their slabs. */
    private void afterGiveBack(int sizeClass, int count, int unused) {
        if (waitQueue.hasWaiters()) {
            if (unused > 0) {
                offerRoom();
            }
            handOut(sizeClass, count);
        }
    }

    /**
     * Gives a slot to the thread that is the first to wait for its class: true when it was given, or was revoked. If a wake-up is the first,
     * adds it to {@code due}, to be called once the slot is in its slab.
     */
    private boolean handOver(Slot slot, IntrusiveList<WaitQueue.Waiter> due) {
        int sizeClass = slot.sizeClass();
        return hasWaiters(sizeClass)
                && slabs.mayHandOver(slot.slab, () -> waitQueue.isOldest(sizeClass))
                && waitQueue.handOver(slot, due);
    }

    /** Gives the waiters of a class at most {@code most} free slots. Leaves out unused slabs: those are room for any class. */
    void handOut(int sizeClass, int most) {
        if (most <= 0 || !hasWaiters(sizeClass)) {
            return;
        }
        transfer(() -> {
            IntrusiveList<WaitQueue.Waiter> due = new IntrusiveList<>();
            try {
                boolean more = true;
                for (int left = Math.min(most, slabs.freeInUse(sizeClass)); more && left > 0; left--) {
                    if (waitQueue.isThreadFirst(sizeClass)) {
                        Slot one = slabs.take(sizeClass, 1);
                        more = one != null && handOver(one, due);
                        if (one != null && !more) {
                            slabs.giveBack(one); // the first waiter has just left
                        }
                    } else {
                        more = waitQueue.pollWakeUp(sizeClass, due);
                    }
                }
            } finally {
                wakeUps.wake(due);
            }
        });
    }

    /**
     * Calls waiters of any class, the oldest first, as many as the room suffices for. Room is the unused regions, the dropped regions that
     * can be adopted, and what is left under the cap. Without memory for this the tick does it.
     */
    void offerRoom() {
        IntrusiveList<WaitQueue.Waiter> due = new IntrusiveList<>();
        try {
            while (callFor(regions.room(), due)) {
                // the room of a waiter that has just left is for those behind it
            }
        } catch (OutOfMemoryError e) {
            // the caller has made the room, and the next tick calls for it
        } finally {
            wakeUps.wake(due);
        }
    }

    /** Calls all waiters, so that they find the pool closed. */
    void callAll() {
        IntrusiveList<WaitQueue.Waiter> due = new IntrusiveList<>();
        try {
            waitQueue.callAll(due);
        } finally {
            wakeUps.wake(due);
        }
    }

    /** Calls, once, the waiters that the room suffices for; true when one of them has left meanwhile. */
    private boolean callFor(long room, IntrusiveList<WaitQueue.Waiter> due) {
        TreeMap<Integer, Integer> pieces = new TreeMap<>(); // how many there are of each size
        IntConsumer one = bytes -> pieces.merge(bytes, 1, Integer::sum);
        slabs.eachUnused(one);
        regions.eachAdoptable(one);
        long left = room;
        boolean hasLeft = false;
        long[] shares = new long[classes.count() + 1]; // what is left of the region that a class was called for
        for (WaitQueue.Waiter waiter : waitQueue.all()) {
            boolean alone = waiter.sizeClass == SizeClasses.OVERSIZE;
            int row = waiter.sizeClass - SizeClasses.OVERSIZE;
            int bytes = Math.max(1, waiter.bytes);
            if (shares[row] >= bytes) {
                shares[row] -= bytes;
                if (waiter.isThread()) {
                    continue; // the first of its class is called, and serves this one when it leaves
                }
            } else {
                int most = views ? Integer.MAX_VALUE : alone ? Region.mostAlone(bytes) : bytes;
                Integer piece = pieces.ceilingKey(bytes);
                if (piece != null && piece <= most) {
                    pieces.computeIfPresent(piece, (size, n) -> n == 1 ? null : n - 1);
                    shares[row] = alone ? 0 : piece - bytes;
                } else if (bytes <= left) {
                    left -= bytes;
                } else {
                    continue;
                }
            }
            hasLeft |= !waitQueue.callOne(waiter, due);
        }
        return hasLeft;
    }

    /** Runs work that moves slots, and after it the wake-ups that become due. */
    void transfer(Runnable work) {
        wakeUps.batch(() -> {
            track(work);
            return null;
        });
    }

    void track(Runnable work) {
        inTransit.incrementAndGet();
        try {
            work.run();
        } finally {
            inTransit.decrementAndGet();
        }
    }

    /**
     * Whether an acquire that found nothing should look again: other threads were moving free slots, or the collector has begun to take a
     * dropped region and the budget does not know yet. Waits for that, but at most {@link #TRANSIT_NANOS}.
     */
    @SuppressWarnings("ThreadPriorityCheck") // with one core, the thread that is waited for could not run otherwise
    boolean awaitTransit() {
        long start = System.nanoTime();
        boolean found = regions.makeRoom(regionSize);
        boolean moved = false;
        while (!found
                && (inTransit.get() > 0 || regions.isAnyUnreachable())
                && System.nanoTime() - start < TRANSIT_NANOS) {
            Thread.yield();
            moved |= inTransit.get() == 0;
            found = regions.collect() > 0;
        }
        return found || moved && inTransit.get() == 0 && !regions.isAnyUnreachable();
    }

    /** Closes arenas of dropped regions, as {@link RegionAllocator#closeArenas} says, and calls waiters for the room. With no lock held. */
    void closeArenas() {
        closeArenas(Long.MAX_VALUE);
    }

    /** Closes arenas as {@link #closeArenas()} does, for about {@code nanos} nanoseconds; the tick closes the rest. */
    void closeArenas(long nanos) {
        if (regions.closeArenas(nanos) && waitQueue.hasWaiters()) {
            offerRoom();
        }
    }

    /** Closes about one arena, if the slab of this slot dissolved when the slot was returned or retired. */
    void closeArenas(Slot slot) {
        if (slot.slab.isDissolved() && regions.closeOneArena() && waitQueue.hasWaiters()) {
            offerRoom();
        }
    }

    /** Returns slots that no thread has used since the last look. If nobody waits, their slabs still count as idle. */
    void giveBackUnused(@Nullable Slot first) {
        if (first == null || waitQueue.hasWaiters()) {
            giveBack(first);
            return;
        }
        int count = Slot.count(first);
        slabs.giveBack(first, true);
        afterGiveBack(first.sizeClass(), count, 1);
    }

    /** Gives the waiters everything that is free in slabs or regions. */
    void serveAll() {
        offerRoom();
        for (int c = 0; c < classes.count(); c++) {
            handOut(c, Integer.MAX_VALUE);
        }
    }
}

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

/**
 * Where free slots go, and what hears of room: the waitQueue, in their order, or home.
 *
 * <p>Any thread, with no lock held: wake-ups are the user's.
 */
final class HandOff {
    /*
     *   a slot has come free                         -> the first waiter for its class; home without one
     *   it empties its region, or bytes come back    -> the oldest waiters that these suffice for are called to look for themselves
     *
     * A thread is given its slot (WaitQueue, W1). A wake-up is called once what it is called for lies open. Room lies open to all:
     * a running thread may overtake those that are called, and the tick calls again. What is in a thread's hands on its way home
     * nobody else can see: `moving` says so to an acquire that would be refused.
     */
    /** How long an acquire waits, before it is refused, for memory that others are just moving. */
    private static final long TRANSIT_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final PoolState pool;
    private final SizeClasses classes;
    private final RegionAllocator regions;
    private final SlabStore slabs;
    private final WaitQueue waitQueue;
    private final WakeUps wakeUps;
    private final boolean views;

    /** How many threads have slots in their hands that nobody else can see; no user code runs meanwhile. */
    private final AtomicInteger inTransit = new AtomicInteger();

    HandOff(
            PoolState pool,
            SizeClasses classes,
            RegionAllocator regions,
            SlabStore slabs,
            WaitQueue waitQueue,
            WakeUps wakeUps) {
        this.pool = pool;
        this.classes = classes;
        this.regions = regions;
        this.slabs = slabs;
        this.waitQueue = waitQueue;
        this.wakeUps = wakeUps;
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

    /** Runs {@code work}, and after it the wake-ups that became due in it. */
    void batch(Runnable work) {
        wakeUps.batch(work);
    }

    /** Brings free slots of one class back into their slabs, or straight to the waiters for them. */
    void giveBack(Slot[] slots, int count) {
        if (count == 0) {
            return;
        }
        if (!waitQueue.hasWaiters()) {
            afterGiveBack(slots, count, slabs.giveBack(slots, count));
            return;
        }
        IntrusiveList<WaitQueue.Waiter> due = new IntrusiveList<>();
        try {
            int left = handOver(slots, count, due);
            int unused = slabs.giveBack(slots, left);
            afterGiveBack(slots, left - due.size(), due.isEmpty() ? unused : 0);
        } finally {
            wakeUps.wake(due);
        }
    }

    /** Slots of one class are at home by now. Whoever waits since a moment ago has looked before that. */
    private void afterGiveBack(Slot[] slots, int count, int unused) {
        if (waitQueue.hasWaiters()) {
            if (unused > 0) {
                offerRoom();
            }
            handOut(slots[0].sizeClass(), count);
        }
    }

    /**
     * Gives slots to the threads that wait for their class, and moves the others to the start; says how many. Wake-ups that are to be
     * called when those are at home are {@code due}.
     */
    private int handOver(Slot[] slots, int count, IntrusiveList<WaitQueue.Waiter> due) {
        int left = 0;
        for (int i = 0; i < count; i++) {
            Slot slot = slots[i];
            int sizeClass = slot.sizeClass();
            boolean may = hasWaiters(sizeClass) && slabs.mayHandOver(slot.slab, () -> waitQueue.isOldest(sizeClass));
            if (!may || !waitQueue.handOver(slot, due)) {
                slots[left++] = slot;
            }
        }
        return left;
    }

    /** Gives the waiters for a class at most so many slots that are at home, none of them of a whole slab: that is room for any class. */
    void handOut(int sizeClass, int most) {
        if (most <= 0 || !hasWaiters(sizeClass)) {
            return;
        }
        transfer(() -> {
            IntrusiveList<WaitQueue.Waiter> due = new IntrusiveList<>();
            try {
                Slot[] one = new Slot[1];
                boolean more = true;
                for (int left = Math.min(most, slabs.freeInUse(sizeClass)); more && left > 0; left--) {
                    if (waitQueue.isThreadFirst(sizeClass)) {
                        int n = slabs.take(sizeClass, one, 1);
                        more = n > 0 && handOver(one, n, due) == 0;
                        slabs.giveBack(one, n > 0 && !more ? 1 : 0); // the first has just gone
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
     * Calls waitQueue, whatever they wait for, the oldest first, as many as the unused regions, the dropped ones that can be used again, and
     * the room under the cap suffice for. With no memory for that the tick does it.
     */
    void offerRoom() {
        IntrusiveList<WaitQueue.Waiter> due = new IntrusiveList<>();
        try {
            while (callFor(regions.room(), due)) {
                // what was meant for one that has just left is for those behind it
            }
        } catch (OutOfMemoryError e) {
            // the caller has made the room, and the next tick calls for it
        } finally {
            wakeUps.wake(due);
        }
    }

    /** Calls all, so that they find the pool closed. */
    void callAll() {
        IntrusiveList<WaitQueue.Waiter> due = new IntrusiveList<>();
        try {
            waitQueue.callAll(due);
        } finally {
            wakeUps.wake(due);
        }
    }

    /** Once; true when somebody has left meanwhile. */
    private boolean callFor(long room, IntrusiveList<WaitQueue.Waiter> due) {
        TreeMap<Integer, Integer> pieces = new TreeMap<>(); // how many there are of each size
        IntConsumer one = bytes -> pieces.merge(bytes, 1, Integer::sum);
        slabs.eachUnused(one);
        regions.eachAdoptable(one);
        long left = room;
        boolean hasLeft = false;
        long[] shares = new long[classes.count() + 1]; // what is left of the piece that a class was called for
        for (WaitQueue.Waiter waiter : waitQueue.all()) {
            boolean alone = waiter.sizeClass == SizeClasses.OVERSIZE;
            int row = waiter.sizeClass - SizeClasses.OVERSIZE;
            int bytes = Math.max(1, waiter.bytes);
            if (shares[row] >= bytes) {
                shares[row] -= bytes;
                if (waiter.isThread()) {
                    continue; // the first of its class is called, and serves it as it leaves
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

    /** Runs what has slots in its hands; the wake-ups that follow from it come after it. */
    void transfer(Runnable work) {
        wakeUps.batch(() -> track(work));
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
     * Whether an acquire that found nothing should look again: others had free memory in their hands, or the collector has begun to
     * take a dropped region and the budget has not heard of it. Waits for them, but not for long.
     */
    @SuppressWarnings("ThreadPriorityCheck") // with one core, whom it waits for could not run otherwise
    boolean awaitTransit() {
        long start = System.nanoTime();
        boolean heard = regions.makeRoom(pool.settings().regionSize());
        boolean moved = false;
        while (!heard && (inTransit.get() > 0 || regions.isAnyDying()) && System.nanoTime() - start < TRANSIT_NANOS) {
            Thread.yield();
            moved |= inTransit.get() == 0;
            heard = regions.collect() > 0;
        }
        return heard || moved && inTransit.get() == 0 && !regions.isAnyDying();
    }

    /** Gives back what was dropped (as {@link RegionAllocator#closeArenas} says), and calls waiters for the room. With no lock held. */
    void closeArenas() {
        closeArenas(Long.MAX_VALUE);
    }

    /** The same for about so many nanoseconds; the tick does the rest. */
    void closeArenas(long nanos) {
        if (regions.closeArenas(nanos) && waitQueue.hasWaiters()) {
            offerRoom();
        }
    }

    /** The same of what ended as this slot came home or was retired. */
    void closeArenas(Slot slot) {
        if (slot.slab.isDissolved() && regions.closeOneArena() && waitQueue.hasWaiters()) {
            offerRoom();
        }
    }

    /** The same for slots that nobody has used since they were last looked at. */
    void giveBackUnused(Slot[] slots, int count) {
        if (waitQueue.hasWaiters()) {
            giveBack(slots, count);
            return;
        }
        slabs.giveBack(slots, count, true);
        if (count > 0) {
            afterGiveBack(slots, count, 1);
        }
    }

    /** Gives the waiters whatever lies open. */
    void serveAll() {
        offerRoom();
        for (int c = 0; c < classes.count(); c++) {
            handOut(c, Integer.MAX_VALUE);
        }
    }
}

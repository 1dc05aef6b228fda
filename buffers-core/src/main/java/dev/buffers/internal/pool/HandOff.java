package dev.buffers.internal.pool;

import dev.buffers.internal.failsafe.IntrusiveList;
import dev.buffers.internal.memory.Region;
import dev.buffers.internal.memory.RegionAllocator;
import dev.buffers.internal.signals.PoolState;
import dev.buffers.internal.slab.SizeClasses;
import dev.buffers.internal.slab.SlabStore;
import dev.buffers.internal.slab.Slot;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
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
     *   a wake-up is due                                     -> called, one after the other; without memory or stack, given to Callbacks
     *
     * A thread is given its slot (WaitQueue, W1). A wake-up is called when its room can be found. Any thread can find that room: a running
     * thread may overtake those that are called, and the tick calls again. No other thread sees slots that one thread is moving into their
     * slabs; an acquire that would be refused learns of them from `inTransit`.
     *
     * `waking` is the list of wake-ups that the current thread is calling, or will call when its batch ends. What becomes due meanwhile is
     * added to it: if a wake-up makes room itself, the next ones are called after it, not within it.
     */
    /** How long an acquire waits, before it is refused, for memory that others are just moving. */
    private static final long TRANSIT_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final PoolState pool;
    private final SizeClasses classes;
    private final RegionAllocator regions;
    private final SlabStore slabs;
    private final WaitQueue waitQueue;
    private final boolean views;

    /** How many threads move slots that no other thread can see; no user code runs meanwhile. */
    private final AtomicInteger inTransit = new AtomicInteger();

    @SuppressWarnings("ThreadLocalUsage") // one for each pool, set only while wake-ups run
    private final ThreadLocal<@Nullable IntrusiveList<WaitQueue.Waiter>> waking = new ThreadLocal<>();

    HandOff(PoolState pool, SizeClasses classes, RegionAllocator regions, SlabStore slabs, WaitQueue waitQueue) {
        this.pool = pool;
        this.classes = classes;
        this.regions = regions;
        this.slabs = slabs;
        this.waitQueue = waitQueue;
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
        thenWake(due -> due.add(waiter.link));
    }

    /** Runs {@code work}, then the wake-ups that it adds to the list. */
    void thenWake(Consumer<IntrusiveList<WaitQueue.Waiter>> work) {
        IntrusiveList<WaitQueue.Waiter> due = new IntrusiveList<>();
        try {
            work.accept(due);
        } finally {
            if (!due.isEmpty()) {
                batch(due, () -> null);
            }
        }
    }

    /** Runs {@code work}, then the wake-ups that it made due; returns what the work does. */
    <T extends @Nullable Object> T batch(Supplier<T> work) {
        return batch(new IntrusiveList<>(), work);
    }

    private <T extends @Nullable Object> T batch(IntrusiveList<WaitQueue.Waiter> due, Supplier<T> work) {
        try {
            IntrusiveList<WaitQueue.Waiter> outer = waking.get();
            if (outer != null) {
                outer.addAll(due);
                return work.get();
            }
            waking.set(due);
            try {
                return work.get();
            } finally {
                callEach(due);
            }
        } finally { // those that could not be called have left their queue, and would be lost
            for (WaitQueue.Waiter next = due.poll(); next != null; next = due.poll()) {
                pool.callbacks().add(Objects.requireNonNull(next.wake));
            }
        }
    }

    /** Calls the wake-ups of a list in this thread; if that is the daemon, the pool's callback thread calls them. */
    private void callEach(IntrusiveList<WaitQueue.Waiter> due) {
        try {
            for (WaitQueue.Waiter next = due.poll(); next != null; next = due.poll()) {
                pool.call(Objects.requireNonNull(next.wake));
            }
        } finally {
            waking.remove();
        }
    }

    /** Returns linked free slots of one class to their slabs, or gives them straight to the waiters of that class. */
    void giveBack(@Nullable Slot first) {
        giveBack(first, false);
    }

    /** The same. {@code untouched}: no thread has used the slots since the last look, so their slabs still count as idle. */
    void giveBack(@Nullable Slot first, boolean untouched) {
        if (first == null) {
            return;
        }
        int sizeClass = first.sizeClass();
        if (!waitQueue.hasWaiters()) {
            int count = Slot.count(first);
            afterGiveBack(sizeClass, count, slabs.giveBack(first, untouched));
            return;
        }
        thenWake(due -> {
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
            int unused = slabs.giveBack(rest, untouched);
            afterGiveBack(sizeClass, left - due.size(), due.isEmpty() ? unused : 0);
        });
    }

    /** Serves the waiters that looked too early: before these slots, all of one class, were in their slabs. */
    private void afterGiveBack(int sizeClass, int count, int unused) {
        if (unused > 0) {
            offerRoom();
        }
        handOut(sizeClass, count);
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
        transfer(() -> thenWake(due -> {
            boolean more = true;
            for (int left = Math.min(most, slabs.freeInUse(sizeClass)); more && left > 0; left--) {
                int called = due.size();
                Slot one = slabs.take(sizeClass, 1);
                more = one != null && handOver(one, due);
                if (one != null && !more) {
                    slabs.giveBack(one); // the first waiter is a wake-up, which finds it there, or has just left
                    more = due.size() > called;
                }
            }
        }));
    }

    /**
     * Calls waiters of any class, the oldest first, as many as the room suffices for. Room is the unused regions, the dropped regions that
     * can be adopted, and what is left under the cap. Without memory for this the tick does it.
     */
    void offerRoom() {
        if (!waitQueue.hasWaiters()) {
            return;
        }
        thenWake(due -> {
            try {
                while (callFor(regions.room(), due)) {
                    // the room of a waiter that has just left is for those behind it
                }
            } catch (OutOfMemoryError e) {
                // the caller has made the room, and the next tick calls for it
            }
        });
    }

    /** Calls all waiters, so that they find the pool closed. */
    void callAll() {
        thenWake(due -> waitQueue.all().forEach(waiter -> waitQueue.call(waiter, due)));
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
            hasLeft |= !waitQueue.call(waiter, due);
        }
        return hasLeft;
    }

    /** Runs work that moves slots, and after it the wake-ups that become due. */
    void transfer(Runnable work) {
        batch(() -> {
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
        boolean found = regions.makeRoom(pool.settings().regionSize());
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

    /** Closes arenas of dropped regions for about {@code nanos} nanoseconds, and calls waiters for the room; the tick closes the rest. */
    void closeArenas(long nanos) {
        if (regions.closeArenas(nanos)) {
            offerRoom();
        }
    }

    /** Closes about one arena, if the slab of this slot dissolved when the slot was returned or retired. */
    void closeArenas(Slot slot) {
        if (slot.slab.isDissolved() && regions.closeOneArena()) {
            offerRoom();
        }
    }

    /** Gives the waiters everything that is free in slabs or regions. */
    void serveAll() {
        offerRoom();
        for (int c = 0; waitQueue.hasWaiters() && c < classes.count(); c++) {
            handOut(c, Integer.MAX_VALUE);
        }
    }
}

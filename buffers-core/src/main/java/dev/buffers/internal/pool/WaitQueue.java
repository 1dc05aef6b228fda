package dev.buffers.internal.pool;

import dev.buffers.internal.failsafe.IntrusiveList;
import dev.buffers.internal.signals.Callbacks;
import dev.buffers.internal.signals.PoolState;
import dev.buffers.internal.slab.SizeClasses;
import dev.buffers.internal.slab.Slot;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The wait queue: the threads that wait in an {@code acquire}, and the wake-ups of {@code whenAvailable}, in the order of their arrival.
 *
 * <p>Any thread, under a lock of its own. Under the same lock the pool's pressure signal is set and cleared.
 */
public final class WaitQueue {
    /*
     *   class 0      T17 T20 W23          T: a thread, W: a wake-up, each with its ticket
     *   class 1      W18
     *   ...
     *   no class     T19 T24              the oldest of all: T17
     *
     * There is one list for each class and one for waiters without a class. To join, to leave and to be served allocates nothing.
     * A new waiter goes to the end of its list; `isFirst` and `handOver` look at the first. The tickets say which of all waiters is the oldest.
     *
     * W1  A waiting thread is given its slot before it leaves the queue, under the lock. So a thread that finds itself out of the queue has
     *     a slot, and a waiter that has left is given none. The slot's tenancy has begun and its view is out, so no thread can revoke it on
     *     the way. Regions are not given to a waiter: a thread is called to look for itself.
     * W2  A wake-up leaves the queue for the list of those that are due, and is called (HandOff). It is a hint: any thread can find the
     *     room that it is called for.
     * W3  Two things say that somebody waits for a slot: the pool's signal PRESSURE, for any class, and `waitingFor`, a count for each
     *     class. A waiter raises them first and then looks for room. After its compare-and-set a release reads the signal, and if it is
     *     set, the count of its own class; a slow one reads the count alone. So one of the two sees the other. A waiter without a class
     *     wants a region of its own and raises no signal, so no release is held up for it. It can use only unused slabs (all slots free
     *     and in the slab); for these the tick revokes all free slots, wherever they are.
     *
     *   field                       written by                           mode             read by
     *   links, tickets, ticket      the waiter that comes or leaves,     under the lock   under the lock
     *                               the thread that serves it
     *   waiting, waitingFor         as the links                         volatile         any release, any acquire that misses
     *   view, slot of a waiter      the thread that serves it, `slot`    `slot` volatile, the thread that waits, without the lock
     *                               last, under the lock                 `view` plain
     *   calls                       the thread that calls                under the lock,  the thread that waits
     *                                                                    volatile
     *   links of a wake-up that     the thread that calls it             plain            the thread that calls it
     *   has left
     */
    private final PoolState pool;
    private final IntrusiveList<Waiter>[] queues;
    private long tickets;
    private volatile int waiting;

    /** How many wait for each class; element 0 is for waiters without a class. */
    private final AtomicIntegerArray waitingFor;

    @SuppressWarnings({"unchecked", "rawtypes"})
    public WaitQueue(PoolState pool, int sizeClasses) {
        this.pool = pool;
        this.waitingFor = new AtomicIntegerArray(sizeClasses + 1);
        this.queues = new IntrusiveList[sizeClasses + 1];
        Arrays.setAll(queues, i -> new IntrusiveList<>());
    }

    /** A waiter: for a slot of a class, or for {@code bytes} bytes to cut it from. */
    public static final class Waiter {
        final int bytes;
        final int sizeClass;
        final long since = System.nanoTime();

        /** Null for a thread. */
        final Callbacks.@Nullable Callback wake;

        private final @Nullable Thread thread;
        private long ticket;

        /** Its place in its queue, or among the wake-ups that are due. */
        final IntrusiveList.Link<Waiter> link = new IntrusiveList.Link<>(this);

        private @Nullable ByteBuffer view;

        private volatile @Nullable Slot slot;

        private volatile int calls;

        public Waiter(int bytes, int sizeClass, Thread thread) {
            this.bytes = bytes;
            this.sizeClass = sizeClass;
            this.wake = null;
            this.thread = thread;
        }

        Waiter(int bytes, int sizeClass, Runnable wake) {
            this.bytes = bytes;
            this.sizeClass = sizeClass;
            this.wake = new Callbacks.Callback("a wake-up", wake);
            this.thread = null;
        }

        boolean isThread() {
            return thread != null;
        }

        /** The slot that this waiter was given, its tenancy begun and its view in {@linkplain #view() view()}; null before that. */
        public @Nullable Slot slot() {
            return slot;
        }

        public @Nullable ByteBuffer view() {
            return view;
        }

        /** How often this waiter was called to look for itself. */
        public int calls() {
            return calls;
        }
    }

    /** Adds a waiter at the end of its queue. */
    public synchronized void add(Waiter waiter) {
        waiter.ticket = tickets++;
        queue(waiter.sizeClass).add(waiter.link);
        count(waiter.sizeClass, 1);
    }

    /**
     * Takes a waiter out of its queue, even when the heap is full, or it would be given slots later. False when it has left already: it was
     * given its slot, or its wake-up is due.
     */
    public synchronized boolean remove(Waiter waiter) {
        if (!queue(waiter.sizeClass).remove(waiter.link)) {
            return false;
        }
        count(waiter.sizeClass, -1);
        return true;
    }

    /** How many waiters have come so far. */
    synchronized long tickets() {
        return tickets;
    }

    /** Whether any waiter waits for a slot of this class. */
    boolean hasWaiters(int sizeClass) {
        return waitingFor.get(sizeClass - SizeClasses.OVERSIZE) > 0;
    }

    /** Whether any waiter waits, for whatever. */
    boolean hasWaiters() {
        return waiting > 0;
    }

    int size() {
        return waiting;
    }

    /** Whether this waiter is the first in its queue. */
    synchronized boolean isFirst(Waiter waiter) {
        return queue(waiter.sizeClass).peek() == waiter;
    }

    /** Whether the first waiter for this class has waited longest of all. */
    boolean isOldest(int sizeClass) {
        Waiter oldest = oldest();
        return oldest != null && oldest.sizeClass == sizeClass;
    }

    /** The waiter that has waited longest, for whatever; null when there is none. */
    synchronized @Nullable Waiter oldest() {
        Waiter oldest = null;
        for (IntrusiveList<Waiter> queue : queues) {
            Waiter first = queue.peek();
            if (first != null && (oldest == null || first.ticket < oldest.ticket)) {
                oldest = first;
            }
        }
        return oldest;
    }

    /**
     * Gives a free slot, owned by the caller, to the first waiter for its class if that is a thread. If it is a wake-up, it moves from the
     * queue to {@code due}, to be called when the slot can be found. True when the caller no longer owns the slot: it was given, or it is a
     * revoked slot.
     */
    public boolean handOver(Slot slot, IntrusiveList<Waiter> due) {
        Waiter waiter;
        synchronized (this) {
            waiter = queue(slot.sizeClass()).peek();
            if (waiter == null) {
                return false;
            }
            if (!waiter.isThread()) {
                remove(waiter);
                due.add(waiter.link);
                return false;
            }
            ByteBuffer view = slot.beginAndTake();
            if (view == null) {
                return true;
            }
            waiter.view = view;
            waiter.slot = slot;
            remove(waiter);
        }
        LockSupport.unpark(waiter.thread);
        return true;
    }

    /** All waiters, the oldest first. */
    List<Waiter> all() {
        List<Waiter> all = new ArrayList<>();
        synchronized (this) {
            for (IntrusiveList<Waiter> queue : queues) {
                for (IntrusiveList.Link<Waiter> link = queue.first(); link != null; link = link.next()) {
                    all.add(link.it);
                }
            }
        }
        all.sort(Comparator.comparingLong(waiter -> waiter.ticket));
        return all;
    }

    /**
     * Calls a waiter to look for itself: a thread keeps its place, a wake-up moves from the queue to {@code due}. False when it has left.
     */
    @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
    public synchronized boolean call(Waiter waiter, IntrusiveList<Waiter> due) {
        if (!queue(waiter.sizeClass).has(waiter.link)) {
            return false;
        }
        if (!waiter.isThread()) {
            remove(waiter);
            due.add(waiter.link);
        } else if (waiter.thread != Thread.currentThread()) { // the current thread is just looking
            waiter.calls++;
            LockSupport.unpark(waiter.thread);
        }
        return true;
    }

    /** With the lock held: counts {@code more} waiters for a class, 1 or -1. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
    private void count(int sizeClass, int more) {
        waiting += more;
        waitingFor.addAndGet(sizeClass - SizeClasses.OVERSIZE, more);
        boolean pressure = waiting > waitingFor.get(0);
        if (pressure != pool.isUnderPressure()) {
            pool.signal(PoolState.PRESSURE, pressure);
        }
    }

    private IntrusiveList<Waiter> queue(int sizeClass) {
        return queues[sizeClass - SizeClasses.OVERSIZE];
    }
}

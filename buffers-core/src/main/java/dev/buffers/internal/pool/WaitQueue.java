package dev.buffers.internal.pool;

import dev.buffers.internal.failsafe.AllocationFreeLock;
import dev.buffers.internal.failsafe.IntrusiveList;
import dev.buffers.internal.signals.Callbacks;
import dev.buffers.internal.signals.PoolState;
import dev.buffers.internal.slab.SizeClasses;
import dev.buffers.internal.slab.Slot;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The wait queue: the threads that wait in an {@code acquire}, and the wake-ups of {@code whenAvailable}, in the order in which
 * they came.
 *
 * <p>Any thread, under a lock of its own, under which the pool's pressure is raised and lowered.
 */
public final class WaitQueue {
    /*
     *   class 0      T17 T20 W23          T: a thread, W: a wake-up, and the ticket of each
     *   class 1      W18
     *   ...
     *   no class     T19 T24              the oldest of all: T17
     *
     * One ring for each class and one for what has no class: to come, to leave and to be
     * served need no memory. The tickets say which waiter of them all is the oldest.
     *
     * W1  A thread that waits is given its slot before it leaves the queue, under the lock; so a thread that finds itself out
     *     of the queue has a slot, and nothing is given to one that has gone. The slot's tenancy has begun and its view is out,
     *     so that nobody revokes it on the way. Regions are given to nobody: a thread is called to look for itself.
     * W2  A wake-up leaves the queue for the line of those that are due, and is called (WakeUps). It is a hint: what it is called
     *     for lies open to all.
     * W3  Pressure belongs to what is wanted. That of a class is up exactly while somebody is in its queue: a waiter raises it
     *     first and then looks for room; a release of a slot of the class reads it after its compare-and-set: one of
     *     the two sees the other. A wait for what has no class, a region of its own, raises none: no release of another
     *     size is held up for it. What it can use lies in slabs that have to come whole, for which the tick revokes all
     *     free slots, wherever they are.
     *
     *   field                       written by                           mode             read by
     *   links, tickets, waiting,    the waiter that comes or leaves,     under the lock   under the lock
     *   ticket                      the thread that serves it
     *   view, slot of a waiter      the thread that serves it, `slot`    volatile         the thread that waits, in no lock
     *                               last, under the lock
     *   waitingFor                  as the links                         volatile         any release, any acquire that misses
     *   look, calls                 the thread that calls, under the     volatile         the thread that waits
     *                               lock; the waiter, `look` to false
     *   links of a wake-up that     the thread that calls it             plain            the same
     *   has left
     */
    private final PoolState pool;
    private final AllocationFreeLock lock = new AllocationFreeLock();
    private final List<IntrusiveList<Waiter>> queues = new ArrayList<>();
    private long tickets;
    private volatile int waiting;
    private int waitingForSlots;

    /** How many wait for each class, and first for what has none. */
    private final AtomicIntegerArray waitingFor;

    public WaitQueue(PoolState pool, int sizeClasses) {
        this.pool = pool;
        this.waitingFor = new AtomicIntegerArray(sizeClasses + 1);
        for (int i = 0; i <= sizeClasses; i++) {
            queues.add(new IntrusiveList<>());
        }
    }

    /** One that waits: for a slot of a class, or for as many bytes to cut it from. */
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

        private volatile boolean look;

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

        /** The slot that it was given, its tenancy begun and its view {@linkplain #view() here}; null before that. */
        public @Nullable Slot slot() {
            return slot;
        }

        public @Nullable ByteBuffer view() {
            return view;
        }

        /** How often it was called to look for itself. */
        int calls() {
            return calls;
        }

        /** By the thread that waits: whether it was called since it last asked. */
        public boolean mayLook() {
            if (!look) {
                return false; // and leaves it so: somebody may just be setting it
            }
            look = false;
            return true;
        }
    }

    /** At the end of its queue. */
    public void add(Waiter waiter) {
        lock.lock();
        try {
            waiter.ticket = tickets++;
            queue(waiter.sizeClass).add(waiter.link);
            count(waiter.sizeClass, 1);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes a waiter out of its queue; not even a full heap prevents it, or it would be given slots later. False when it has left already:
     * it was given what it waited for, or is called.
     */
    public boolean remove(Waiter waiter) {
        lock.lock();
        try {
            return leave(waiter);
        } finally {
            lock.unlock();
        }
    }

    /** How many have come so far. */
    long tickets() {
        lock.lock();
        try {
            return tickets;
        } finally {
            lock.unlock();
        }
    }

    /** Whether somebody waits for a slot of this class. */
    boolean hasWaiters(int sizeClass) {
        return waitingFor.get(sizeClass - SizeClasses.OVERSIZE) > 0;
    }

    /** Whether somebody waits, for whatever. */
    boolean hasWaiters() {
        return waiting > 0;
    }

    int size() {
        return waiting;
    }

    /** Whether nobody has waited longer for a slot of this class. */
    boolean isFirst(Waiter waiter) {
        lock.lock();
        try {
            return first(waiter.sizeClass) == waiter;
        } finally {
            lock.unlock();
        }
    }

    /** Whether the first waiter for a slot of this class is a thread. */
    boolean isThreadFirst(int sizeClass) {
        lock.lock();
        try {
            Waiter first = first(sizeClass);
            return first != null && first.isThread();
        } finally {
            lock.unlock();
        }
    }

    /** Whether the first waiter for this class has waited longest of all. */
    boolean isOldest(int sizeClass) {
        Waiter oldest = oldest();
        return oldest != null && oldest.sizeClass == sizeClass;
    }

    /** The waiter that has waited longest, for whatever; null without any. */
    @Nullable Waiter oldest() {
        lock.lock();
        try {
            Waiter oldest = null;
            for (IntrusiveList<Waiter> queue : queues) {
                IntrusiveList.Link<Waiter> first = queue.first();
                if (first != null && (oldest == null || first.it.ticket < oldest.ticket)) {
                    oldest = first.it;
                }
            }
            return oldest;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Gives a free slot, owned by the caller, to the first waiter for its class, if that is a thread. If it is a wake-up, that leaves
     * the queue for {@code due}, to be called once the slot lies where it can be found. True when the slot is the caller's no more:
     * given, or a revoked slot.
     */
    public boolean handOver(Slot slot, IntrusiveList<Waiter> due) {
        Waiter waiter;
        lock.lock();
        try {
            waiter = first(slot.sizeClass());
            if (waiter == null) {
                return false;
            }
            if (!waiter.isThread()) {
                leave(waiter);
                due.add(waiter.link);
                return false;
            }
            ByteBuffer view = slot.beginAndTake();
            if (view == null) {
                return true;
            }
            waiter.view = view;
            waiter.slot = slot;
            leave(waiter);
        } finally {
            lock.unlock();
        }
        LockSupport.unpark(waiter.thread);
        return true;
    }

    /** The first waiter for a class leaves the queue for {@code due}, if it is a wake-up; false when it is none. */
    boolean pollWakeUp(int sizeClass, IntrusiveList<Waiter> due) {
        lock.lock();
        try {
            Waiter first = first(sizeClass);
            if (first == null || first.isThread()) {
                return false;
            }
            leave(first);
            due.add(first.link);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** All that wait, the oldest first. */
    List<Waiter> all() {
        List<Waiter> all = new ArrayList<>();
        lock.lock();
        try {
            for (IntrusiveList<Waiter> queue : queues) {
                for (IntrusiveList.Link<Waiter> link = queue.first(); link != null; link = link.next()) {
                    all.add(link.it);
                }
            }
        } finally {
            lock.unlock();
        }
        all.sort(Comparator.comparingLong(waiter -> waiter.ticket));
        return all;
    }

    /** Has everybody look, as {@link #callOne} says. */
    void callAll(IntrusiveList<Waiter> due) {
        lock.lock();
        try {
            for (IntrusiveList<Waiter> queue : queues) {
                for (IntrusiveList.Link<Waiter> link = queue.first(), next; link != null; link = next) {
                    next = link.next();
                    callLocked(link.it, due);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Has a waiter look for itself: a thread keeps its place, a wake-up leaves the queue for {@code due}. False when it waits no more.
     */
    public boolean callOne(Waiter waiter, IntrusiveList<Waiter> due) {
        lock.lock();
        try {
            return callLocked(waiter, due);
        } finally {
            lock.unlock();
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
    private boolean callLocked(Waiter waiter, IntrusiveList<Waiter> due) {
        if (!queue(waiter.sizeClass).has(waiter.link)) {
            return false;
        }
        if (!waiter.isThread()) {
            leave(waiter);
            due.add(waiter.link);
        } else if (waiter.thread != Thread.currentThread()) { // that one is just looking
            waiter.calls++;
            waiter.look = true;
            LockSupport.unpark(waiter.thread);
        }
        return true;
    }

    /** With the lock held: one more or one less waits for a class. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
    private void count(int sizeClass, int more) {
        waiting += more;
        waitingFor.addAndGet(sizeClass - SizeClasses.OVERSIZE, more);
        if (sizeClass != SizeClasses.OVERSIZE) {
            waitingForSlots += more;
            if (waitingForSlots == Math.max(0, more)) {
                pool.signal(PoolState.PRESSURE, more > 0);
            }
        }
    }

    private IntrusiveList<Waiter> queue(int sizeClass) {
        return queues.get(sizeClass - SizeClasses.OVERSIZE);
    }

    private @Nullable Waiter first(int sizeClass) {
        IntrusiveList.Link<Waiter> first = queue(sizeClass).first();
        return first == null ? null : first.it;
    }

    /** With the lock held: takes a waiter out of its queue; false when it has left already. */
    private boolean leave(Waiter waiter) {
        if (!queue(waiter.sizeClass).remove(waiter.link)) {
            return false;
        }
        count(waiter.sizeClass, -1);
        return true;
    }
}

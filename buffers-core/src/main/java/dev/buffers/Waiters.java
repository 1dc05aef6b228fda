package dev.buffers;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The wait queue: the threads that wait in an {@code acquire}, and the wake-ups of {@code whenAvailable}, in the order in which
 * they came.
 *
 * <p>Any thread, under a lock of its own, under which the pool's pressure is raised and lowered.
 */
final class Waiters {
    /*
     *   class 0      T17 T20 W23          T: a thread, W: a wake-up, and the ticket of each
     *   class 1      W18
     *   ...
     *   no class     T19 T24              the oldest of all: T17
     *
     * One list for each class and one for what has no class, linked through the waiters themselves: to come, to leave and to be
     * served need no memory. The tickets say which waiter of them all is the oldest.
     *
     * W1  A thread that waits is given its slot before it leaves the queue, under the lock; so a thread that finds itself out
     *     of the queue has a slot, and nothing is given to one that has gone. The slot's tenancy has begun and its view is out,
     *     so that nobody recalls it on the way. Regions are given to nobody: a thread is called to look for itself.
     * W2  A wake-up leaves the queue for the line of those that are due, and is called (WakeUps). It is a hint: what it is called
     *     for lies open to all.
     * W3  Pressure belongs to what is wanted. That of a class is up exactly while somebody is in its queue: a waiter raises it
     *     first and then looks for room; a release of a slot of the class reads it after its compare-and-set: one of
     *     the two sees the other. A wait for what has no class, a region of its own, raises none: no release of another
     *     size is held up for it. What it can use lies in slabs that have to come whole, for which the tick recalls all
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
    private final SlabPool pool;
    private final ReentrantLock lock = new ReentrantLock();
    private final Line[] lines;
    private long tickets;
    private volatile int waiting;
    private int waitingForSlots;

    /** How many wait for each class, and first for what has none. */
    private final AtomicIntegerArray waitingFor;

    Waiters(SlabPool pool, int sizeClasses) {
        this.pool = pool;
        this.waitingFor = new AtomicIntegerArray(sizeClasses + 1);
        this.lines = new Line[sizeClasses + 1];
        for (int i = 0; i < lines.length; i++) {
            lines[i] = new Line();
        }
    }

    /** One that waits: for a slot of a class, or for as many bytes to cut it from. */
    static final class Waiter {
        final int bytes;
        final int sizeClass;
        final long since = System.nanoTime();

        /** Null for a thread. */
        final Callbacks.@Nullable Due wake;

        private final @Nullable Thread thread;
        private long ticket;

        /** The list it is in, and its neighbours there. */
        private @Nullable Line line;

        private @Nullable Waiter previous;

        private @Nullable Waiter next;

        private @Nullable ByteBuffer view;

        private volatile @Nullable Slot slot;

        private volatile boolean look;

        private volatile int calls;

        Waiter(int bytes, int sizeClass, Thread thread) {
            this.bytes = bytes;
            this.sizeClass = sizeClass;
            this.wake = null;
            this.thread = thread;
        }

        Waiter(int bytes, int sizeClass, Runnable wake) {
            this.bytes = bytes;
            this.sizeClass = sizeClass;
            this.wake = new Callbacks.Due("a wake-up", wake);
            this.thread = null;
        }

        boolean isThread() {
            return thread != null;
        }

        /** The slot that it was given, its tenancy begun and its view {@linkplain #view() here}; null before that. */
        @Nullable Slot slot() {
            return slot;
        }

        @Nullable ByteBuffer view() {
            return view;
        }

        /** How often it was called to look for itself. */
        int calls() {
            return calls;
        }

        /** By the thread that waits: whether it was called since it last asked. */
        boolean mayLook() {
            if (!look) {
                return false; // and leaves it so: somebody may just be setting it
            }
            look = false;
            return true;
        }
    }

    /** Waiters in the order in which they were added, linked through themselves; each in one line at most. */
    static final class Line {
        private @Nullable Waiter first;
        private @Nullable Waiter last;
        private int size;

        boolean isEmpty() {
            return first == null;
        }

        int size() {
            return size;
        }

        void add(Waiter waiter) {
            waiter.line = this;
            waiter.previous = last;
            if (last == null) {
                first = waiter;
            } else {
                last.next = waiter;
            }
            last = waiter;
            size++;
        }

        private void remove(Waiter waiter) {
            Waiter before = waiter.previous;
            Waiter after = waiter.next;
            if (before == null) {
                first = after;
            } else {
                before.next = after;
            }
            if (after == null) {
                last = before;
            } else {
                after.previous = before;
            }
            waiter.line = null;
            waiter.previous = null;
            waiter.next = null;
            size--;
        }

        @Nullable Waiter poll() {
            Waiter polled = first;
            if (polled != null) {
                remove(polled);
            }
            return polled;
        }

        void takeAll(Line from) {
            for (Waiter waiter = from.poll(); waiter != null; waiter = from.poll()) {
                add(waiter);
            }
        }
    }

    /** At the end of its queue. */
    void add(Waiter waiter) {
        lock.lock();
        try {
            waiter.ticket = tickets++;
            line(waiter.sizeClass).add(waiter);
            count(waiter.sizeClass, 1);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes a waiter out of its queue; not even a full heap prevents it, or it would be given slots later. False when it has left already:
     * it was given what it waited for, or is called.
     */
    boolean remove(Waiter waiter) {
        lockInAnyHeap(lock);
        try {
            return leave(waiter);
        } finally {
            lock.unlock();
        }
    }

    /** Not even a full heap keeps the caller from what it has to do under this lock. */
    @SuppressWarnings("ThreadPriorityCheck") // a lock that is free needs no memory
    static void lockInAnyHeap(ReentrantLock lock) {
        for (; ; ) {
            try {
                lock.lock();
                return;
            } catch (OutOfMemoryError e) {
                Thread.yield();
            }
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
    boolean isAnyone(int sizeClass) {
        return waitingFor.get(sizeClass - SizeClasses.OVERSIZE) > 0;
    }

    /** Whether somebody waits, for whatever. */
    boolean isAny() {
        return waiting > 0;
    }

    int size() {
        return waiting;
    }

    /** Whether nobody has waited longer for a slot of this class. */
    boolean isFirst(Waiter waiter) {
        lock.lock();
        try {
            return line(waiter.sizeClass).first == waiter;
        } finally {
            lock.unlock();
        }
    }

    /** Whether the first waiter for a slot of this class is a thread. */
    boolean isThreadFirst(int sizeClass) {
        lock.lock();
        try {
            Waiter first = line(sizeClass).first;
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
            for (Line line : lines) {
                Waiter first = line.first;
                if (first != null && (oldest == null || first.ticket < oldest.ticket)) {
                    oldest = first;
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
     * given, or a husk.
     */
    boolean handOver(Slot slot, Line due) {
        Waiter waiter;
        lock.lock();
        try {
            waiter = line(slot.sizeClass()).first;
            if (waiter == null) {
                return false;
            }
            if (!waiter.isThread()) {
                leave(waiter);
                due.add(waiter);
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
    boolean pollWakeUp(int sizeClass, Line due) {
        lock.lock();
        try {
            Waiter first = line(sizeClass).first;
            if (first == null || first.isThread()) {
                return false;
            }
            leave(first);
            due.add(first);
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
            for (Line line : lines) {
                for (Waiter waiter = line.first; waiter != null; waiter = waiter.next) {
                    all.add(waiter);
                }
            }
        } finally {
            lock.unlock();
        }
        all.sort(Comparator.comparingLong(waiter -> waiter.ticket));
        return all;
    }

    /** Has everybody look, as {@link #call} says. */
    void callAll(Line due) {
        for (Line line : lines) {
            callAll(line, due);
        }
    }

    private void callAll(Line line, Line due) {
        lock.lock();
        try {
            for (Waiter waiter = line.first, next; waiter != null; waiter = next) {
                next = waiter.next;
                callLocked(waiter, due);
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Has a waiter look for itself: a thread keeps its place, a wake-up leaves the queue for {@code due}. False when it waits no more.
     */
    boolean call(Waiter waiter, Line due) {
        lock.lock();
        try {
            return callLocked(waiter, due);
        } finally {
            lock.unlock();
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
    private boolean callLocked(Waiter waiter, Line due) {
        if (waiter.line != line(waiter.sizeClass)) {
            return false;
        }
        if (!waiter.isThread()) {
            leave(waiter);
            due.add(waiter);
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
                pool.signal(SlabPool.PRESSURE, more > 0);
            }
        }
    }

    private Line line(int sizeClass) {
        return lines[sizeClass - SizeClasses.OVERSIZE];
    }

    /** With the lock held: takes a waiter out of its queue; false when it has left already. */
    private boolean leave(Waiter waiter) {
        Line line = line(waiter.sizeClass);
        if (waiter.line != line) {
            return false;
        }
        line.remove(waiter);
        count(waiter.sizeClass, -1);
        return true;
    }
}

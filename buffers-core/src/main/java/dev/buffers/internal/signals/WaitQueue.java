// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.signals;

import dev.buffers.internal.failsafe.IntrusiveList;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The wait queue: the threads that wait in an {@code acquire}, and the wake-ups of {@code whenAvailable}, in the order of their arrival.
 *
 * <p>Any thread, under one short monitor: nothing blocks, allocates or calls user code under it. Under the same monitor the pool's pressure
 * signal is set and cleared.
 */
public final class WaitQueue {
    /*
     *   class 0      T17 T20 W23          T: a thread, W: a wake-up, each with its ticket
     *   class 1      W18
     *   ...
     *   no class     T19 T24              the oldest of all: T17
     *     ...
     *
     * There is one list for each class, and one for each doubling of the size of waiters without a class: a large one, for which nothing
     * may suffice for long, holds up none that needs less than half as much. The tickets say which of all waiters is the oldest. To join, to
     * leave and to be served take a time that depends on the number of classes alone. A slot is here what a guarded pool calls a block.
     *
     * W1  A waiting thread does not look for memory: the thread that makes room begins a tenancy for it, and takes it out of the queue
     *     under the monitor. So a thread that finds itself out of the queue has its slot (or the error of the policy that was called for
     *     it), and a thread that leaves by itself is given none. In a closed pool it finds itself out of the queue with nothing.
     * W2  A wake-up leaves the queue for the list of those that are due, and is called. It is a hint: any thread can find the
     *     room that it is called for.
     * W3  Two things say that a waiter waits for a slot: the pool's signal PRESSURE, for any class, and `waitingFor`, a count for each
     *     class. A waiter raises them first, and then serves the queue itself. After its compare-and-set a release reads the signal, and if
     *     it is set, the count of its class; a slow one reads the count alone. So one of the two sees the other, or the slot lies in a
     *     cache, where the tick finds it. A waiter without a class wants a region of its size and raises no signal, so no release is held
     *     up for it.
     * W4  At most one waiter has its *turn*: the tick gives it to the oldest one that it finds twice. From then on memory that can serve
     *     any size and comes free is kept for this waiter: a thread that looks for memory for another one leaves as much as `keptFrom` says,
     *     and takes no region that fits it (RegionAllocator, SlabStore). The turn ends under the monitor, when the waiter leaves the queue
     *     for whatever reason, so a waiter that is gone keeps nothing. The turn of a wake-up goes on for a tick after its call, and then any
     *     acquire that needs as many bytes may take the kept memory. A thread that has read `turn` before it was given may overtake once.
     *
     *   field                       written by                           mode               read by
     *   links, tickets, ticket      the waiter that comes or leaves,     under the monitor  under the monitor
     *                               the thread that serves it
     *   waiting, waitingFor         as the links                         volatile           any release, any acquire that misses
     *   slot, failure of a waiter   the thread that serves it, under     volatile           the thread that waits, without the monitor
     *                               the monitor
     *   links of a wake-up that     the thread that calls it             plain              the thread that calls it
     *   has left
     *   turn                        the tick; the thread that takes      volatile, under    any thread that looks for memory in regions
     *                               its waiter out                       the monitor
     *   turnHasEnded                as turn, to true; the thread that    volatile, under    any thread that serves; the waiter that leaves
     *                               does what follows, to false          the monitor
     *   called of a waiter          the thread that takes it out         volatile           as turn
     *   restsUntil of a waiter      the tick                             plain              the tick
     */
    /** The class of a waiter without a class. */
    private static final int OVERSIZE = -1;

    private final PoolState pool;
    private final int sizeClasses;
    private final IntrusiveList<Waiter>[] queues;
    private long tickets;
    private volatile int waiting;
    private volatile @Nullable Waiter turn;
    private volatile boolean turnHasEnded;

    /** How many wait for each class; element 0 is for waiters without a class. */
    private final AtomicIntegerArray waitingFor;

    /** The wake-ups that the current thread is calling; one that makes room itself adds to them. */
    @SuppressWarnings("ThreadLocalUsage") // one for each pool, set only while wake-ups run
    private final ThreadLocal<@Nullable IntrusiveList<Waiter>> calling = new ThreadLocal<>();

    @SuppressWarnings({"unchecked", "rawtypes"})
    public WaitQueue(PoolState pool, int sizeClasses) {
        this.pool = pool;
        this.waitingFor = new AtomicIntegerArray(sizeClasses + 1);
        this.sizeClasses = sizeClasses;
        this.queues = new IntrusiveList[sizeClasses + Integer.SIZE];
        Arrays.setAll(queues, i -> new IntrusiveList<>());
        waitingFor.addAndGet(0, 0); // links what runs under the monitor
    }

    /** Memory that can be given to a waiter: a slot, or a block of a guarded pool. */
    public interface Room {
        int sizeClass();

        int size();

        /** Begins a tenancy; false when the memory was taken back in the meantime. */
        boolean begin();

        /** Links this memory to other memory; called by the thread that holds both. */
        void link(@Nullable Room next);
    }

    /** A waiter: for a slot of a class, or for one of {@code bytes} bytes. */
    public static final class Waiter {
        public final int bytes;
        public final int sizeClass;
        public final long since = System.nanoTime();

        /** Null for a thread. */
        private final Callbacks.@Nullable Callback wake;

        private final @Nullable Thread thread;
        private long ticket;

        /** Its place in its queue, or among the wake-ups that are due. */
        public final IntrusiveList.Link<Waiter> link = new IntrusiveList.Link<>(this);

        private volatile @Nullable Room slot;

        private volatile @Nullable Throwable failure;

        private volatile boolean called;

        /** Until then it is given no turn, in {@link System#nanoTime} terms. Used by the tick alone. */
        public long restsUntil = since;

        public Waiter(int bytes, int sizeClass, Thread thread) {
            this.bytes = bytes;
            this.sizeClass = sizeClass;
            this.wake = null;
            this.thread = thread;
        }

        public Waiter(int bytes, int sizeClass, Runnable wake) {
            this.bytes = bytes;
            this.sizeClass = sizeClass;
            this.wake = new Callbacks.Callback("a wake-up", wake);
            this.thread = null;
        }

        public boolean isThread() {
            return thread != null;
        }

        /** Whether it is a wake-up that was called for memory kept in its turn. */
        public boolean isCalled() {
            return called;
        }

        /** The place in the order of arrival. */
        public long ticket() {
            return ticket;
        }

        /** What this waiter was given, a slot with its tenancy begun and its view in it, or a block; null before that. */
        public @Nullable Room slot() {
            return slot;
        }

        /** What the policy has thrown that was called for this waiter. */
        public @Nullable Throwable failure() {
            return failure;
        }
    }

    /** Adds a waiter at the end of its queue. */
    public synchronized void add(Waiter waiter) {
        waiter.ticket = tickets++;
        queue(waiter.sizeClass, waiter.bytes).add(waiter.link);
        count(waiter.sizeClass, 1);
    }

    /**
     * Takes a waiter out of its queue, even when the heap is full, or it would be given slots later. False when it has left already: it was
     * given its slot, or its wake-up is due.
     */
    public synchronized boolean remove(Waiter waiter) {
        if (!leave(waiter)) {
            return false;
        }
        if (turn == waiter) {
            endTurn();
        }
        return true;
    }

    private boolean leave(Waiter waiter) {
        if (!queue(waiter.sizeClass, waiter.bytes).remove(waiter.link)) {
            return false;
        }
        count(waiter.sizeClass, -1);
        return true;
    }

    /** Gives a waiter its turn (W4); false when it has left. */
    public synchronized boolean giveTurn(Waiter waiter) {
        if (!queue(waiter.sizeClass, waiter.bytes).has(waiter.link)) {
            return false;
        }
        turn = waiter;
        return true;
    }

    public synchronized void endTurn() {
        turn = null;
        turnHasEnded = true;
    }

    /** The waiter whose turn it is; null when it is no waiter's. */
    public @Nullable Waiter turn() {
        return turn;
    }

    /** Whether a turn has ended since the last call. Then the caller serves the others from the kept memory. */
    public boolean takeTurnEnd() {
        if (!turnHasEnded) {
            return false;
        }
        synchronized (this) {
            boolean ended = turnHasEnded;
            turnHasEnded = false;
            return ended;
        }
    }

    /**
     * How many bytes of memory that can serve any size must be left for the waiter whose turn it is.
     *
     * @param taker the waiter that the caller looks for memory for; null for itself
     * @param bytes how many the taker needs
     */
    public int keptFrom(@Nullable Waiter taker, int bytes) {
        Waiter its = turn;
        if (its == null || its == taker || taker == null && its.called && its.bytes == bytes) {
            return 0;
        }
        return its.bytes;
    }

    /** How many waiters have come so far. */
    public synchronized long tickets() {
        return tickets;
    }

    /** Whether any waiter waits for a slot of this class. */
    public boolean hasWaiters(int sizeClass) {
        return waitingFor.get(sizeClass - OVERSIZE) > 0;
    }

    /** Whether any waiter waits, for whatever. */
    public boolean hasWaiters() {
        return waiting > 0;
    }

    public int size() {
        return waiting;
    }

    /** Of the first waiters of each class, the oldest one that came after the one with that ticket; null when there is none. */
    public synchronized @Nullable Waiter oldestAfter(long ticket) {
        Waiter oldest = null;
        for (IntrusiveList<Waiter> queue : queues) {
            Waiter first = queue.peek();
            if (first != null && first.ticket > ticket && (oldest == null || first.ticket < oldest.ticket)) {
                oldest = first;
            }
        }
        return oldest;
    }

    /** Of the first waiters of each class, the bytes that the most modest one needs, at least 1; 0 when none waits. */
    public synchronized int leastBytes() {
        int least = 0;
        for (IntrusiveList<Waiter> queue : queues) {
            Waiter first = queue.peek();
            if (first != null && (least == 0 || first.bytes < least)) {
                least = Math.max(1, first.bytes);
            }
        }
        return least;
    }

    /**
     * Begins a tenancy on a free slot for the first waiter of its class that it suffices for, if that is a thread, and gives it the slot.
     * If it is a wake-up, moves it from the queue to {@code due}, to be called when the slot can be found. True when the caller has the
     * slot no more: it was given, or it is revoked.
     */
    public boolean handOver(Room slot, IntrusiveList<Waiter> due) {
        Waiter waiter;
        synchronized (this) {
            waiter = firstFor(slot);
            if (waiter == null) {
                return false;
            }
            if (!waiter.isThread()) {
                leave(waiter);
                waiter.called = turn == waiter;
                due.add(waiter.link);
                return false;
            }
            if (!slot.begin()) {
                return true;
            }
            waiter.slot = slot;
            remove(waiter);
        }
        LockSupport.unpark(waiter.thread);
        return true;
    }

    /**
     * Ends a wait because the search for it has thrown {@code failure}; a wake-up is then due, and finds out for itself. False, and the wait
     * goes on, if this thread alone has no heap or no stack left. {@code isPolicys}: a lack of stack can only be the policy's.
     */
    public boolean fail(Waiter waiter, Throwable failure, boolean isPolicys, IntrusiveList<Waiter> due) {
        if (failure instanceof OutOfMemoryError || failure instanceof StackOverflowError && !isPolicys) {
            return false;
        }
        synchronized (this) {
            if (!remove(waiter)) {
                return true;
            }
            if (!waiter.isThread()) {
                due.add(waiter.link);
                return true;
            }
            waiter.failure = failure;
        }
        LockSupport.unpark(waiter.thread);
        return true;
    }

    /** Called once the pool is closed: wakes all waiters, so that they find it closed. */
    public void wakeAll() {
        IntrusiveList<Waiter> due = new IntrusiveList<>();
        try {
            for (Waiter next = oldestAfter(-1); next != null; next = oldestAfter(-1)) {
                if (!remove(next)) {
                    continue; // it has just been served
                }
                if (next.isThread()) {
                    LockSupport.unpark(next.thread);
                } else {
                    due.add(next.link);
                }
            }
        } finally {
            call(due);
        }
    }

    /** Calls the wake-up of a waiter that is in no queue. */
    public void call(Waiter waiter) {
        IntrusiveList<Waiter> due = new IntrusiveList<>();
        due.add(waiter.link);
        call(due);
    }

    /**
     * Calls each of these wake-ups, which have left their queue, in this thread, and empties the list. If this is the daemon, or is running
     * a policy or a size listener, the pool's callback thread calls them. Called with no lock held.
     */
    public void call(IntrusiveList<Waiter> due) {
        if (due.isEmpty()) {
            return;
        }
        try {
            if (pool.isCallingUser()) {
                return; // a wake-up may use the pool, and this thread may not
            }
            IntrusiveList<Waiter> outer = calling.get();
            if (outer != null) {
                outer.addAll(
                        due); // they are called after the present one, not within it: their number does not deepen the
                // stack
                return;
            }
            calling.set(due);
            try {
                for (Waiter next = due.poll(); next != null; next = due.poll()) {
                    pool.call(Objects.requireNonNull(next.wake));
                }
            } finally {
                calling.remove();
            }
        } finally { // what could not be called here
            for (Waiter next = due.poll(); next != null; next = due.poll()) {
                pool.callbacks().add(Objects.requireNonNull(next.wake));
            }
        }
    }

    /** With the monitor held: counts {@code more} waiters for a class, 1 or -1. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // under the monitor
    private void count(int sizeClass, int more) {
        waiting += more;
        waitingFor.addAndGet(sizeClass - OVERSIZE, more);
        boolean pressure = waiting > waitingFor.get(0);
        if (pressure != pool.isUnderPressure()) {
            pool.signal(PoolState.PRESSURE, pressure);
        }
    }

    private IntrusiveList<Waiter> queue(int sizeClass, int bytes) {
        int doubling = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(bytes | 1);
        return queues[sizeClass == OVERSIZE ? sizeClasses + doubling : sizeClass];
    }

    /** With the monitor held: of the first waiters that this memory suffices for, the oldest; null without one. */
    private @Nullable Waiter firstFor(Room slot) {
        if (slot.sizeClass() != OVERSIZE) {
            return queues[slot.sizeClass()].peek();
        }
        Waiter oldest = null;
        for (int i = sizeClasses; i < queues.length; i++) {
            Waiter first = queues[i].peek();
            if (first != null && first.bytes <= slot.size() && (oldest == null || first.ticket < oldest.ticket)) {
                oldest = first;
            }
        }
        return oldest;
    }
}

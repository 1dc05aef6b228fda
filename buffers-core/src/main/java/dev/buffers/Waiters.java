package dev.buffers;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for room, in the order in which they came: threads in an {@code acquire}, and wake-ups of {@code whenAvailable}.
 *
 * <p>Any thread, under a lock of its own, under which the pool's pressure is raised and lowered. Wake-ups run with no lock held, on the
 * thread that made the room; where that is the daemon, on the pool's own ({@link Callbacks}).
 */
final class Waiters {
    /*
     *   class 0      T17 T20 W23          T: a thread, W: a wake-up, and the ticket of each
     *   class 1      W18
     *   ...
     *   no class     T19 T24              the oldest of all: T17
     *
     * One queue for each class and one for what has no class, each by ticket, which says who of them all is the oldest; so
     * who gives up in the midst of many is found at once.
     *
     * W1  A thread that waits is given its slot or region before it leaves the queue, under the lock; so whoever finds
     *     itself out of the queue has a gift, and nothing is ever given to one who has gone.
     * W2  A wake-up leaves the queue when it is called. It is a hint: what it is called for lies open to all, withheld for nobody.
     * W3  Pressure belongs to what is wanted. That of a class is up exactly while somebody is in its queue: who comes to wait
     *     raises it first and then looks for room; who releases a slot of the class reads it after its compare-and-set: one of
     *     the two sees the other. Who waits for what has no class, a region of its own, raises none: no release of another
     *     size is held up for it. What it can use lies in slabs that have to come whole, for which the tick recalls all
     *     free slots, wherever they are.
     *
     *   field                       written by                           mode             read by
     *   queues, tickets, waiting,   who comes, leaves, is served         under the lock   under the lock
     *   ticket
     *   gift                        who serves, under the lock; who      volatile         the thread that waits, in no lock
     *                               comes back, to null
     *   waitingFor                  who comes, leaves, under the lock    volatile         any release, any acquire that misses
     *   look, called                who calls, under the lock; who       volatile         the same
     *                               waits, `look` to false
     */
    private final SlabPool pool;
    private final Consumer<Waiter> gone;
    private final ReentrantLock lock = new ReentrantLock();
    private final List<NavigableMap<Long, Waiter>> queues = new ArrayList<>();
    private long tickets;
    private volatile int waiting;
    private int waitingForSlots;

    /** How many wait for each class, and first for what has none. */
    private final AtomicIntegerArray waitingFor;

    @SuppressWarnings("ThreadLocalUsage") // one for each pool, set only while wake-ups run
    private final ThreadLocal<ArrayDeque<Waiter>> waking = new ThreadLocal<>();

    /** @param gone told of each wake-up that is about to be called; does nothing else than say that nothing is withheld for it */
    Waiters(SlabPool pool, int sizeClasses, Consumer<Waiter> gone) {
        this.pool = pool;
        this.gone = gone;
        this.waitingFor = new AtomicIntegerArray(sizeClasses + 1);
        for (int i = 0; i <= sizeClasses; i++) {
            queues.add(new TreeMap<>());
        }
    }

    /** A slot whose tenancy has begun, and its view, if that was taken out of it, so that nobody can recall it on the way. */
    static final class Gift {
        final Slot slot;
        final @Nullable ByteBuffer view;

        Gift(Slot slot, @Nullable ByteBuffer view) {
            this.slot = slot;
            this.view = view;
        }

        /** By whom it was given to, just before the lease is made: the slot, its view in it. */
        Slot unpacked() {
            if (view != null) {
                slot.viewRelease(view);
            }
            return slot;
        }
    }

    /** One who waits: for a slot of a class, or for as many bytes to cut it from. */
    static final class Waiter {
        final int bytes;
        final int sizeClass;
        final long since = System.nanoTime();

        /** Null for a thread. */
        private final Callbacks.@Nullable Due wake;

        private final @Nullable Thread thread;
        private long ticket = -1;

        /** The {@link Gift} or region for a thread that waits; set once, as it leaves the queue. */
        private volatile @Nullable Object gift;

        private volatile boolean look;

        private volatile boolean called;

        /** The current thread. */
        Waiter(int bytes, int sizeClass) {
            this.bytes = bytes;
            this.sizeClass = sizeClass;
            this.wake = null;
            this.thread = Thread.currentThread();
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

        @Nullable Object gift() {
            return gift;
        }

        /** Whether it was ever told to look for itself. */
        boolean wasCalled() {
            return called;
        }

        /** By the thread that waits: whether it was told to look for itself since it last asked. */
        boolean mayLook() {
            if (!look) {
                return false; // and leaves it so: somebody may just be setting it
            }
            look = false;
            return true;
        }
    }

    /** At the end of its queue; or, when it was in it before, where it was. */
    void add(Waiter waiter) {
        lock.lock();
        try {
            if (waiter.ticket < 0) {
                waiter.ticket = tickets++;
            }
            waiter.gift = null;
            queue(waiter.sizeClass).put(waiter.ticket, waiter);
            count(waiter.sizeClass, 1);
        } finally {
            lock.unlock();
        }
    }

    /** False when it has left already: somebody has given it what it waited for, or has it to wake. */
    boolean remove(Waiter waiter) {
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
    boolean isAnyone(int sizeClass) {
        return waitingFor.get(sizeClass - SizeClasses.OVERSIZE) > 0;
    }

    /** Whether somebody waits, for whatever. */
    boolean isAny() {
        return waiting > 0;
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

    /**
     * A slot of a class is free, and a tenancy of it begun: the oldest thread that waits for one is given it, unless a wake-up is older.
     * That one leaves the queue and is returned, to be {@linkplain #wake called} once the slot is where it can be found. Null when
     * nobody waits.
     */
    @Nullable Waiter handOver(Gift gift) {
        Waiter waiter;
        lock.lock();
        try {
            waiter = first(gift.slot.sizeClass());
            if (waiter == null) {
                return null;
            }
            leave(waiter);
            if (waiter.isThread()) {
                waiter.gift = gift;
            }
        } finally {
            lock.unlock();
        }
        LockSupport.unpark(waiter.thread);
        return waiter;
    }

    /** Whether it still waits. */
    boolean isIn(Waiter waiter) {
        lock.lock();
        try {
            return queue(waiter.sizeClass).containsKey(waiter.ticket);
        } finally {
            lock.unlock();
        }
    }

    /** The wake-up that is first for a class, which leaves its queue; null when a thread is, or nobody. */
    @Nullable Waiter pollWakeUp(int sizeClass) {
        lock.lock();
        try {
            Waiter first = first(sizeClass);
            if (first == null || first.isThread()) {
                return null;
            }
            leave(first);
            return first;
        } finally {
            lock.unlock();
        }
    }

    /** Whether nobody at all has waited longer than who is first for this class. */
    boolean isOldest(int sizeClass) {
        lock.lock();
        try {
            Waiter first = first(sizeClass);
            return first != null
                    && queues.stream().allMatch(queue -> queue.isEmpty() || queue.firstKey() >= first.ticket);
        } finally {
            lock.unlock();
        }
    }

    /** Gives a region to a thread that waits; false when it waits no more. */
    boolean give(Waiter waiter, Region region) {
        lock.lock();
        try {
            if (!leave(waiter)) {
                return false;
            }
            waiter.gift = region;
        } finally {
            lock.unlock();
        }
        LockSupport.unpark(waiter.thread);
        return true;
    }

    /** All who wait, the oldest first. */
    List<Waiter> all() {
        List<Waiter> all = new ArrayList<>();
        lock.lock();
        try {
            queues.forEach(queue -> all.addAll(queue.values()));
        } finally {
            lock.unlock();
        }
        all.sort(Comparator.comparingLong(waiter -> waiter.ticket));
        return all;
    }

    /** Whether who has waited longest for a slot of this class is a thread. */
    boolean isThreadFirst(int sizeClass) {
        lock.lock();
        try {
            Waiter first = first(sizeClass);
            return first != null && first.isThread();
        } finally {
            lock.unlock();
        }
    }

    /** Calls everybody who waits, to look for themselves. */
    void wakeAll() {
        for (Waiter waiter : all()) {
            call(waiter);
        }
    }

    /** Has one who waits look: a thread keeps its place, a wake-up leaves the queue. False when it waits no more. */
    boolean call(Waiter waiter) {
        if (!waiter.isThread()) {
            boolean waited = remove(waiter);
            if (waited) {
                wake(waiter);
            }
            return waited;
        }
        lock.lock();
        try {
            if (!queue(waiter.sizeClass).containsKey(waiter.ticket)) {
                return false;
            }
            waiter.called = true;
            waiter.look = true;
        } finally {
            lock.unlock();
        }
        LockSupport.unpark(waiter.thread);
        return true;
    }

    /**
     * Calls one wake-up. What it throws is logged, since whoever made the room has nothing to do with it. A wake-up that makes
     * room itself has the next one run after it, not within it.
     */
    void wake(Waiter waiter) {
        ArrayDeque<Waiter> later = waking.get();
        if (later != null) {
            later.add(waiter);
        } else {
            batch(() -> wake(waiter));
        }
    }

    /** Runs {@code work}, and after it the wake-ups that it was to run. */
    void batch(Runnable work) {
        if (waking.get() != null) {
            work.run();
            return;
        }
        ArrayDeque<Waiter> due = new ArrayDeque<>();
        waking.set(due);
        try {
            work.run();
        } finally {
            for (Waiter next = due.poll(); next != null; next = due.poll()) {
                run(next);
            }
            waking.remove();
        }
    }

    private void run(Waiter waiter) {
        if (waiter.wake != null) {
            try {
                gone.accept(waiter);
            } catch (Throwable e) {
                // no memory: the tick ends what is withheld
            }
            pool.call(waiter.wake);
        }
    }

    int size() {
        return waiting;
    }

    /** By who holds the lock: one more or one less waits for a class. */
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

    private NavigableMap<Long, Waiter> queue(int sizeClass) {
        return queues.get(sizeClass - SizeClasses.OVERSIZE);
    }

    private @Nullable Waiter first(int sizeClass) {
        Map.Entry<Long, Waiter> first = queue(sizeClass).firstEntry();
        return first == null ? null : first.getValue();
    }

    /** By who holds the lock: takes one out of its queue; false when it has left already. */
    private boolean leave(Waiter waiter) {
        if (queue(waiter.sizeClass).remove(waiter.ticket) == null) {
            return false;
        }
        count(waiter.sizeClass, -1);
        return true;
    }
}

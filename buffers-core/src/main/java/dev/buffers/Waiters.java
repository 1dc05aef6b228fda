package dev.buffers;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for room, in the order in which they came.
 *
 * <p>Any thread, under a lock of its own, under which the pool's pressure is raised and lowered. Wake-ups run with no lock held.
 */
final class Waiters {
    private final SlabPool pool;
    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<Waiter> queue = new ArrayDeque<>();

    @SuppressWarnings("ThreadLocalUsage") // one for each pool, set only while wake-ups run
    private final ThreadLocal<ArrayDeque<Waiter>> waking = new ThreadLocal<>();

    Waiters(SlabPool pool) {
        this.pool = pool;
    }

    /** One who waits: for a slot of a class, or for as many bytes to cut it from. */
    static final class Waiter {
        final int size;
        final int sizeClass;
        final Runnable wake;

        Waiter(int size, int sizeClass, Runnable wake) {
            this.size = size;
            this.sizeClass = sizeClass;
            this.wake = wake;
        }
    }

    void add(Waiter waiter) {
        lock.lock();
        try {
            queue.add(waiter);
            pool.signal(SlabPool.PRESSURE, true);
        } finally {
            lock.unlock();
        }
    }

    /** False when somebody else has it. */
    boolean remove(Waiter waiter) {
        lock.lock();
        try {
            return relieved(queue.remove(waiter));
        } finally {
            lock.unlock();
        }
    }

    /** The oldest who can use a slot of this class, or {@code bytes} that no class has. */
    @Nullable Waiter next(int sizeClass, long bytes) {
        lock.lock();
        try {
            for (Iterator<Waiter> i = queue.iterator(); i.hasNext(); ) {
                Waiter waiter = i.next();
                if (waiter.sizeClass == sizeClass && sizeClass != SizeClasses.OVERSIZE || waiter.size <= bytes) {
                    i.remove();
                    return relieved(waiter);
                }
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    /** The oldest of all. */
    @Nullable Waiter next() {
        lock.lock();
        try {
            return relieved(queue.poll());
        } finally {
            lock.unlock();
        }
    }

    /**
     * Runs one wake-up. What it throws is logged, since whoever made the room has nothing to do with it. A wake-up that makes
     * room itself has the next one run after it, not within it.
     */
    void wake(Waiter waiter) {
        ArrayDeque<Waiter> later = waking.get();
        if (later != null) {
            later.add(waiter);
            return;
        }
        ArrayDeque<Waiter> due = new ArrayDeque<>();
        waking.set(due);
        try {
            for (Waiter next = waiter; next != null; next = due.poll()) {
                try {
                    next.wake.run();
                } catch (Throwable e) {
                    System.getLogger("dev.buffers")
                            .log(System.Logger.Level.WARNING, "a wake-up has thrown: pool=" + pool.name(), e);
                }
            }
        } finally {
            waking.remove();
        }
    }

    int size() {
        lock.lock();
        try {
            return queue.size();
        } finally {
            lock.unlock();
        }
    }

    private <T extends @Nullable Object> T relieved(T result) {
        if (queue.isEmpty()) {
            pool.signal(SlabPool.PRESSURE, false);
        }
        return result;
    }
}

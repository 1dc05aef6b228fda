package dev.buffers;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for room, in the order in which they came.
 *
 * <p>Any thread, under a lock of its own, under which the pool's pressure is raised and lowered. What is returned is run by the caller, who holds no lock then.
 */
final class Waiters {
    private final SlabPool pool;
    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<Waiter> queue = new ArrayDeque<>();

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

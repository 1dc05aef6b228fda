package dev.buffers.internal.failsafe;

import java.util.concurrent.locks.ReentrantLock;

/**
 * A lock that is taken even when the heap is full. One that somebody else has needs an object to wait with; without heap for that the
 * thread tries again until the lock is free.
 */
public final class AllocationFreeLock extends ReentrantLock {
    private static final long serialVersionUID = 1;

    @Override
    @SuppressWarnings("ThreadPriorityCheck")
    public void lock() {
        for (; ; ) {
            try {
                super.lock();
                return;
            } catch (OutOfMemoryError e) {
                Thread.yield();
            }
        }
    }
}

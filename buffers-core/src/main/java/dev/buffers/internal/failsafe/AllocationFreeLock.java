package dev.buffers.internal.failsafe;

import java.util.concurrent.locks.ReentrantLock;

/**
 * A lock that can be taken even when the heap is full. While another thread holds it, waiting needs an object; without heap for that object
 * the thread tries again until the lock is free.
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

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.PooledBuffer;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.function.ThrowingSupplier;

/** One thread in one acquire, which may wait. */
public final class WaitingThread {
    private final BufferPool pool;
    private final Thread thread;
    private volatile PooledBuffer lease;
    private volatile Throwable thrown;
    private volatile long nanos;
    private volatile boolean flag;

    private WaitingThread(BufferPool pool, ThrowingSupplier<PooledBuffer> acquire) {
        this.pool = pool;
        this.thread = new Thread(() -> run(acquire), "waiting");
        thread.setDaemon(true);
    }

    /** Acquires with this patience; whether it waits is not said. */
    public static WaitingThread start(BufferPool pool, int size, Duration patience) {
        return start(pool, () -> pool.acquire(size, patience));
    }

    public static WaitingThread start(BufferPool pool, ThrowingSupplier<PooledBuffer> acquire) {
        WaitingThread made = new WaitingThread(pool, acquire);
        made.thread.start();
        return made;
    }

    /** Acquires with this patience, and waits when this returns. */
    public static WaitingThread parked(BufferPool pool, int size, Duration patience) {
        return start(pool, size, patience).awaitParked();
    }

    private void run(ThrowingSupplier<PooledBuffer> acquire) {
        long start = System.nanoTime();
        try {
            lease = acquire.get();
        } catch (Throwable e) {
            thrown = e;
        }
        nanos = System.nanoTime() - start;
        flag = Thread.currentThread().isInterrupted();
    }

    public WaitingThread awaitParked() {
        Eventually.holds("it waits", this::isParked);
        return this;
    }

    /** Whether it sleeps in its wait. Asks the pool nothing, which might wake it. */
    public boolean isParked() {
        return LockSupport.getBlocker(thread) == pool && thread.getState() == Thread.State.TIMED_WAITING;
    }

    public boolean hasEnded() {
        return !thread.isAlive();
    }

    public void interrupt() {
        thread.interrupt();
    }

    /** What it was given. */
    public PooledBuffer lease() throws InterruptedException {
        thread.join();
        if (thrown != null) {
            throw new AssertionError("it was refused", thrown);
        }
        assertNotNull(lease);
        return lease;
    }

    /** What it was given, if it was given anything. */
    PooledBuffer leaseOrNull() throws InterruptedException {
        thread.join();
        return lease;
    }

    public void release() throws InterruptedException {
        lease().release();
    }

    /** What it was refused with: just this class, with a message that contains all these parts. */
    public <T extends Throwable> T refusal(Class<T> type, String... parts) throws InterruptedException {
        thread.join();
        assertNull(lease, "it was served");
        assertEquals(type, thrown.getClass(), () -> "refused with " + thrown);
        for (String part : parts) {
            assertTrue(thrown.getMessage().contains(part), () -> "expected <" + part + "> in <" + thrown + ">");
        }
        return type.cast(thrown);
    }

    /** How long its acquire took. */
    public long millis() throws InterruptedException {
        thread.join();
        return nanos / 1_000_000;
    }

    /** Whether its interrupt flag was up when its acquire ended. */
    public boolean isFlagUp() throws InterruptedException {
        thread.join();
        return flag;
    }
}

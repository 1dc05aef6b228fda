// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.PoolExhaustedException;
import dev.buffers.PooledBuffer;
import dev.buffers.support.Jvm;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** I10: a stack that overflows leaves no claim, no count of waiters and no call of user code behind, wherever in a call it ends. */
class OverflowClaimsTest {
    private static final int SIZE = 1000;
    private static final int MAX = 256 << 10;

    private final SlabPool pool =
            (SlabPool) BufferPool.builder("claims").policy("heap-view").max(MAX).build();

    private int shifts = 5;
    private int overflows;
    private int left;

    /** The last lease: stored, so that it leaves its method. */
    private PooledBuffer last;

    @AfterEach
    void close() {
        last = null;
        pool.close();
    }

    /** Calls it in each of the last frames of a stack, again and again with other frames above; then {@code check} in the same thread. */
    private void sweep(Runnable call, Runnable check) throws Exception {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread thread = new Thread(
                null,
                () -> {
                    for (int i = 0; i < 100; i++) {
                        call.run();
                    }
                    for (int shift = 0; shift < shifts; shift++) {
                        shifted(shift, call);
                    }
                    last = null;
                    check.run();
                },
                "sweep",
                512 << 10);
        thread.setUncaughtExceptionHandler((t, e) -> failure.set(e));
        thread.start();
        thread.join();
        if (failure.get() != null) {
            throw new AssertionError(failure.get());
        }
        assertTrue(overflows > 20, () -> "overflows: " + overflows);
    }

    private void shifted(int frames, Runnable call) {
        if (frames == 0) {
            dive(call, 0);
        } else {
            shifted(frames - 1, call);
        }
    }

    private void dive(Runnable call, long depth) {
        try {
            if (depth < Long.MAX_VALUE) { // always, which Error Prone does not see
                dive(call, depth + 1);
            }
        } catch (StackOverflowError e) {
            left = 250;
        }
        if (left-- > 0) {
            try {
                call.run();
            } catch (StackOverflowError e) {
                overflows++;
            } catch (InternalError e) {
                overflows++; // in the linkage of a lambda
            }
        }
    }

    private void acquireAndClose(int size) {
        PooledBuffer lease = pool.tryAcquire(size);
        last = lease;
        if (lease != null) {
            lease.close();
        }
    }

    private void serves() {
        PooledBuffer lease = pool.tryAcquire(SIZE);
        for (int i = 0; lease == null && i < 100; i++) { // a collection brings lost memory back
            System.gc();
            LockSupport.parkNanos(20_000_000);
            lease = pool.tryAcquire(SIZE);
        }
        assertNotNull(lease);
        lease.close();
    }

    @Test
    void sizeListenerThatHasReturnedIsNotRunning() throws Exception {
        pool.addSizeListener(size -> {});
        sweep(() -> acquireAndClose(SIZE), this::serves);
    }

    @Test
    void waitersThatHaveLeftAreNotCounted() throws Exception {
        PooledBuffer filling = pool.acquire(MAX);
        sweep(
                () -> {
                    try {
                        pool.acquire(SIZE, Duration.ofNanos(1)).close();
                    } catch (PoolExhaustedException e) {
                        // as it must be
                    }
                },
                () -> {
                    assertEquals(0, pool.waitQueue.size());
                    assertFalse(pool.waitQueue.hasWaiters(pool.classes.classOf(SIZE)));
                    assertFalse(pool.isUnderPressure());
                });
        filling.close();
        serves();
    }

    @Test
    void wakeUpsAreCalledAfterOverflow() throws Exception {
        int[] calls = {0};
        sweep(() -> pool.whenAvailable(SIZE, () -> {}), () -> pool.whenAvailable(SIZE, () -> calls[0]++));
        assertEquals(1, calls[0]);
        assertEquals(0, pool.waitQueue.size());
    }

    /** Interpreted: there each call can overflow. Without StackProbe a charge stays in every second run. */
    @Tag("full")
    @Test
    void everyByteIsFoundAgainByCollection() throws Exception {
        Jvm.run(120, Interpreted.class, "-Xint");
    }

    static final class Interpreted {
        public static void main(String[] args) throws Exception {
            OverflowClaimsTest test = new OverflowClaimsTest();
            test.shifts = 16;
            test.oversizeAndTrims();
            test.close();
        }
    }

    private void oversizeAndTrims() throws Exception {
        sweep(
                () -> {
                    acquireAndClose(MAX / 2 + 1);
                    pool.trim();
                },
                () -> {});
        for (int i = 0; pool.stats().reservedBytes() + pool.stats().droppedBytes() > 0 && i < 200; i++) {
            pool.trim();
            System.gc();
            LockSupport.parkNanos(20_000_000);
        }
        assertEquals(0, pool.stats().reservedBytes() + pool.stats().droppedBytes());
        assertNotNull(last = pool.tryAcquire(MAX));
        last.close();
    }
}

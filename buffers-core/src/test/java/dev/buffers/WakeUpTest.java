package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No wake-up is lost, none comes twice, and what a user's wake-up does harms nobody else (I5). */
class WakeUpTest {
    private static final int SIZE = 4096;

    private static BufferPool pool(long max, long threadCache) {
        return BufferPool.builder("wake-ups")
                .policy("heap-view")
                .max(max)
                .threadCache(threadCache)
                .build();
    }

    /** When a release and a registration have both ended, and a slot is free, whoever registered has been woken. */
    @ParameterizedTest
    @ValueSource(ints = {SIZE, 200_000, 300_000})
    void aReleaseAndARegistrationAtOnce(int size) throws Exception {
        int rounds = 20_000;
        try (BufferPool pool = pool(size == 200_000 ? 229_376 : size, 0)) {
            CyclicBarrier barrier = new CyclicBarrier(2);
            PooledBuffer[] lease = new PooledBuffer[1];
            AtomicInteger woken = new AtomicInteger();
            Threads.Action releaser = () -> {
                for (int i = 0; i < rounds; i++) {
                    lease[0] = pool.acquire(size);
                    barrier.await(20, TimeUnit.SECONDS);
                    spin(i % 64);
                    lease[0].release();
                    barrier.await(20, TimeUnit.SECONDS);
                    assertEquals(i + 1, woken.get(), () -> "a wake-up was lost: " + pool.stats());
                }
            };
            Threads.Action waiter = () -> {
                for (int i = 0; i < rounds; i++) {
                    barrier.await(20, TimeUnit.SECONDS);
                    spin(i / 64 % 64);
                    pool.whenAvailable(size, woken::incrementAndGet);
                    barrier.await(20, TimeUnit.SECONDS);
                }
            };
            Threads.together(List.of(releaser, waiter));
            Conservation.check(pool);
        }
    }

    private static void spin(int times) {
        for (int i = 0; i < times; i++) {
            Thread.onSpinWait();
        }
    }

    /** Four threads, two slots: whoever finds none sleeps until it is woken, and tries again. */
    @Test
    void fourThreadsShareTwoSlots() throws Exception {
        int rounds = 3_000;
        try (BufferPool pool = pool(2 * SIZE, 0)) {
            Threads.together(Collections.nCopies(4, () -> {
                Semaphore awake = new Semaphore(0);
                for (int i = 0; i < rounds; i++) {
                    PooledBuffer lease = pool.tryAcquire(SIZE);
                    while (lease == null) {
                        pool.whenAvailable(SIZE, awake::release);
                        assertTrue(awake.tryAcquire(20, TimeUnit.SECONDS), () -> "nobody woke this: " + pool.stats());
                        lease = pool.tryAcquire(SIZE);
                    }
                    lease.buffer().putInt(0, i);
                    lease.release();
                }
            }));
            assertEquals(0, Conservation.check(pool).waiters());
        }
    }

    @Test
    void eachWaiterIsWokenJustOnce() throws Exception {
        try (BufferPool pool = pool(64 << 10, 0)) {
            List<PooledBuffer> leases = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                leases.add(pool.acquire(SIZE));
            }
            AtomicInteger[] woken = new AtomicInteger[16];
            for (int i = 0; i < woken.length; i++) {
                woken[i] = new AtomicInteger();
                pool.whenAvailable(SIZE, woken[i]::incrementAndGet);
            }
            assertEquals(16, pool.stats().waiters());
            for (int i = 0; i < woken.length; i++) {
                leases.get(i).release();
                assertEquals(1, woken[i].get());
            }
            for (AtomicInteger one : woken) {
                assertEquals(1, one.get());
            }
            assertEquals(0, Conservation.check(pool).waiters());
        }
    }

    @Test
    void aReleaseOfOneClassMakesRoomForAnother() {
        try (BufferPool pool = pool(64 << 10, 0)) {
            List<PooledBuffer> leases = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                leases.add(pool.acquire(SIZE));
            }
            AtomicInteger woken = new AtomicInteger();
            pool.whenAvailable(32 << 10, woken::incrementAndGet);
            leases.forEach(PooledBuffer::release);
            assertEquals(1, woken.get());
            pool.acquire(32 << 10).release();
            Conservation.check(pool);
        }
    }

    @Test
    void aDiscardedSlotWakesNobody() {
        try (BufferPool pool = pool(SIZE, 0)) {
            AtomicInteger woken = new AtomicInteger();
            PooledBuffer lease = pool.acquire(SIZE);
            pool.whenAvailable(SIZE, woken::incrementAndGet);
            lease.discard();
            assertEquals(0, woken.get());
            assertEquals(1, Conservation.check(pool).waiters());
        }
    }

    @Test
    void aWakeUpThatThrowsLosesNothing() {
        try (BufferPool pool = pool(SIZE, 0)) {
            PooledBuffer lease = pool.acquire(SIZE);
            pool.whenAvailable(SIZE, () -> {
                throw new UnsupportedOperationException("from the wake-up");
            });
            assertThrows(UnsupportedOperationException.class, lease::release);
            assertTrue(!lease.isOpen());
            Conservation.check(pool);
            pool.acquire(SIZE).release();
        }
    }

    @Test
    void aWakeUpIsRunWithNoLockHeld() throws Exception {
        try (BufferPool pool = pool(SIZE, 0)) {
            PooledBuffer lease = pool.acquire(SIZE);
            AtomicBoolean served = new AtomicBoolean();
            pool.whenAvailable(SIZE, () -> {
                try {
                    Threads.run(() -> {
                        pool.acquire(SIZE).release();
                        pool.trim();
                        served.set(true);
                    });
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            lease.release();
            assertTrue(served.get());
            Conservation.check(pool);
        }
    }
}

package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Who waits is not forgotten (I5), however the room was made and whatever another's wake-up does. */
class WakeUpGapsTest {

    private static BufferPool.Builder builder(long max) {
        return BufferPool.builder("wake-ups").policy("heap-view").max(max);
    }

    @Test
    void whatATrimFreesWakesWhoWaits() throws Exception {
        try (BufferPool pool = builder(1 << 20).build()) {
            List<PooledBuffer> leases = new ArrayList<>();
            for (int i = 0; i < 256; i++) {
                leases.add(pool.acquire(4096));
            }
            leases.forEach(PooledBuffer::release); // some of them into this thread's magazine
            AtomicInteger woken = new AtomicInteger();
            Threads.run(() -> {
                while (pool.tryAcquire(4096) != null) {
                    // whatever another thread can reach
                }
                pool.whenAvailable(4096, woken::incrementAndGet);
            });
            if (woken.get() == 0) {
                pool.trim(); // brings this thread's home
            }
            assertEquals(1, woken.get());
        }
    }

    @Test
    void everyWaiterHearsOfAClosedPool() {
        BufferPool pool = builder(4096).build();
        PooledBuffer lease = pool.acquire(4096);
        AtomicInteger woken = new AtomicInteger();
        pool.whenAvailable(4096, () -> {
            throw new UnsupportedOperationException("from the wake-up");
        });
        pool.whenAvailable(4096, woken::incrementAndGet);
        assertThrows(UnsupportedOperationException.class, pool::close);
        assertEquals(1, woken.get());
        lease.release();
    }

    @Test
    void anEmptiedRegionGoesToTheOldestOfAnyClass() {
        try (BufferPool pool = builder(256 << 10).build()) {
            PooledBuffer lease = pool.acquire(256 << 10);
            List<String> order = new ArrayList<>();
            pool.whenAvailable(128 << 10, () -> order.add("older"));
            pool.whenAvailable(256 << 10, () -> order.add("younger"));
            lease.release();
            assertEquals(List.of("older"), order);
        }
    }

    @Test
    void aRegistrationThatFailsLeavesNobodyWaiting() {
        boolean[] broken = {false};
        try (BufferPool pool = BufferPool.builder("wake-ups")
                .max(1 << 20)
                .policy(Kind.own(bytes -> broken[0] ? null : ByteBuffer.allocate(bytes)))
                .build()) {
            broken[0] = true;
            AtomicInteger woken = new AtomicInteger();
            assertThrows(IllegalStateException.class, () -> pool.whenAvailable(4096, woken::incrementAndGet));
            assertEquals(0, pool.stats().waiters());
        }
    }
}

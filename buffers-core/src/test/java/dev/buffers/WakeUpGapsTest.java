// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.buffers.support.Conservation;
import dev.buffers.support.Kind;
import dev.buffers.support.Threads;
import dev.buffers.support.WaitHeldTick;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** No waiter is forgotten (I5), however the room was made and whatever another wake-up does. */
class WakeUpGapsTest {

    /** So that the thread that makes the room runs the wake-ups. */
    private WaitHeldTick tick;

    @BeforeEach
    void hold() throws Exception {
        tick = new WaitHeldTick();
    }

    @AfterEach
    void letGo() {
        tick.close();
    }

    private static BufferPool.Builder builder(long max) {
        return BufferPool.builder("wake-ups").policy("heap-view").max(max);
    }

    @Test
    void slotsOfAnotherMagazineAreUsedBeforeWaiting() throws Exception {
        try (BufferPool pool = builder(1 << 20).build()) {
            List<PooledBuffer> leases = new ArrayList<>();
            for (int i = 0; i < 256; i++) {
                leases.add(pool.acquire(4096));
            }
            leases.forEach(PooledBuffer::release); // some of them into this thread's magazine
            AtomicInteger woken = new AtomicInteger();
            Threads.run(() -> {
                for (int i = 0; i < leases.size(); i++) {
                    leases.set(i, pool.acquire(4096)); // also what lies in that magazine
                }
                pool.whenAvailable(4096, woken::incrementAndGet);
            });
            assertEquals(0, woken.get());
            leases.remove(0).release();
            assertEquals(1, woken.get());
            leases.forEach(PooledBuffer::release);
        }
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
    void failedRegistrationLeavesNoWaiter() {
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

    @Test
    void largeRoomWakesAllWaitersThatFit() {
        for (String policy : List.of("heap-view", "unpooled")) {
            try (BufferPool pool =
                    BufferPool.builder("wake-ups").policy(policy).max(1 << 20).build()) {
                PooledBuffer large = pool.acquire(1 << 20);
                AtomicInteger woken = new AtomicInteger();
                for (int i = 0; i < 3; i++) {
                    pool.whenAvailable(4096, woken::incrementAndGet);
                }
                large.release();
                assertEquals(3, woken.get(), policy);
            }
        }
    }

    @Test
    void theRoomThatAWakeUpIsGivenIsThereAfterwards() {
        try (BufferPool pool = builder(1 << 20).preallocate(1 << 20).build()) {
            AtomicInteger woken = new AtomicInteger();
            pool.whenAvailable(300 << 10, woken::incrementAndGet);
            assertEquals(1, woken.get());
            pool.acquire(300 << 10).release();
        }
    }

    @Test
    void wakeUpsThatMakeRoomDoNotNest() {
        try (BufferPool pool = builder(4096).threadCache(0).build()) {
            PooledBuffer lease = pool.acquire(4096);
            AtomicInteger woken = new AtomicInteger();
            for (int i = 0; i < 5_000; i++) {
                pool.whenAvailable(4096, () -> {
                    woken.incrementAndGet();
                    pool.acquire(4096).release();
                });
            }
            lease.release();
            assertEquals(5_000, woken.get());
        }
    }

    @Test
    void aChannelsIdleLosesNothingToAWakeUpThatThrows() {
        try (BufferPool pool = builder(64 << 10).build()) {
            ChannelBuffers channel = pool.channel();
            List<PooledBuffer> mine = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                mine.add(channel.acquire(8192));
            }
            mine.forEach(PooledBuffer::release);
            List<PooledBuffer> rest = new ArrayList<>();
            for (PooledBuffer lease = pool.tryAcquire(8192); lease != null; lease = pool.tryAcquire(8192)) {
                rest.add(lease);
            }
            pool.whenAvailable(8192, () -> {
                throw new UnsupportedOperationException("from the wake-up");
            });
            channel.idle();
            for (int i = 0; i < 4; i++) {
                rest.add(pool.acquire(8192));
            }
            rest.forEach(PooledBuffer::release);
            Conservation.check(pool);
        }
    }
}

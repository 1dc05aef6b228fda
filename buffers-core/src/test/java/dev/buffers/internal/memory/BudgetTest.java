// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.PoolStats;
import dev.buffers.PooledBuffer;
import dev.buffers.support.Conservation;
import dev.buffers.support.DirectRoom;
import dev.buffers.support.Kind;
import dev.buffers.support.Peek;
import dev.buffers.support.Threads;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The cap holds at every instant (I4). */
class BudgetTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    @Test
    void chargeFailsAboveCap() {
        Budget budget = new Budget(100);
        assertTrue(budget.tryCharge(60));
        assertFalse(budget.tryCharge(41));
        assertTrue(budget.tryCharge(40));
        assertFalse(budget.tryCharge(1));
        assertTrue(budget.tryCharge(0));
        assertEquals(0, budget.room());
        budget.credit(60);
        assertEquals(40, budget.charged());
        assertFalse(budget.tryCharge(Long.MAX_VALUE));
        assertEquals(60, budget.room());
    }

    /** Charges memory of so many bytes. */
    private static Footprint charged(Budget budget, int bytes, Footprint.Owner owner) {
        assertTrue(budget.tryCharge(bytes));
        Footprint footprint = new Footprint(ByteBuffer.allocate(bytes), bytes, null, owner);
        budget.track(footprint);
        return footprint;
    }

    /** A charge does not look for memory that is gone: a look takes long, and a charge is made under a monitor. */
    @Test
    void eachFootprintIsCreditedOnce() {
        Budget budget = new Budget(100);
        Footprint footprint = charged(budget, 60, null);
        assertFalse(budget.isEmpty());
        footprint.clear(); // as the collector does
        assertFalse(budget.tryCharge(41));
        assertEquals(60, budget.creditAll());
        assertEquals(0, budget.creditAll());
        assertEquals(0, budget.collect(Long.MAX_VALUE));
        assertEquals(0, budget.charged());
        assertTrue(budget.isEmpty());
    }

    @Test
    void collectableCountsDroppedMemory() {
        Budget budget = new Budget(100);
        Footprint footprint = charged(budget, 60, null);
        assertEquals(0, budget.collectable());
        budget.drop(footprint);
        budget.drop(footprint);
        assertEquals(60, budget.collectable());
        budget.adopt(footprint);
        budget.adopt(footprint);
        assertEquals(0, budget.collectable());
        budget.drop(footprint);
        assertTrue(budget.end(footprint));
        assertEquals(0, budget.collectable());
        assertEquals(0, budget.charged());
    }

    /** B4: an acquire looks at dropped memory, and the tick at all memory. */
    @Test
    void takenMemoryIsCredited() {
        Budget budget = new Budget(60_000);
        List<ByteBuffer> held = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            ByteBuffer memory = ByteBuffer.allocate(60);
            held.add(memory);
            assertTrue(budget.tryCharge(60));
            Footprint footprint = new Footprint(memory, memory.capacity(), null, null);
            budget.track(footprint);
            if (i >= 100) {
                budget.drop(footprint);
            }
            if (i % 2 == 0) {
                footprint.clear(); // as the collector does
            }
        }
        assertEquals(60 * 450, budget.creditTaken());
        assertEquals(60 * 550, budget.charged());
        assertEquals(60 * 450, budget.collectable());
        assertEquals(
                60 * 50,
                budget.creditInTurn(System.nanoTime()),
                "those that were not dropped, and the others not again");
        assertEquals(60 * 500, budget.charged());
        assertEquals(60 * 500, budget.collectable(), "their pool is gone");
        Reference.reachabilityFence(held);
    }

    /** The tick looks at some parts in each second, whatever the sign of a collection says. */
    @Test
    void tickFindsTakenMemoryWithoutSign() {
        Budget budget = new Budget(10_000);
        assertEquals(0, budget.creditTaken());
        for (int i = 0; i < 10_000; i++) {
            Footprint footprint = charged(budget, 1, null);
            budget.drop(footprint);
            footprint.clear(); // as the collector does
        }
        long now = System.nanoTime();
        assertTrue(budget.creditInTurn(now) >= 4096);
        for (int second = 1; second < 3; second++) {
            budget.creditInTurn(now + second * SECOND);
        }
        assertEquals(0, budget.charged());
    }

    /** To look at each dropped part for each refusal took 100 ms with 300,000 parts. */
    @Test
    void takenMemoryIsLookedForOncePerCollection() {
        Budget budget = new Budget(1000);
        assertEquals(0, budget.creditTaken());
        ByteBuffer memory = ByteBuffer.allocate(60);
        assertTrue(budget.tryCharge(60));
        Footprint footprint = new Footprint(memory, memory.capacity(), null, null);
        budget.track(footprint);
        budget.drop(footprint);
        footprint.clear(); // as the collector does, but without a collection
        assertEquals(0, budget.creditTaken());
        System.gc();
        assertEquals(60, budget.creditTaken());
        Reference.reachabilityFence(memory);
    }

    @Test
    void concurrentChargesNeverExceedCap() throws Exception {
        Budget budget = new Budget(1000);
        AtomicLong held = new AtomicLong();
        Threads.together(Collections.nCopies(4, () -> {
            SplittableRandom random =
                    new SplittableRandom(Thread.currentThread().hashCode());
            long end = System.nanoTime()
                    + TimeUnit.MILLISECONDS.toNanos(400); // long enough to run at the same time on a busy machine
            while (System.nanoTime() - end < 0) {
                int bytes = 1 + random.nextInt(500);
                if (budget.tryCharge(bytes)) {
                    assertTrue(held.addAndGet(bytes) <= 1000);
                    held.addAndGet(-bytes);
                    budget.credit(bytes);
                }
                assertTrue(budget.charged() >= 0 && budget.charged() <= 1000);
            }
        }));
        assertEquals(0, budget.charged());
    }

    @Test
    void policyIsNeverAskedForMoreThanCap() throws Exception {
        long max = 2 << 20;
        List<WeakReference<byte[]>> given = Collections.synchronizedList(new ArrayList<>());
        try (BufferPool pool = BufferPool.builder("hammered")
                .max(max)
                .policy(Kind.own(bytes -> {
                    synchronized (given) {
                        long there = given.stream()
                                .map(WeakReference::get)
                                .mapToLong(array -> array == null ? 0 : array.length)
                                .sum();
                        if (bytes % 3 == 0 && there > max / 2) {
                            throw new OutOfMemoryError("now and then");
                        }
                        assertTrue(there + bytes <= max, "allocated beyond the cap");
                        ByteBuffer made = ByteBuffer.allocate(bytes);
                        given.add(new WeakReference<>(made.array()));
                        return made;
                    }
                }))
                .build()) {
            Threads.together(Collections.nCopies(4, () -> {
                Random random = new Random(Thread.currentThread().hashCode());
                List<PooledBuffer> leases = new ArrayList<>();
                for (int i = 0; i < 5_000; i++) {
                    PooledBuffer lease = leases.size() < 30 ? pool.tryAcquire(random.nextInt(60_000)) : null;
                    if (lease != null) {
                        leases.add(lease);
                    } else if (!leases.isEmpty()) {
                        leases.remove(random.nextInt(leases.size())).release();
                    }
                    if (i % 500 == 0) {
                        PoolStats stats = pool.stats();
                        assertTrue(stats.reservedBytes() + stats.droppedBytes() <= max);
                    }
                }
                leases.forEach(PooledBuffer::release);
            }));
            Conservation.check(pool);
        }
    }

    @Test
    void poolsWithoutMaxShareBudgetPerKindOfMemory() {
        DirectRoom.make();
        try (BufferPool one = BufferPool.builder("shared").policy("heap-view").build();
                BufferPool two = BufferPool.builder("shared").policy("heap").build()) {
            assertEquals(Runtime.getRuntime().maxMemory() / 4, one.stats().maxBytes());
            long room = Peek.budget(two).room();
            PooledBuffer lease = one.acquire(1 << 20);
            assertEquals(room - (1 << 20), Peek.budget(two).room());
            lease.release();
            Conservation.check(one);
            Conservation.check(two);
        }
        assertSame(Budget.shared(false, 5), Budget.shared(false, 7), "the first pool fixed its size");
    }

    @Test
    void itsOwnerIsToldOnceBeforeTheCredit() {
        Budget budget = new Budget(100);
        List<Long> charged = new ArrayList<>();
        Footprint.Owner owner = it -> charged.add(budget.charged());
        Footprint it = charged(budget, 60, owner);
        assertTrue(budget.end(it));
        assertTrue(budget.end(it), "it is gone, and no I/O uses it");
        assertEquals(List.of(60L), charged);
        assertEquals(0, budget.charged());
        Reference.reachabilityFence(owner);
    }

    // ---------------------------------------------------------------- Need: what acquires lack

    @Test
    void smallestRequestCountsForTenSeconds() {
        Need need = new Need();
        long now = System.nanoTime();
        assertEquals(Need.NONE, need.least(now));
        need.note(500, now);
        need.note(700, now + SECOND);
        assertEquals(500, need.least(now + 11 * SECOND - 1));
        assertEquals(Need.NONE, need.least(now + 11 * SECOND));
        need.note(700, now + 11 * SECOND);
        assertEquals(700, need.least(now + 11 * SECOND));
    }

    @Test
    void collectionAnswersUntilLossesAreFound() {
        Need need = new Need();
        long now = System.nanoTime();
        need.note(500, now);
        need.answer();
        assertEquals(Need.NONE, need.least(now));
        need.renew();
        assertEquals(500, need.least(now));
        need.answer();
        need.note(700, now);
        assertEquals(700, need.least(now));
        need.renew();
        assertEquals(Need.NONE, need.least(now + 10 * SECOND));
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.Exhaustion;
import dev.buffers.PooledBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A pool in trouble, told by its meters alone: what docs/metrics.md says about when to worry. */
class SymptomsTest {
    enum Symptom {
        /** Acquires were refused. */
        EXHAUSTED,
        /** Acquires got plain memory instead of the pool's. */
        OVERFLOWING,
        /** A thread waits for room, or has waited. */
        WAITING,
        /** Leases were dropped without a release. */
        LEAKING,
        /** More and more is out on lease, and nothing comes back. */
        HOARDING,
        /** Thrashing: more slabs were cut than there are, so all memory was cut anew. */
        RECUTTING,
        /** Thrashing: more memory was given back than is kept, so it was reserved again. */
        PUMPING,
        /** Leases are released twice. */
        MISUSED
    }

    private final Panel panel = new Panel();
    private final List<PooledBuffer> held = new ArrayList<>();
    private BufferPool pool;

    @BeforeEach
    void open() {
        open(BufferPool.builder("web"));
    }

    private void open(BufferPool.Builder builder) {
        if (pool != null) {
            pool.close();
        }
        pool = builder.policy("heap-view")
                .max(512 << 10)
                .regionSize(64 << 10)
                .maxSize(16 << 10)
                .build();
        panel.registry.clear();
        BufferPoolMetrics.builder(pool).waits().monitor(panel.registry);
        serve(200, 1000);
        look();
    }

    @AfterEach
    void close() {
        held.forEach(PooledBuffer::close);
        pool.close();
    }

    /** One look's meters, reduced to what the symptoms need. */
    private record Look(
            long acquires,
            long rejected,
            long unpooled,
            long carved,
            long releases,
            long invalid,
            long leaks,
            long trimmed,
            long waiters,
            long waits,
            long leases,
            long slabs,
            long reserved) {}

    private Look last;

    private Look look() {
        panel.later();
        last = new Look(
                panel.value("buffers.pool.acquires"),
                panel.value("buffers.pool.acquires", "outcome", "rejected"),
                panel.value("buffers.pool.acquires", "outcome", "unpooled"),
                panel.value("buffers.pool.acquires", "outcome", "carved"),
                panel.value("buffers.pool.releases"),
                panel.value("buffers.pool.releases", "outcome", "invalid"),
                panel.value("buffers.pool.leaks"),
                panel.value("buffers.pool.trimmed"),
                panel.value("buffers.pool.waiters"),
                panel.value("buffers.pool.waits"),
                panel.value("buffers.pool.leases"),
                panel.value("buffers.pool.slabs"),
                panel.value("buffers.pool.memory.reserved"));
        return last;
    }

    /** The symptoms since the last look. */
    private Set<Symptom> symptoms() {
        Look before = last;
        Look now = look();
        Set<Symptom> found = EnumSet.noneOf(Symptom.class);
        add(found, Symptom.EXHAUSTED, now.rejected > before.rejected);
        add(found, Symptom.OVERFLOWING, now.unpooled > before.unpooled);
        add(found, Symptom.WAITING, now.waiters > 0 || now.waits > before.waits);
        add(found, Symptom.LEAKING, now.leaks > before.leaks);
        add(found, Symptom.HOARDING, now.leases > before.leases && now.releases == before.releases);
        add(found, Symptom.RECUTTING, now.carved - before.carved > Math.max(before.slabs, now.slabs));
        add(found, Symptom.PUMPING, now.trimmed - before.trimmed > Math.max(now.reserved, before.reserved));
        add(found, Symptom.MISUSED, now.invalid > before.invalid);
        return found;
    }

    private static void add(Set<Symptom> found, Symptom symptom, boolean present) {
        if (present) {
            found.add(symptom);
        }
    }

    private void serve(int requests, int size) {
        for (int i = 0; i < requests; i++) {
            pool.acquire(size).release();
        }
    }

    private void fill(int size) {
        for (PooledBuffer lease = pool.tryAcquire(size); lease != null; lease = pool.tryAcquire(size)) {
            held.add(lease);
        }
    }

    private void hold(int leases, int size) {
        for (int i = 0; i < leases; i++) {
            held.add(pool.acquire(size));
        }
    }

    private void giveBack() {
        held.forEach(PooledBuffer::release);
        held.clear();
    }

    @Test
    void healthy() {
        for (int i = 0; i < 5; i++) {
            serve(200, 1000);
            held.add(pool.acquire(1000));
            assertEquals(Set.of(), symptoms());
        }
        giveBack();
        assertEquals(Set.of(), symptoms());
    }

    @Test
    void exhausted() {
        fill(1000);
        assertThrows(RuntimeException.class, () -> pool.acquire(1000));
        assertTrue(symptoms().contains(Symptom.EXHAUSTED));
        assertEquals(2, last.rejected);
        // Why: the cap is out on lease, rather than cached, lost or not yet collected.
        assertTrue(panel.value("buffers.pool.memory.leased") > 0.9 * panel.value("buffers.pool.memory.max"));

        giveBack();
        symptoms();
        serve(200, 1000);
        assertEquals(Set.of(), symptoms(), "it is over");
    }

    @Test
    void overflowing() {
        open(BufferPool.builder("web").atLimit(Exhaustion.unpooled()));
        for (int i = 0; i < 600; i++) {
            held.add(pool.acquire(1000));
        }
        Set<Symptom> symptoms = symptoms();
        assertTrue(symptoms.contains(Symptom.OVERFLOWING));
        assertFalse(symptoms.contains(Symptom.EXHAUSTED));
        assertEquals(last.unpooled, panel.value("buffers.pool.leases", "size", "other"));
    }

    @Test
    void waiting() throws Exception {
        fill(1000);
        CountDownLatch woken = new CountDownLatch(1);
        pool.whenAvailable(1000, woken::countDown);
        assertTrue(symptoms().contains(Symptom.WAITING));
        assertEquals(1, last.waiters);
        giveBack();
        assertTrue(woken.await(300, TimeUnit.SECONDS)); // the tick may have found the room
        assertFalse(symptoms().contains(Symptom.WAITING));
    }

    /** Too short for a look at who waits: the timer tells of it, and how long it took. */
    @Test
    void waitingBetweenTwoLooks() throws Exception {
        open(BufferPool.builder("web").atLimit(Exhaustion.waiting(Duration.ofSeconds(60))));
        fill(1000);
        Thread waiting = new Thread(() -> pool.acquire(1000).release());
        symptoms();
        waiting.start();
        while (pool.stats().waiters() == 0) {
            Thread.sleep(1);
        }
        held.remove(0).release();
        waiting.join();
        assertEquals(Set.of(Symptom.WAITING), symptoms());
        assertEquals(0, last.waiters);
        assertEquals(1, last.waits);
        assertTrue(panel.registry.get("buffers.pool.waits").functionTimer().mean(TimeUnit.NANOSECONDS) > 0);
        giveBack();
        serve(200, 1000);
        assertEquals(Set.of(), symptoms(), "it is over");
    }

    @Test
    void leaking() throws Exception {
        serve(200, 1000);
        for (int i = 0; i < 5; i++) {
            assertNotNull(pool.acquire(1000)); // and forgotten
        }
        look();
        assertEquals(5, last.leases + last.leaks);
        Look before = last;
        for (int tries = 0; tries < 200 && last.leaks < 5; tries++) {
            System.gc();
            Thread.sleep(5);
            look();
        }
        Look after = last;
        if (before.leaks < 5) { // or the collector was quick
            last = before;
            assertTrue(symptoms().contains(Symptom.LEAKING));
        }
        assertEquals(5, after.leaks);
        assertEquals(0, after.leases);
        serve(200, 1000);
        symptoms();
        assertEquals(5, last.leaks, "no more");
    }

    @Test
    void hoarding() {
        for (int i = 0; i < 5; i++) {
            held.add(pool.acquire(1000));
            held.add(pool.acquire(1000));
            assertTrue(symptoms().contains(Symptom.HOARDING));
        }
        assertEquals(10, panel.value("buffers.pool.leases", "size", "1024"));
    }

    /** Most of the cap is used for one size and then for another, again and again. */
    @Test
    void recutting() {
        hold(400, 1000);
        giveBack();
        symptoms();
        for (int round = 0; round < 5; round++) {
            hold(36, 12_000);
            giveBack();
            hold(400, 1000);
            giveBack();
            assertEquals(Set.of(Symptom.RECUTTING), symptoms());
        }
        serve(200, 1000);
        assertEquals(Set.of(), symptoms(), "it is over");
    }

    /** A thread trims a pool that is in use. */
    @Test
    void pumping() {
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 4; i++) {
                hold(30, 10_000);
                giveBack();
                pool.trim();
            }
            assertEquals(Set.of(Symptom.RECUTTING, Symptom.PUMPING), symptoms());
        }
        hold(30, 10_000);
        giveBack();
        symptoms();
        pool.trim();
        serve(200, 1000);
        look();
        serve(200, 1000);
        assertEquals(Set.of(), symptoms(), "it is over");
    }

    @Test
    void misused() {
        PooledBuffer lease = pool.acquire(1000);
        lease.release();
        assertThrows(IllegalStateException.class, lease::release);
        assertEquals(Set.of(Symptom.MISUSED), symptoms());
    }
}

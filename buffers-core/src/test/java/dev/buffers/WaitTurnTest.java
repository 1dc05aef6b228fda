// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.internal.signals.PoolState;
import dev.buffers.internal.slab.Slab;
import dev.buffers.support.Conservation;
import dev.buffers.support.Eventually;
import dev.buffers.support.Leases;
import dev.buffers.support.Peek;
import dev.buffers.support.Refusal;
import dev.buffers.support.WaitHeldTick;
import dev.buffers.support.WaitingThread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which memory is kept for the waiter whose turn it is, and for how long (W4 of {@code WaitQueue}, R5 of {@code RegionAllocator}). */
class WaitTurnTest {
    private static final int SMALL = 1000;
    private static final int SLOT = 1024;
    private static final int LARGE = 16_000;
    private static final int REGION = 64 << 10;
    private static final int SLOTS = REGION / SLOT;
    private static final Duration LONG = Duration.ofMinutes(1);

    private final WaitHeldTick held = new WaitHeldTick();
    private final List<PooledBuffer> leases = new ArrayList<>();
    private long now = System.nanoTime() + TimeUnit.HOURS.toNanos(1);

    WaitTurnTest() throws Exception {}

    @AfterEach
    void releaseTheTick() {
        held.close();
    }

    private static BufferPool.Builder builder(long max) {
        return BufferPool.builder("turn")
                .policy("heap-view")
                .max(max)
                .regionSize(REGION)
                .maxSize(LARGE)
                .collect(PoolSettings.Collecting.OFF);
    }

    /** One tick, so many milliseconds after the one before; in the test's own time. */
    private void tick(BufferPool pool, long millis) {
        now += TimeUnit.MILLISECONDS.toNanos(millis);
        ((PoolState) pool).tick(now);
    }

    /** Two ticks, after which a waiter that has waited since before them has its turn. */
    private void giveTurn(BufferPool pool) {
        tick(pool, 0);
        tick(pool, 1);
    }

    private void fill(BufferPool pool) {
        leases.addAll(Leases.all(pool, SMALL));
    }

    /** Releases the leases of each slab but for so many. */
    private void releaseAllBut(int left) {
        List<Slab> seen = new ArrayList<>();
        leases.removeIf(lease -> {
            Slab slab = Peek.slot(lease).slab;
            seen.add(slab);
            return seen.stream().filter(slab::equals).count() > left && lease.release();
        });
    }

    private static void released(PooledBuffer lease) {
        assertNotNull(lease);
        lease.release();
    }

    @Test
    void chosenSlabIsGivenToNoOtherThreadAndServesWaiterWithoutTick() throws Exception {
        try (BufferPool pool = builder(REGION).build()) {
            fill(pool);
            releaseAllBut(2);
            WaitingThread waiting = WaitingThread.parked(pool, LARGE, LONG);
            pool.acquire(SMALL).release();
            giveTurn(pool);
            assertNull(pool.tryAcquire(SMALL), "its free slots are kept");
            leases.remove(0).release();
            assertNull(pool.tryAcquire(SMALL), "the slot has come home");
            Leases.release(leases);
            waiting.release();
            Conservation.check(pool);
        }
    }

    /** A slot of the chosen slab is not handed to a waiter of its class, though this one would be served at once. */
    @Test
    void slotOfChosenSlabPassesByWaiterOfItsClass() throws Exception {
        try (BufferPool pool = builder(REGION).build()) {
            fill(pool);
            WaitingThread large = WaitingThread.parked(pool, LARGE, LONG);
            giveTurn(pool);
            WaitingThread small = WaitingThread.parked(pool, SMALL, LONG);
            PooledBuffer last = leases.remove(0);
            Leases.release(leases);
            assertTrue(small.isParked());
            last.release();
            PooledBuffer lease = large.lease();
            assertTrue(small.isParked());
            lease.release(); // its slot goes home too, and its region to the next waiter
            small.release();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void waiterThatLeavesFreesKeptMemory(boolean exact) throws Exception {
        try (BufferPool pool =
                builder(REGION).policy(exact ? "heap" : "heap-view").build()) {
            fill(pool);
            releaseAllBut(1);
            WaitingThread large = WaitingThread.parked(pool, LARGE, LONG);
            giveTurn(pool);
            WaitingThread small = WaitingThread.parked(pool, SMALL, LONG);
            large.interrupt();
            large.refusal(PoolExhaustedException.class);
            small.release();
            released(pool.tryAcquire(SMALL));
            Leases.release(leases);
        }
    }

    @Test
    void poolClosesWhileMemoryIsKept() throws Exception {
        BufferPool pool = builder(REGION).build();
        fill(pool);
        WaitingThread large = WaitingThread.parked(pool, LARGE, LONG);
        giveTurn(pool);
        pool.close();
        large.refusal(IllegalStateException.class);
        Leases.release(leases);
        tick(pool, 1);
        assertEquals(0, pool.stats().reservedBytes());
    }

    /** The slab with the fewest leases is chosen first. One of them does not end, so another slab is chosen beside it. */
    @Test
    void longLeaseDelaysNoWaiter() throws Exception {
        try (BufferPool pool = builder(4 * REGION).build()) {
            fill(pool);
            releaseAllBut(2);
            PooledBuffer first = leases.get(2); // of the second slab
            Slab pinned = Peek.slot(first).slab;
            leases.remove(3).release();
            WaitingThread waiting = WaitingThread.parked(pool, LARGE, LONG);
            giveTurn(pool);
            List<PooledBuffer> beside = Leases.all(pool, SMALL);
            assertEquals(3 * (SLOTS - 2), beside.size(), "one slab is kept");
            assertFalse(beside.stream().anyMatch(lease -> Peek.slot(lease).slab == pinned));
            beside.forEach(PooledBuffer::release);
            tick(pool, 60);
            beside = Leases.all(pool, SMALL);
            assertEquals(2 * (SLOTS - 2), beside.size(), "two slabs are kept");
            beside.forEach(PooledBuffer::release);
            tick(pool, 120);
            beside = Leases.all(pool, SMALL);
            assertEquals(2 * (SLOTS - 2), beside.size(), "another one instead of the second");
            for (PooledBuffer lease : leases) {
                Slab slab = Peek.slot(lease).slab;
                if (slab != pinned && beside.stream().noneMatch(other -> Peek.slot(other).slab == slab)) {
                    lease.release();
                }
            }
            waiting.release();
            leases.removeIf(lease -> !lease.isOpen());
            beside.forEach(PooledBuffer::release);
            Leases.release(leases);
        }
    }

    /** Leases last longer than a turn: the others get the kept memory, and the waiter has another turn later, with another slab. */
    @Test
    void waiterThatNothingServesKeepsMemoryForAWhileOnly() throws Exception {
        try (BufferPool pool = builder(2 * REGION).build()) {
            fill(pool);
            releaseAllBut(1);
            WaitingThread waiting = WaitingThread.parked(pool, LARGE, LONG);
            giveTurn(pool);
            Slab first = keptSlab(pool);
            tick(pool, 2100);
            assertNull(keptSlab(pool));
            tick(pool, 1900);
            assertNull(keptSlab(pool), "it rests");
            tick(pool, 200);
            assertFalse(first.equals(keptSlab(pool)));
            Leases.release(leases);
            waiting.release();
        }
    }

    /** The slab of which no slot can be acquired; null if there is none. */
    private Slab keptSlab(BufferPool pool) {
        List<PooledBuffer> found = Leases.all(pool, SMALL);
        Slab kept = leases.stream()
                .map(lease -> Peek.slot(lease).slab)
                .filter(slab -> found.stream().noneMatch(lease -> Peek.slot(lease).slab == slab))
                .findAny()
                .orElse(null);
        found.forEach(PooledBuffer::release);
        return kept;
    }

    /** No region is large enough, or none serves another class: as many bytes as the waiter needs are dropped, and adopted by no other. */
    @ParameterizedTest
    @ValueSource(strings = {"heap-view", "heap", "guard"})
    void droppedMemoryIsKeptUntilCollected(String how) throws Exception {
        boolean exact = how.equals("heap");
        int size = exact ? LARGE : REGION + REGION / 2;
        try (BufferPool pool = builder(4 * REGION)
                .policy(exact ? "heap" : "heap-view")
                .guard(how.equals("guard"))
                .build()) {
            fill(pool);
            WaitingThread waiting = WaitingThread.parked(pool, size, LONG);
            giveTurn(pool);
            Leases.release(leases);
            List<PooledBuffer> others = Leases.all(pool, SMALL);
            PoolStats stats = pool.stats();
            assertTrue(stats.maxBytes() - stats.reservedBytes() >= size, stats::toString);
            WaitingThread small = WaitingThread.parked(pool, SMALL, LONG);
            tick(pool, 1);
            assertTrue(small.isParked(), "nor by a later waiter");
            Eventually.collected("the collector takes it", () -> {
                others.addAll(Leases.all(pool, SMALL)); // it might take room that has just been credited
                tick(pool, 1);
                return waiting.hasEnded();
            });
            waiting.release();
            others.forEach(PooledBuffer::release);
            small.release();
        }
    }

    /** Plain heap memory is room as soon as its lease ends. */
    @Test
    void roomIsKeptUntilSufficient() throws Exception {
        try (BufferPool pool = builder(LARGE).policy("unpooled").build()) {
            fill(pool);
            WaitingThread waiting = WaitingThread.parked(pool, LARGE / 2, LONG);
            giveTurn(pool);
            WaitingThread small = WaitingThread.parked(pool, SMALL, LONG);
            int room = 0;
            for (PooledBuffer lease : leases) {
                lease.release();
                room += SMALL;
                if (pool.stats().waiters() < 2) {
                    break;
                }
                assertNull(pool.tryAcquire(SMALL));
            }
            assertTrue(room >= LARGE / 2, "a later waiter has taken it");
            waiting.release();
            small.release();
            leases.forEach(PooledBuffer::close);
        }
    }

    /** The thread that is woken comes a little later. Until the tick after next, no other size is given the memory. */
    @Test
    void memoryIsKeptAfterWakeUp() {
        try (BufferPool pool = builder(REGION).build()) {
            fill(pool);
            AtomicBoolean called = new AtomicBoolean();
            pool.whenAvailable(LARGE, () -> called.set(true));
            giveTurn(pool);
            Leases.release(leases);
            assertTrue(called.get());
            Refusal.of(
                    PoolExhaustedException.class,
                    () -> pool.acquire(SMALL),
                    "memory that comes free is kept for a waiter");
            tick(pool, 1);
            assertNull(pool.tryAcquire(SMALL));
            released(pool.tryAcquire(LARGE));
            tick(pool, 1);
            released(pool.tryAcquire(SMALL));
        }
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.internal.memory.Budget;
import dev.buffers.internal.memory.DirectLimit;
import dev.buffers.support.Conservation;
import dev.buffers.support.Eventually;
import dev.buffers.support.Peek;
import dev.buffers.support.Refusal;
import dev.buffers.support.Threads;
import dev.buffers.support.TrimBurst;
import dev.buffers.support.TrimTime;
import dev.buffers.support.channels.Sockets;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousSocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With {@code free=prompt} a region's memory goes the moment its last slot has ended, and not before (I7). */
class PromptTest {

    private static BufferPool.Builder builder(String policy) {
        return BufferPool.builder("prompt").policy(policy).max(32 << 20).free(PoolSettings.Freeing.PROMPT);
    }

    private static long kept(BufferPool pool) {
        return pool.stats().reservedBytes() + pool.stats().droppedBytes();
    }

    /** Whether an access finds this memory of the pool gone. */
    private static boolean isGone(ByteBuffer view) {
        try {
            view.get(0);
            return false;
        } catch (IllegalStateException e) {
            return true;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"direct-view", "direct"})
    void trimGivesBackAtOnce(String policy) {
        long before = DirectLimit.used();
        try (BufferPool pool = builder(policy).build()) {
            List<PooledBuffer> leases = new ArrayList<>();
            List<ByteBuffer> stale = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                PooledBuffer lease = pool.acquire(i % 2 == 0 ? 4096 : 60_000);
                assertTrue(lease.buffer().isDirect());
                stale.add(lease.buffer());
                leases.add(lease);
            }
            PooledBuffer large = pool.acquire(3 << 20);
            assertTrue(kept(pool) >= 12 << 20, () -> pool.stats().toString());
            assertEquals(before, DirectLimit.used(), "the JVM counts it as its own");
            assertEquals(
                    Peek.budget(pool).max() - Peek.budget(pool).room(),
                    pool.stats().reservedBytes());
            stale.forEach(view -> assertFalse(isGone(view)));
            large.release();
            leases.forEach(PooledBuffer::release);
            pool.trim();
            assertEquals(0, kept(pool));
            stale.forEach(view -> assertTrue(isGone(view)));
            assertEquals(Peek.budget(pool).max(), Peek.budget(pool).room());
            pool.acquire(4096).release();
            Conservation.check(pool);
        }
    }

    @Test
    void aQuietPoolGivesBackWithoutACollection() throws Exception {
        try (BufferPool pool = builder("direct-view").build();
                TrimBurst burst = new TrimBurst(pool, 8, 20 << 20)) {
            new TrimTime(pool).seconds(15);
            assertTrue(kept(pool) <= burst.peak / 20, () -> pool.stats().toString());
            Conservation.check(pool);
        }
    }

    @Test
    void closeFreesMemoryWithoutOpenLeases() {
        BufferPool pool = builder("direct-view").build();
        ByteBuffer stale = released(pool, 100_000);
        PooledBuffer out = pool.acquire(100);
        pool.close();
        assertTrue(isGone(stale));
        out.buffer().putLong(0, 42);
        assertEquals(42, out.buffer().getLong(0));
        ByteBuffer view = out.buffer();
        out.release();
        assertTrue(isGone(view));
        assertEquals(0, kept(pool));
        Conservation.check(pool);
    }

    private static ByteBuffer released(BufferPool pool, int size) {
        PooledBuffer lease = pool.acquire(size);
        ByteBuffer view = lease.buffer();
        lease.release();
        return view;
    }

    @Test
    void lostAndDiscardedSlotsHaveEnded() {
        try (BufferPool pool = builder("direct-view").build()) {
            PooledBuffer beside = pool.acquire(4096);
            ByteBuffer kept = loseButKeepAView(pool);
            PooledBuffer discarded = pool.acquire(4096);
            ByteBuffer late = discarded.buffer();
            discarded.discard();
            Eventually.collected("the loss is counted", () -> pool.stats().leaks() == 1);
            assertFalse(isGone(late));
            assertFalse(isGone(kept));
            beside.release();
            pool.trim();
            assertEquals(0, kept(pool), "no collection is needed");
            assertTrue(isGone(late));
            assertTrue(isGone(kept));
            Conservation.check(pool);
        }
    }

    private static ByteBuffer loseButKeepAView(BufferPool pool) {
        return pool.acquire(4096).buffer().slice();
    }

    @Test
    void aPendingReadDelaysTheEnd() throws Exception {
        try (Sockets<AsynchronousSocketChannel> sockets = Sockets.connectAsync()) {
            BufferPool pool = builder("direct-view").build();
            PooledBuffer lease = pool.acquire(100_000);
            ByteBuffer into = lease.buffer();
            Future<Integer> read = sockets.near().read(into);
            Thread.sleep(50);
            lease.release(); // a mistake: the read is still under way
            pool.trim();
            PoolStats stats = Conservation.check(pool);
            assertEquals(0, stats.reservedBytes());
            assertTrue(stats.droppedBytes() >= 100_000, () -> stats.toString());
            pool.close();
            assertTrue(kept(pool) >= 100_000);
            sockets.far().write(ByteBuffer.wrap(new byte[] {1, 2, 3})).get();
            assertEquals(3, read.get());
            Eventually.holds(
                    "the daemon closes it then, without a call",
                    () -> Peek.budget(pool).room() == Peek.budget(pool).max());
            assertTrue(isGone(into));
            Conservation.check(pool);
        }
    }

    @Test
    void unclosedPoolFreesMemoryWhenCollected() {
        WeakReference<?>[] pool = new WeakReference<?>[1];
        Budget[] budget = new Budget[1];
        ByteBuffer[] late = {forgotten(budget, pool)};
        Eventually.collected(
                "the pool is found gone, and a view that lives keeps its memory", () -> pool[0].get() == null);
        assertFalse(isGone(late[0]));
        late[0] = null;
        Eventually.collected("the arena is closed", () -> budget[0].charged() == 0);
    }

    private static ByteBuffer forgotten(Budget[] budget, WeakReference<?>[] weak) {
        BufferPool pool = builder("direct-view").build();
        budget[0] = Peek.budget(pool);
        weak[0] = new WeakReference<>(pool);
        return pool.acquire(4096).buffer();
    }

    @ParameterizedTest
    @ValueSource(strings = {"heap", "heap-view", "unpooled"})
    void promptFreeingIsRefusedWithoutDirectPolicy(String policy) {
        Refusal.of(
                () -> builder(policy).build(),
                "buffers.free=prompt",
                "policy=" + policy,
                "accepted: gc, or policy=direct-view or direct with it");
    }

    /** Closes race with acquires and releases; open leases stay good. */
    @Test
    void closeRacesAcquireAndRelease() throws Exception {
        for (int round = 0; round < 40; round++) {
            BufferPool pool =
                    builder("direct-view").trimAfter(Duration.ofMillis(1)).build();
            List<Threads.Action> actions = new ArrayList<>();
            AtomicInteger refused = new AtomicInteger();
            for (int t = 0; t < 4; t++) {
                Random random = new Random(round * 4L + t);
                actions.add(() -> CloseRaceTest.useUntilClosed(pool, random, refused));
            }
            int pause = round * 50;
            actions.add(() -> {
                TimeUnit.MICROSECONDS.sleep(pause);
                pool.trim();
                pool.close();
            });
            Threads.together(actions);
            assertEquals(4, refused.get());
            Eventually.holds("nothing is kept", () -> kept(pool) == 0); // close waits a second for calls under way
        }
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.internal.slab.Slab;
import dev.buffers.internal.slab.SlabStore;
import dev.buffers.internal.upkeep.MaintenanceThread;
import dev.buffers.support.Conservation;
import dev.buffers.support.Eventually;
import dev.buffers.support.Jvm;
import dev.buffers.support.Leases;
import dev.buffers.support.Peek;
import dev.buffers.support.Threads;
import dev.buffers.support.WaitingThread;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Wherever free memory is, and however it comes free, it reaches the thread that needs it (I5). */
class WaitReachTest {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final int THREADS = 64;
    private static final int SMALL = 128;
    private static final int CAP = 4 << 20;

    private final CountDownLatch end = new CountDownLatch(1);

    private static BufferPool.Builder builder(long max) {
        return BufferPool.builder("reach").policy("heap-view").max(max);
    }

    @AfterEach
    void wakeTheSleepers() {
        end.countDown();
    }

    /** A dropped region serves a waiter whatever its size, as it serves a running thread. */
    @ParameterizedTest
    @ValueSource(ints = {SMALL, 300_000})
    void largeDroppedRegionReachesWaiter(int size) throws Exception {
        try (BufferPool pool = builder(CAP)
                .regionSize(256 << 10)
                .collect(PoolSettings.Collecting.OFF)
                .build()) {
            PooledBuffer all = pool.acquire(CAP);
            WaitingThread waiting = WaitingThread.parked(pool, size, LONG);
            all.release();
            waiting.lease().release();
        }
    }

    /** Slots of an unread channel are in no list that a refused acquire could look into. */
    @Test
    void slotsInReturnStacksServeRefusedThreads() {
        try (BufferPool pool = builder(1 << 20).build()) {
            List<ChannelBuffers> channels = new ArrayList<>();
            List<PooledBuffer> leases = new ArrayList<>();
            List<PooledBuffer> kept = new ArrayList<>();
            for (int i = 0; i < 256; i++) {
                ChannelBuffers channel = pool.channel();
                channels.add(channel);
                (i % 16 == 0 ? kept : leases).add(channel.acquire(4096));
            }
            leases.forEach(PooledBuffer::release);
            Eventually.holds("a free slot is found", () -> {
                PooledBuffer found = pool.tryAcquire(4096);
                kept.addAll(found == null ? List.of() : List.of(found));
                return found != null;
            });
            kept.forEach(PooledBuffer::release);
            channels.forEach(ChannelBuffers::close);
        }
    }

    /** Each of many threads, which have been busy, releases a share of these, and sleeps. */
    private void releaseAndSleep(BufferPool pool, List<PooledBuffer> leases) throws InterruptedException {
        CountDownLatch released = new CountDownLatch(THREADS);
        int share = leases.size() / THREADS;
        for (int t = 0; t < THREADS; t++) {
            List<PooledBuffer> part = leases.subList(t * share, t == THREADS - 1 ? leases.size() : (t + 1) * share);
            Threads.start(() -> {
                Peek.makeBusy(pool);
                part.forEach(PooledBuffer::release);
                released.countDown();
                Threads.await(end);
            });
        }
        released.await();
    }

    /** Leases the whole pool but for the slots in the magazines of sleeping threads; returns their number. */
    private int asleep(BufferPool pool, List<PooledBuffer> leases) throws InterruptedException {
        Collections.shuffle(leases, new Random(5));
        List<PooledBuffer> part = leases.subList(0, THREADS * 16);
        releaseAndSleep(pool, new ArrayList<>(part));
        part.clear();
        int[] counted = new int[1];
        Peek.magazines(pool).peekElsewhere(slot -> counted[0]++);
        assertEquals((THREADS - 1) * 16, counted[0], "it lies in their magazines; for one of them there was no grant");
        return THREADS * 16;
    }

    @ParameterizedTest
    @ValueSource(strings = {"acquire", "tryAcquire", "patience"})
    void asleepAndOfTheSameClass(String how) throws Exception {
        try (BufferPool pool = builder(CAP).build()) {
            List<PooledBuffer> leases = Leases.all(pool, SMALL);
            int asleep = asleep(pool, leases);
            for (int i = 0; i < asleep; i++) {
                PooledBuffer lease = switch (how) {
                    case "acquire" -> pool.acquire(SMALL);
                    case "tryAcquire" -> pool.tryAcquire(SMALL);
                    default -> pool.acquire(SMALL, LONG);
                };
                assertNotNull(lease);
                leases.add(lease);
            }
            assertEquals(0, pool.stats().cachedBytes());
            leases.forEach(PooledBuffer::release);
        }
    }

    @Test
    void asleepAndOfAnotherClass() throws Exception {
        try (BufferPool pool = builder(CAP).atLimit(Exhaustion.waiting(LONG)).build()) {
            List<PooledBuffer> leases = Leases.all(pool, SMALL);
            Collections.shuffle(leases, new Random(5));
            releaseAndSleep(pool, leases);
            assertTrue(pool.stats().cachedBytes() == CAP);
            for (int i = 0; i < 3; i++) {
                WaitingThread large = WaitingThread.start(pool, () -> pool.acquire(256 << 10));
                WaitingThread oversize = WaitingThread.start(pool, () -> pool.acquire(300 << 10));
                large.release();
                oversize.release();
            }
            Conservation.check(pool);
        }
    }

    /** One lease in each region: the free slots are of no use to another class, and the refusal says how many bytes they have. */
    @Test
    void refusalReportsFreeBytesOutOfReach() {
        try (BufferPool pool = builder(CAP).build()) {
            List<PooledBuffer> leases = Leases.all(pool, 4096);
            Set<Slab> kept = new HashSet<>();
            for (Iterator<PooledBuffer> i = leases.iterator(); i.hasNext(); ) {
                PooledBuffer lease = i.next();
                if (!kept.add(Peek.slot(lease).slab)) {
                    lease.release();
                    i.remove();
                }
            }
            long free = CAP - kept.size() * 4096L;
            PoolExhaustedException refused = assertThrows(PoolExhaustedException.class, () -> pool.acquire(32 << 10));
            assertTrue(refused.getMessage().contains("free but out of reach=" + free + ","), refused.getMessage());
            assertEquals(free, refused.stats().cachedBytes());
            leases.forEach(PooledBuffer::release);
            pool.acquire(32 << 10).release();
        }
    }

    // ---------------------------------------------------------------- woken by whatever makes room

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void idleOrClosedChannelServesWaiter(boolean close) throws Exception {
        try (BufferPool pool = builder(64 << 10).build()) {
            ChannelBuffers channel = pool.channel();
            PooledBuffer kept = channel.acquire(4096);
            List<PooledBuffer> leases = Leases.all(pool, 4096);
            kept.release(); // to the channel
            WaitingThread small = WaitingThread.start(pool, 4096, LONG);
            if (close) {
                channel.close();
            } else {
                channel.idle();
            }
            small.release();
            leases.forEach(PooledBuffer::release);
            channel.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"heap-view", "unpooled"})
    void lostOversizeLeaseServesWaiter(String policy) throws Exception {
        try (BufferPool pool = builder(1 << 20).policy(policy).build()) {
            Threads.run(() -> pool.acquire(1 << 20));
            WaitingThread waiting = WaitingThread.start(pool, 1 << 20, LONG);
            Eventually.collected("the collector finds it", waiting::hasEnded);
            waiting.release();
        }
    }

    @Test
    void discardServesWaiter() throws Exception {
        try (BufferPool pool = builder(8192).policy("unpooled").build()) {
            PooledBuffer lease = pool.acquire(8192);
            WaitingThread waiting = WaitingThread.parked(pool, 8192, LONG);
            lease.discard();
            waiting.release();
        }
        try (BufferPool pool = builder(1 << 20).build()) {
            PooledBuffer lease = pool.acquire(1 << 20);
            WaitingThread waiting = WaitingThread.parked(pool, 1 << 20, LONG);
            lease.discard(); // its region is not used again, and goes through the collector
            Eventually.collected("the collector takes the region", waiting::hasEnded);
            waiting.release();
        }
    }

    /** Runs in a separate JVM, whose default budget no other test uses. */
    static final class OneBudget {
        public static void main(String[] args) throws Exception {
            try (BufferPool waits = BufferPool.builder("reach").policy("heap").build();
                    BufferPool other =
                            BufferPool.builder("reach").policy("unpooled").build()) {
                assertTrue(waits.settings().sharesDefaultBudget());
                List<PooledBuffer> leases = Leases.all(other, 1 << 20);
                WaitingThread waiting = WaitingThread.parked(waits, 2 << 20, LONG);
                leases.forEach(PooledBuffer::release);
                waiting.release();
                System.out.println("served");
            }
        }
    }

    /** Memory of one pool goes to another pool that shares the default budget; the tick notifies the other pool. */
    @Test
    void otherPoolOfSameBudgetServesWaiter() throws Exception {
        assertEquals("served\n", Jvm.run(OneBudget.class, "-Xmx64m"));
    }

    private static Thread.State daemon() {
        return Threads.daemons().stream().map(Thread::getState).findFirst().orElse(Thread.State.NEW);
    }

    /** A tick that has waited for a lock is no reason to leave its pool alone for longer. */
    @Tag("full")
    @Test
    void waiterIsServedSoonAfterSlowTick() throws Exception {
        Duration lessThanTenTimesAsLong = Duration.ofSeconds(16);
        try (BufferPool pool =
                builder(4096).collect(PoolSettings.Collecting.OFF).build()) {
            PooledBuffer lease = pool.acquire(4096);
            WaitingThread waiting = WaitingThread.parked(pool, 4096, lessThanTenTimesAsLong);
            SlabStore slabs = Peek.slabs(pool); // its lock is its monitor
            synchronized (slabs) {
                Eventually.holds("the daemon is held", () -> {
                    MaintenanceThread.requestTick();
                    return daemon() == Thread.State.BLOCKED;
                });
                Thread.sleep(2_000); // that is the slow tick
            }
            Eventually.holds("the tick has ended", () -> daemon() == Thread.State.TIMED_WAITING);
            WeakReference<ByteBuffer> view = new WeakReference<>(lease.buffer());
            lease = null; // it is lost
            Eventually.collected("the collector has found the lease", () -> view.get() == null);
            Eventually.collected("the collector has taken its memory, too", waiting::hasEnded);
            assertNotNull(waiting.lease());
        }
    }
}

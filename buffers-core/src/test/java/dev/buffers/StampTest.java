// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Conservation;
import dev.buffers.support.DirectRoom;
import dev.buffers.support.Eventually;
import dev.buffers.support.Kind;
import dev.buffers.support.Threads;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Four threads in a ring, half of the releases on another thread. Every buffer is stamped over its whole length with a unique number and
 * checked by the thread that releases it, so that memory handed out twice is seen. The pool is too small for their demand.
 */
class StampTest {
    private static final int THREADS = 4;
    private static final int CAP = 4 << 20;
    private static final int[] SIZES = {
        0, 8, 127, 128, 129, 1024, 1025, 4096, 8192, 8193, 16_709, 40_000, 262_144, 300_000
    };

    @ParameterizedTest
    @ValueSource(strings = {"direct-view", "heap", "unpooled", "own"})
    void noByteHasTwoHolders(String policy) throws Exception {
        run(new Kind(policy), TimeUnit.MILLISECONDS.toNanos(1_200));
    }

    @Tag("stress")
    @ParameterizedTest
    @ValueSource(strings = {"heap", "direct", "heap-view", "direct-view", "unpooled", "own"})
    void noByteHasTwoHoldersForLong(String policy) throws Exception {
        run(new Kind(policy), TimeUnit.SECONDS.toNanos(60));
    }

    private record Stamped(PooledBuffer lease, long stamp) {}

    private static void run(Kind kind, long nanos) throws Exception {
        DirectRoom.make();
        try (BufferPool pool = kind.builder("stamps").max(CAP).build()) {
            AtomicLong stamps = new AtomicLong(1);
            AtomicLong served = new AtomicLong();
            List<BlockingQueue<Stamped>> ring = new ArrayList<>();
            for (int t = 0; t < THREADS; t++) {
                ring.add(new ArrayBlockingQueue<>(64));
            }
            long end = System.nanoTime() + nanos;
            long deadline = Eventually.deadline() + nanos;
            List<Threads.Action> actions = new ArrayList<>();
            for (int t = 0; t < THREADS; t++) {
                BlockingQueue<Stamped> in = ring.get(t);
                BlockingQueue<Stamped> out = ring.get((t + 1) % THREADS);
                Random random = new Random(t);
                actions.add(() -> {
                    ArrayDeque<Stamped> own = new ArrayDeque<>();
                    for (int i = 0;
                            System.nanoTime() - end < 0 || served.get() <= 100 && !Eventually.isPast(deadline);
                            i++) {
                        PooledBuffer lease = pool.tryAcquire(size(random));
                        if (lease != null) {
                            served.incrementAndGet();
                            Stamped stamped = stamp(lease, stamps.getAndIncrement());
                            if (!random.nextBoolean() || !out.offer(stamped)) {
                                own.add(stamped);
                            }
                        }
                        Stamped passed = in.poll();
                        if (passed != null) {
                            end(passed, random);
                        }
                        int most = i % 1000 < 500 ? 8 : 60;
                        for (int j = lease == null ? 2 : 0; !own.isEmpty() && (j > 0 || own.size() > most); j--) {
                            end(own.poll(), random);
                        }
                    }
                    own.forEach(stamped -> end(stamped, random));
                });
            }
            Threads.together(actions);
            for (BlockingQueue<Stamped> queue : ring) {
                queue.forEach(stamped -> end(stamped, new Random(1)));
            }
            PoolStats stats = Conservation.check(pool);
            assertTrue(served.get() > 100, () -> "served: " + served);
            assertEquals(0, stats.releases(ReleaseOutcome.INVALID));
            assertEquals(0, stats.leaks());
            assertEquals(
                    served.get(), stats.releases(ReleaseOutcome.RECYCLED) + stats.releases(ReleaseOutcome.DISCARDED));
        }
    }

    private static int size(Random random) {
        int size = SIZES[Math.min(SIZES.length - 1, (int) Math.abs(random.nextGaussian() * 5))];
        return Math.max(0, size + random.nextInt(9) - 4);
    }

    private static Stamped stamp(PooledBuffer lease, long stamp) {
        ByteBuffer bytes = lease.buffer();
        assertEquals(0, bytes.position());
        assertEquals(ByteOrder.BIG_ENDIAN, bytes.order());
        bytes.clear();
        while (bytes.remaining() >= 8) {
            bytes.putLong(stamp);
        }
        while (bytes.hasRemaining()) {
            bytes.put((byte) stamp);
        }
        return new Stamped(lease, stamp);
    }

    private static void end(Stamped stamped, Random random) {
        ByteBuffer bytes = stamped.lease.buffer().clear();
        long stamp = stamped.stamp;
        while (bytes.remaining() >= 8) {
            long found = bytes.getLong();
            if (found != stamp) {
                throw new AssertionError("bytes of another lease: stamp=" + stamp + ", found=" + found);
            }
        }
        while (bytes.hasRemaining()) {
            assertEquals((byte) stamp, bytes.get());
        }
        switch (random.nextInt(40)) {
            case 0 -> stamped.lease.discard();
            case 1, 2 -> {
                PooledBuffer further = stamped.lease.retain();
                stamped.lease.release();
                further.release();
            }
            case 3 -> {
                PooledBuffer part = stamped.lease.slice(0, 0);
                part.release();
                stamped.lease.close();
            }
            default -> assertTrue(stamped.lease.release());
        }
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Conservation;
import dev.buffers.support.Eventually;
import dev.buffers.support.Kind;
import dev.buffers.support.PoolContract;
import dev.buffers.support.Threads;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A pool that closes while others acquire and release: each acquire ends, and no byte stays behind. */
@ParameterizedClass
@MethodSource("dev.buffers.support.Kind#chosen")
class CloseRaceTest extends PoolContract {
    /** How the policy's allocation ends. */
    enum Ending {
        MEMORY,
        TOO_LITTLE,
        NO_MEMORY,
        OTHER;

        ByteBuffer of(int bytes) {
            return switch (this) {
                case MEMORY -> ByteBuffer.allocate(bytes);
                case TOO_LITTLE -> ByteBuffer.allocate(1);
                case NO_MEMORY -> throw new OutOfMemoryError("test");
                case OTHER -> throw new UnsupportedOperationException("test");
            };
        }
    }

    @ParameterizedTest
    @CsvSource({"4096, MEMORY", "1048576, MEMORY", "4096, TOO_LITTLE", "4096, NO_MEMORY", "4096, OTHER"})
    void acquireEndsWhenPoolClosesDuringAllocation(int size, Ending ending) throws Exception {
        CountDownLatch allocating = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        BufferPool pool =
                pool(BufferPool.builder("closing").max(4 << 20).policy(Kind.own(false, kind.isViews(), bytes -> {
                    allocating.countDown();
                    Threads.await(closed);
                    return ending.of(bytes);
                })));
        // The acquire may have come before the close, or after it.
        FutureTask<String> acquire = new FutureTask<>(() -> {
            try (PooledBuffer lease = pool.acquire(size)) {
                return lease.isOpen() ? "" : "ended";
            } catch (RuntimeException e) {
                return e.getMessage();
            }
        });
        Thread thread = Threads.start(acquire);
        allocating.await();
        pool.close();
        closed.countDown();
        String outcome = acquire.get();
        assertTrue(
                ending != Ending.MEMORY
                        || List.of("", "pool is closed: pool=closing").contains(outcome),
                outcome);
        thread.join();
    }

    @Test
    void closeRacesAcquireAndRelease() throws Exception {
        for (int round = 0; round < 25; round++) {
            BufferPool pool = pool(kind.builder("closing").max(4 << 20));
            AtomicInteger refused = new AtomicInteger();
            List<Threads.Action> actions = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                long seed = round * 4L + t;
                actions.add(() -> useUntilClosed(pool, new Random(seed), refused));
            }
            int after = round * 20;
            actions.add(() -> {
                for (int i = 0; i < after; i++) {
                    Thread.onSpinWait();
                }
                pool.close();
            });
            Threads.together(actions);
            assertEquals(4, refused.get());
            // For releases that are under way close waits a second; then it is the tick's.
            Eventually.holds(
                    "no byte stays behind", () -> Conservation.check(pool).reservedBytes() == 0);
        }
    }

    static void useUntilClosed(BufferPool pool, Random random, AtomicInteger refused) {
        PooledBuffer[] held = new PooledBuffer[8];
        try {
            while (true) {
                int i = random.nextInt(held.length);
                if (held[i] != null) {
                    ByteBuffer bytes = held[i].buffer();
                    if (bytes.getLong(0) != i || bytes.getLong(bytes.limit() - 8) != i) {
                        throw new AssertionError("bytes of another lease");
                    }
                    held[i].release();
                }
                held[i] = null;
                held[i] = pool.acquire(16 + random.nextInt(5) * 3000);
                ByteBuffer bytes = held[i].buffer();
                bytes.putLong(0, i).putLong(bytes.limit() - 8, i);
            }
        } catch (IllegalStateException e) {
            if (!e.getMessage().startsWith("pool is closed")) {
                throw e;
            }
            refused.incrementAndGet();
        }
        for (PooledBuffer lease : held) {
            if (lease != null) {
                lease.release();
            }
        }
    }
}

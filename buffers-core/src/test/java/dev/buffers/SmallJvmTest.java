// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.internal.slab.SizeClasses;
import dev.buffers.support.Conservation;
import dev.buffers.support.Eventually;
import dev.buffers.support.Jvm;
import dev.buffers.support.Peek;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Machines where the default settings must do as well. */
class SmallJvmTest {

    /** One core, 64 MiB of direct memory: every class touched once. */
    static final class EveryClassOnce {
        public static void main(String[] args) {
            try (BufferPool pool = BufferPool.create("small")) {
                SizeClasses classes = new SizeClasses(pool.settings().maxSize());
                List<PooledBuffer> all = new ArrayList<>();
                for (int c = 0; c < classes.count(); c++) {
                    all.add(pool.acquire(classes.sizeOf(c)));
                }
                all.forEach(PooledBuffer::release);
                PoolStats stats = Conservation.check(pool);
                System.out.println(stats.maxBytes() + " " + stats.reservedBytes());
            }
        }
    }

    /** The line of two figures: the log may stand beside it. */
    private static long[] figures(String output) {
        return output.lines()
                .filter(line -> line.matches("\\d+ \\d+"))
                .flatMap(line -> Stream.of(line.split(" ")))
                .mapToLong(Long::parseLong)
                .toArray();
    }

    @Test
    void touchingEveryClassOnceReservesLittle() throws Exception {
        long[] figures =
                figures(Jvm.run(EveryClassOnce.class, "-XX:ActiveProcessorCount=1", "-XX:MaxDirectMemorySize=64m"));
        assertEquals(32 << 20, figures[0]);
        assertTrue(figures[1] <= 8 << 20, () -> "reserved: " + figures[1]);
    }

    /** The cap promises more than the JVM has. */
    static final class BeyondTheJvm {
        public static void main(String[] args) {
            try (BufferPool pool = BufferPool.builder("beyond")
                    .policy("direct-view")
                    .max(1 << 30)
                    .build()) {
                List<PooledBuffer> leases = new ArrayList<>();
                PoolExhaustedException refused = null;
                while (refused == null) {
                    try {
                        leases.add(pool.acquire(100_000));
                    } catch (PoolExhaustedException e) {
                        refused = e;
                    }
                }
                if (!refused.getMessage().contains("the JVM's limit for direct memory is reached: used=")) {
                    throw new AssertionError(refused.getMessage());
                }
                // Each wait in the JVM's own reservation would take half a second.
                long start = System.nanoTime();
                for (int i = 0; i < 200; i++) {
                    if (pool.tryAcquire(100_000) != null || pool.tryAcquire(10 << 20) != null) {
                        throw new AssertionError("more than there is");
                    }
                }
                long seconds = (System.nanoTime() - start) / 1_000_000_000;
                Conservation.check(pool, leases.size());
                long leased = pool.stats().leasedBytes();
                leases.forEach(PooledBuffer::release);
                Conservation.check(pool);
                System.out.println(leased + " " + seconds);
            }
        }
    }

    @Test
    void theJvmsOwnLimitIsTheCap() throws Exception {
        Eventually.within(30_000, () -> {
            long[] figures = figures(Jvm.run(BeyondTheJvm.class, "-XX:MaxDirectMemorySize=16m"));
            assertTrue(figures[0] > 12 << 20, () -> "leased: " + figures[0]);
            return TimeUnit.SECONDS.toMillis(figures[1]);
        });
    }

    /** The heap has no room for the slots of a region that is there. */
    static final class NoRoomForTheSlots {
        public static void main(String[] args) {
            try (BufferPool pool = BufferPool.builder("slots")
                    .policy("direct-view")
                    .max(160 << 20)
                    .regionSize(128 << 20)
                    .preallocate(128 << 20)
                    .build()) {
                try {
                    pool.acquire(128)
                            .release(); // when the collector has taken what could not be cut, there is other room
                } catch (PoolExhaustedException e) {
                    // Else it is refused.
                }
                String refusal = Peek.regions(pool).refusal();
                if (!refusal.contains("out of memory while cutting a slab")) {
                    throw new AssertionError("refusal: " + refusal);
                }
                Conservation.check(pool);
                PooledBuffer lease = pool.acquire(128);
                lease.buffer().putLong(0, 42);
                Conservation.check(pool, 1);
                lease.release();
                Conservation.check(pool);
                System.out.println("went on");
            }
        }
    }

    @Tag("full")
    @Test
    void anOutOfMemoryErrorWhileCuttingLosesNothing() throws Exception {
        assertEquals(
                "went on",
                Jvm.run(NoRoomForTheSlots.class, "-Xmx24m", "-XX:MaxDirectMemorySize=256m")
                        .trim());
    }
}

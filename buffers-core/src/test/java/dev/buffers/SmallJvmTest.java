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
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Machines where the default settings must do as well, and JVMs with less memory than a cap promises. */
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

    /** Memory in a file, which the JVM may count as direct. */
    private record Mapped(boolean countsAsDirect) implements BufferPolicy {
        @Override
        public String name() {
            return "mapped";
        }

        @Override
        public boolean direct() {
            return true;
        }

        @Override
        public boolean views() {
            return true;
        }

        @Override
        public ByteBuffer allocate(int bytes) {
            try (FileChannel file = FileChannel.open(
                    Files.createTempFile("mapped", null),
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.DELETE_ON_CLOSE)) {
                return file.map(FileChannel.MapMode.READ_WRITE, 0, bytes);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Prints the results of acquires from pools with the policy: one that counts, one that does not, and one with guard. */
    static final class NearLimit {
        public static void main(String[] args) {
            ByteBuffer used = ByteBuffer.allocateDirect((int) (15.9 * (1 << 20)));
            print(true, false);
            print(false, false);
            print(false, true);
            Reference.reachabilityFence(used);
        }

        private static void print(boolean counts, boolean guard) {
            try (BufferPool pool = BufferPool.builder("mapped")
                            .policy(new Mapped(counts))
                            .max(4 << 20)
                            .guard(guard)
                            .build();
                    PooledBuffer lease = pool.tryAcquire(1 << 20)) {
                System.out.println(lease == null ? "refused" : lease.capacity());
            }
        }
    }

    /** The JVM's limit does not count mapped files, and refuses none. With {@code guard=on} on Java 22 or later no policy is called. */
    @Test
    void memoryThatDoesNotCountAsDirectIsNotRefusedAtLimit() throws Exception {
        assertEquals("refused\n1048576\n1048576\n", Jvm.run(NearLimit.class, "-XX:MaxDirectMemorySize=16m"));
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

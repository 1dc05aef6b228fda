// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.management.ThreadMXBean;
import dev.buffers.internal.slab.Lease;
import dev.buffers.internal.slab.Slot;
import dev.buffers.support.Conservation;
import dev.buffers.support.Eventually;
import dev.buffers.support.Jvm;
import dev.buffers.support.Peek;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The bytes that a hit allocates once HotSpot has compiled it (I2): none for a lease that stays in its method, and at most 32 for one
 * that leaves it. A size listener of this pool, or of another one in the same JVM, adds nothing, and neither
 * does any other use of this pool and of others. Runs in separate JVMs, where no other test influences how the path of a hit is compiled.
 */
class AllocationTest {

    /** Repeats a million hits until they allocate at most {@code -Dmost} bytes each, or until the deadline. */
    static final class Hits {
        private static final int HITS = 1_000_000;
        private static final long DEADLINE = Eventually.deadline();
        private static final int[] SIZES = {100, 16_000, 4096, 500, 8192, 1500, 64, 4096};

        /** Holds the leases that leave their method. */
        private static final PooledBuffer[] OUT = new PooledBuffer[32];

        /** The bytes that the listener was notified of. */
        private static long bytes;

        public static void main(String[] args) {
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            String way = System.getProperty("way");
            String told = System.getProperty("told");
            long most = Long.getLong("most") * HITS;
            long allocated = Long.MAX_VALUE;
            try (BufferPool pool = BufferPool.create("hits");
                    BufferPool other = BufferPool.create("other")) {
                (told.equals("this") ? pool : other).addSizeListener(size -> bytes += size);
                if (told.equals("other")) {
                    local(other);
                }
                if (told.equals("mixed")) {
                    Mixed.use(pool);
                }
                while (allocated > most && !Eventually.isPast(DEADLINE)) {
                    long before = threads.getCurrentThreadAllocatedBytes();
                    switch (way) {
                        case "local" -> local(pool);
                        case "touching" -> touching(pool);
                        case "calling" -> calling(pool);
                        case "escaping" -> escaping(pool);
                        default -> throw new IllegalArgumentException(way);
                    }
                    allocated = threads.getCurrentThreadAllocatedBytes() - before;
                }
                for (PooledBuffer lease : OUT) {
                    if (lease != null) {
                        lease.release();
                    }
                }
                PoolStats stats = Conservation.check(pool);
                long misses = stats.acquires(AcquireOutcome.DEPOT) + stats.acquires(AcquireOutcome.CARVED);
                System.out.println(
                        (allocated > most ? "bytes for each hit: " + (double) allocated / HITS : "as promised")
                                + (misses > stats.acquires(AcquireOutcome.THREAD) / 1000 ? ", but no hits" : ""));
            }
        }

        private static void local(BufferPool pool) {
            for (int i = 0; i < HITS; i++) {
                try (PooledBuffer lease = pool.acquire(SIZES[i & SIZES.length - 1])) {
                    lease.buffer().put(0, (byte) i);
                }
            }
        }

        private static void touching(BufferPool pool) {
            for (int i = 0; i < HITS; i++) {
                try (PooledBuffer lease = pool.acquire(SIZES[i & SIZES.length - 1])) {
                    lease.touch("here").buffer().put(0, (byte) i);
                }
            }
        }

        private static void calling(BufferPool pool) {
            for (int i = 0; i < HITS; i++) {
                try (PooledBuffer lease = pool.acquire(SIZES[i & SIZES.length - 1])) {
                    use(lease.buffer(), i);
                }
            }
        }

        private static void use(ByteBuffer bytes, int i) {
            bytes.put(0, (byte) i);
        }

        private static void escaping(BufferPool pool) {
            for (int i = 0; i < HITS; i++) {
                int at = i & OUT.length - 1;
                if (OUT[at] != null) {
                    OUT[at].release();
                }
                OUT[at] = pool.acquire(SIZES[i & SIZES.length - 1]);
                OUT[at].buffer().put(0, (byte) i);
            }
        }
    }

    /** Everything else that a program may do with its pool and with others: HotSpot compiles the code that they share for all of them. */
    private static final class Mixed {
        private static final int TIMES = 30_000;
        private static final List<ByteBuffer> KEPT = new ArrayList<>();

        static void use(BufferPool pool) {
            try (BufferPool heap =
                            BufferPool.builder("mixed-heap").policy("heap-view").build();
                    BufferPool zeroed = BufferPool.builder("mixed-zeroed")
                            .zero(PoolSettings.Zeroing.ACQUIRE)
                            .build();
                    BufferPool traced = BufferPool.builder("mixed-traced")
                            .leaks(LeakTracking.sample(100))
                            .build();
                    BufferPool told = BufferPool.create("mixed-told")) {
                told.addSizeListener(size -> Hits.bytes += size);
                for (BufferPool one : List.of(pool, heap, zeroed, traced, told)) {
                    for (int i = 0; i < TIMES; i++) {
                        one.acquire(1 + i).close();
                        one.acquire(1 + i).touch("mixed").close();
                        further(one);
                        one.acquire(1 + i, Duration.ofSeconds(1)).close();
                        one.tryAcquire(1 + i).release();
                    }
                    for (int i = 0; i < TIMES / 100; i++) {
                        one.acquire(100).discard();
                    }
                }
                for (int i = 0; i < TIMES / 100; i++) {
                    revoked(heap);
                }
            }
        }

        private static void further(BufferPool pool) {
            PooledBuffer first = pool.acquire(100);
            PooledBuffer further = first.retain();
            first.close();
            further.close();
            further.close();
        }

        /** As when a trim meets an acquire; this one keeps the memory. */
        private static void revoked(BufferPool pool) {
            PooledBuffer lease = pool.acquire(100);
            Slot slot = ((Lease) lease).slot();
            lease.close();
            Peek.slabs(pool).revoke(slot);
        }
    }

    private static void allocates(int most, String way, String told, String... options) throws Exception {
        Stream<String> all = Stream.concat(
                Stream.of("-XX:TieredStopAtLevel=4", "-Dmost=" + most, "-Dway=" + way, "-Dtold=" + told),
                Stream.of(options));
        assertEquals("as promised\n", Jvm.run(Hits.class, all.toArray(String[]::new)));
    }

    @ParameterizedTest
    @CsvSource({"0, local, mixed", "32, escaping, this"})
    void aHitOfTheDefaults(int most, String way, String told) throws Exception {
        allocates(most, way, told);
    }

    @Tag("full")
    @ParameterizedTest
    @CsvSource({"0, local, none", "0, local, this", "0, local, other", "32, escaping, none"})
    void aHit(int most, String way, String told) throws Exception {
        allocates(most, way, told);
    }

    /**
     * Without tracking, a hint costs nothing, whatever pools with tracking exist. With such pools, however, JDK 21 compiles the hint, in
     * about every second JVM, so that the lease is allocated.
     */
    @Tag("full")
    @ParameterizedTest
    @ValueSource(strings = {"none", "mixed"})
    void aHitThatIsTouched(String told) throws Exception {
        allocates(told.equals("mixed") && Runtime.version().feature() == 21 ? 32 : 0, "touching", told);
    }

    /** A lease beside a call that is not inlined: JDK 17 compiles the way of an exception out of it, and keeps the lease for that. */
    @Tag("full")
    @Test
    void aHitBesideACall() throws Exception {
        allocates(
                Runtime.version().feature() < 25 ? 32 : 0,
                "calling",
                "none",
                "-XX:CompileCommand=quiet",
                "-XX:CompileCommand=dontinline," + Hits.class.getName() + "::use");
    }
}

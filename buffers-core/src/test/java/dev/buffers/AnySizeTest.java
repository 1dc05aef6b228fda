// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.internal.slab.SizeClasses;
import dev.buffers.support.Conservation;
import dev.buffers.support.DirectRoom;
import dev.buffers.support.Kind;
import dev.buffers.support.Leases;
import dev.buffers.support.Threads;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A pool with nothing leased serves every size up to {@code max-size}, in any order and without a collection (I5). No test here asks for a
 * collection, and no pool may.
 */
class AnySizeTest {
    private static final int SMALLEST_CAP = 256 << 10;
    private static final String PROMPT = "direct-view, prompt";

    static Stream<String> views() {
        Stream<String> everywhere = Stream.of("heap-view", "direct-view", Kind.OWN);
        return Runtime.version().feature() >= 22 ? Stream.concat(everywhere, Stream.of(PROMPT)) : everywhere;
    }

    private static BufferPool.Builder builder(String policy, long max) {
        DirectRoom.make();
        BufferPool.Builder builder = policy.equals(PROMPT)
                ? new Kind("direct-view").builder("any-size").free(PoolSettings.Freeing.PROMPT)
                : new Kind(policy).builder("any-size");
        return builder.max(max).collect(PoolSettings.Collecting.OFF);
    }

    @ParameterizedTest
    @MethodSource("views")
    void risingSizesAreServedWithinSmallCap(String policy) {
        try (BufferPool pool = builder(policy, 1 << 20).build()) {
            for (int round = 0; round < 3; round++) {
                for (int size = 100; size <= 72_000; size += size / 5) {
                    pool.acquire(size).release();
                }
            }
            assertEquals(0, Conservation.check(pool).acquires(AcquireOutcome.REJECTED));
        }
    }

    /** The largest class is a multiple of {@code align}, too, and the large region holds it. */
    @Test
    void alignedPoolServesItsLargestClassAfterSmallOnes() {
        try (BufferPool pool = builder("direct-view", SMALLEST_CAP)
                .maxSize(100_000)
                .align(4096)
                .build()) {
            IntStream.of(4096, 8192, 12_288).mapToObj(pool::acquire).toList().forEach(PooledBuffer::release);
            try (PooledBuffer largest = pool.acquire(100_000)) {
                assertEquals(102_400, largest.capacity());
            }
        }
    }

    /** A slot of each class and a first region: 1.7 MiB with the default of {@code max-size}. */
    @ParameterizedTest
    @ValueSource(strings = {"heap", "direct"})
    void exactPolicyServesOneLeaseAtATime(String policy) {
        SizeClasses classes = new SizeClasses(256 << 10);
        int all = IntStream.range(0, classes.count()).map(classes::sizeOf).sum();
        for (int seed = 0; seed < 4; seed++) {
            Random random = new Random(seed);
            String about = "policy=" + policy + ", seed=" + seed;
            try (BufferPool pool = builder(policy, all + (64 << 10)).build()) {
                for (int round = 0; round < 3; round++) {
                    everyClass(pool, random, about);
                }
                assertEquals(0, Conservation.check(pool).droppedBytes());
            }
        }
    }

    /** The rest at the ends of regions: a class up to 32 KiB gets three quarters of a pool that other classes have filled. */
    @ParameterizedTest
    @MethodSource("views")
    void mixedSizesLeaveSmallPoolToLargestClass(String policy) throws Exception {
        SizeClasses classes = new SizeClasses(32 << 10);
        for (int c = classes.classOf(8 << 10); c < classes.count(); c++) {
            int size = classes.sizeOf(c);
            try (BufferPool pool = builder(policy, 1 << 20).build()) {
                leaseByThreads(pool, new Random(c), size);
                long bytes = Leases.all(pool, size).stream()
                        .mapToLong(PooledBuffer::capacity)
                        .sum();
                assertTrue(bytes >= 3 << 18, () -> size + " gets " + bytes + " bytes: " + pool.stats());
            }
        }
    }

    static Stream<Arguments> seeds() {
        return views().flatMap(policy -> IntStream.range(0, 8).mapToObj(seed -> Arguments.of(policy, seed)));
    }

    @Tag("full")
    @ParameterizedTest
    @MethodSource("seeds")
    void randomSizesAreServedInAnyOrder(String policy, int seed) throws Exception {
        randomSizes(policy, seed, 4 << 20, 20);
    }

    static Stream<Arguments> manySeeds() {
        return views().flatMap(policy -> IntStream.range(0, 100).mapToObj(seed -> Arguments.of(policy, 1000 + seed)));
    }

    @Tag("stress")
    @ParameterizedTest
    @MethodSource("manySeeds")
    void manyRandomSizesAreServedInAnyOrder(String policy, int seed) throws Exception {
        randomSizes(policy, seed, 64 << 20, 100);
    }

    /** Rounds of a load, which may be refused; after each, with nothing leased, every size is served. The first rounds use small sizes. */
    private static void randomSizes(String policy, int seed, int mostCap, int rounds) throws Exception {
        Random random = new Random(seed);
        int cap = between(random, SMALLEST_CAP, mostCap);
        int maxSize = random.nextInt(4) == 0 ? between(random, 1024, Math.min(cap, 16 << 20)) : 256 << 10;
        String about = "policy=" + policy + ", seed=" + seed + ", cap=" + cap + ", maxSize=" + maxSize;
        BufferPool.Builder builder = builder(policy, cap).maxSize(maxSize);
        if (random.nextInt(4) == 0) {
            builder.preallocate(random.nextInt(cap));
        }
        try (BufferPool pool = builder.build()) {
            for (int round = 0; round < rounds; round++) {
                int most = round < rounds / 2 ? maxSize / (2 + random.nextInt(20)) : Math.min(cap, maxSize);
                switch (random.nextInt(5)) {
                    case 0 -> leaseAtOnce(pool, random, most);
                    case 1 -> leaseByThreads(pool, random, most);
                    case 2 -> pool.trim();
                    default -> {}
                }
                for (int i = random.nextInt(50); i > 0; i--) {
                    serve(pool, between(random, 1, most), about);
                }
            }
            everyClass(pool, random, about);
            Conservation.check(pool);
        }
    }

    /** From {@code least} to {@code most}, each doubling as likely as the others. */
    private static int between(Random random, int least, int most) {
        double exponent = random.nextDouble() * Math.log((double) most / least);
        return (int) Math.min(most, Math.round(least * Math.exp(exponent)));
    }

    private static void serve(BufferPool pool, int size, String about) {
        PooledBuffer lease = pool.tryAcquire(size);
        if (lease == null) {
            throw new AssertionError("refused: size=" + size + ", " + about + "\n" + pool.dump());
        }
        lease.release();
    }

    private static void everyClass(BufferPool pool, Random random, String about) {
        SizeClasses classes = new SizeClasses(pool.settings().maxSize());
        List<Integer> sizes = new ArrayList<>();
        for (int c = 0; c < classes.count(); c++) {
            if (classes.sizeOf(c) <= pool.settings().maxBytes()) {
                sizes.add(classes.sizeOf(c));
            }
        }
        Collections.shuffle(sizes, random);
        sizes.forEach(size -> serve(pool, size, about));
    }

    private static void leaseAtOnce(BufferPool pool, Random random, int maxSize) {
        List<PooledBuffer> leases = new ArrayList<>();
        int one = between(random, 1, maxSize);
        boolean mixed = random.nextBoolean();
        for (int i = random.nextInt(500); i > 0; i--) {
            PooledBuffer lease = pool.tryAcquire(mixed ? between(random, 1, maxSize) : one);
            if (lease != null) {
                leases.add(lease);
            }
        }
        Collections.shuffle(leases, random);
        leases.forEach(PooledBuffer::release);
    }

    private static void leaseByThreads(BufferPool pool, Random random, int maxSize) throws Exception {
        List<Threads.Action> threads = new ArrayList<>();
        for (int t = 0; t < 8; t++) {
            Random own = new Random(random.nextLong());
            threads.add(() -> leaseAtOnce(pool, own, maxSize));
        }
        Threads.together(threads);
    }
}

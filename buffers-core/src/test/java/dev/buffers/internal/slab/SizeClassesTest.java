// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.slab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.PooledBuffer;
import dev.buffers.support.Refusal;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The arithmetic of sizes: properties over seeded sizes and every boundary. */
class SizeClassesTest {
    private static final long SEED = 20_261_121;

    @ParameterizedTest
    @ValueSource(ints = {1024, 4096, 5000, 16_384, 16_896, 20_000, 65_536, 256 << 10, 1 << 20, 16 << 20})
    void everySizeGetsSmallestSufficientClass(int maxSize) {
        SizeClasses classes = new SizeClasses(maxSize);
        assertTrue(classes.maxSize() >= maxSize);
        Random random = new Random(SEED);
        for (int i = 0; i < 100_000; i++) {
            int size = i < 5000 ? Math.min(i, maxSize) : random.nextInt(maxSize + 1);
            int sizeClass = classes.classOf(size);
            int slot = classes.sizeOf(sizeClass);
            assertTrue(slot >= size, () -> "too small: size=" + size + ", slot=" + slot);
            assertTrue(sizeClass == 0 || classes.sizeOf(sizeClass - 1) < size, () -> "not the smallest: size=" + size);
            assertTrue(size <= 1024 || slot <= size * 1.25, () -> "wasteful: size=" + size + ", slot=" + slot);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 64, 128, 256, 512, 4096, 16_384, 65_536})
    void alignedClassesAreMultiplesAndEachSizeGetsSmallest(int align) {
        for (int maxSize : new int[] {1024, 5000, 65_536, 256 << 10, 16 << 20}) {
            SizeClasses classes = new SizeClasses(maxSize, align);
            for (int c = 0; c < classes.count(); c++) {
                int size = classes.sizeOf(c);
                assertEquals(0, size % Math.max(128, align), "size=" + size);
                assertTrue(c == 0 || classes.sizeOf(c - 1) < size, "size=" + size);
                assertEquals(c, classes.classOf(size));
                assertEquals(c, classes.classOf(c == 0 ? 0 : classes.sizeOf(c - 1) + 1));
            }
            assertEquals(Math.max(128, align), classes.sizeOf(0));
            assertEquals(SizeClasses.OVERSIZE, classes.classOf(classes.maxSize() + 1));
            assertTrue(classes.maxSize() >= maxSize && classes.maxSize() < maxSize + Math.max(128, align));
        }
    }

    /** A slot lies within a region. */
    @ParameterizedTest
    @ValueSource(longs = {4096, 5000, 100_000, 100 << 10, 100_001, 1 << 20})
    void noClassIsLargerThanARegion(long regionSize) {
        try (BufferPool pool = BufferPool.builder("classes")
                .regionSize(regionSize)
                .max(8 << 20)
                .build()) {
            int largest = SizeClasses.of(pool.settings()).maxSize();
            assertTrue(
                    largest <= pool.settings().regionSize()
                            && largest >= pool.settings().maxSize(),
                    "" + largest);
            try (PooledBuffer lease = pool.acquire(largest)) {
                assertEquals(largest, lease.buffer().capacity());
                assertTrue(pool.stats().reservedBytes() <= pool.settings().regionSize());
            }
            pool.channel().close(); // its largest input has a class
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, -128, -129, Integer.MIN_VALUE})
    void negativeSizeIsRefused(int size) {
        SizeClasses classes = new SizeClasses(4096);
        assertEquals(SizeClasses.OVERSIZE, classes.classOf(size), "so that no magazine serves it");
        Refusal.of(() -> classes.bytesFor(size), "size must not be negative: size=" + size);
    }
}

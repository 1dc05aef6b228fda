// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.slab;

import dev.buffers.PoolSettings;
import dev.buffers.internal.memory.BuiltInPolicy;
import dev.buffers.internal.memory.RegionAllocator;
import java.util.Arrays;

/**
 * The sizes in which slots are cut, and the mapping from a requested size to its class.
 *
 * <p>Immutable, any thread. A look-up is one load from a byte table.
 */
public final class SizeClasses {
    /*
     * 128, 256, 512, 1024, then four steps to each doubling (1280, 1536, 1792, 2048, 2560, ...), so that above 1 KiB a slot is at most 25 %
     * larger than the requested size. One class is outside this grid: a TLS record of 16,709 bytes would need 20 KiB, so there is a class
     * of 16,896 bytes between 16 and 20 KiB. The last class is exactly as large as the largest size needs, since a region may hold no more.
     *
     * Every class is a multiple of GRANULE, and so is every boundary between two classes: the table maps ceil(size / GRANULE) to the class.
     * With `align` each is rounded up to a multiple of that, too, so that slots one behind the other are all aligned.
     */
    public static final int OVERSIZE = -1;
    public static final int MIN_SIZE = 128;
    public static final int TLS_RECORD = 16_896;

    private static final int GRANULE_SHIFT = Integer.numberOfTrailingZeros(RegionAllocator.GRANULE);
    private static final int GRANULE = RegionAllocator.GRANULE;
    private static final int STEPS_FROM = 1024;

    private final int[] sizes;
    private final byte[] table;
    private final int maxSize;

    /** The classes of a pool: none is larger than its regions. With a policy that pools nothing, no size has a class. */
    public static SizeClasses of(PoolSettings settings) {
        SizeClasses made = new SizeClasses(settings.maxSize(), settings.align());
        if (!BuiltInPolicy.pools(settings.policy())) {
            Arrays.fill(made.table, (byte) OVERSIZE);
        }
        return made;
    }

    /** Classes up to and including one that holds {@code maxSize} bytes. */
    public SizeClasses(int maxSize) {
        this(maxSize, 1);
    }

    /** The same, of sizes that are multiples of {@code align}, a power of two. */
    public SizeClasses(int maxSize, int align) {
        this.sizes = grid(RegionAllocator.largestClass(maxSize, align), Math.max(GRANULE, align));
        this.maxSize = sizes[sizes.length - 1];
        this.table = new byte[(this.maxSize >>> GRANULE_SHIFT) + 1];
        int sizeClass = 0;
        for (int granules = 0; granules < table.length; granules++) {
            if (granules << GRANULE_SHIFT > sizes[sizeClass]) {
                sizeClass++;
            }
            table[granules] = (byte) sizeClass;
        }
    }

    /** The smallest class that holds {@code size} bytes; {@link #OVERSIZE} when none does, and for a negative size. */
    public int classOf(int size) {
        int granules = (size + GRANULE - 1) >>> GRANULE_SHIFT;
        return size >= 0 && granules < table.length ? table[granules] : OVERSIZE;
    }

    /** How many bytes an acquire of {@code size} bytes takes. Refuses a negative size; a hit never comes here with one. */
    public int bytesFor(int size) {
        if (size < 0) {
            throw new IllegalArgumentException("size must not be negative: size=" + size);
        }
        int sizeClass = classOf(size);
        return sizeClass == OVERSIZE ? size : sizes[sizeClass];
    }

    public int sizeOf(int sizeClass) {
        return sizes[sizeClass];
    }

    public int count() {
        return sizes.length;
    }

    public int maxSize() {
        return maxSize;
    }

    private static int[] grid(int largest, int granule) {
        int[] grid = new int[Byte.MAX_VALUE];
        int n = 0;
        int last = 0;
        int size = MIN_SIZE;
        while (last < largest) {
            int next = size;
            if (size > TLS_RECORD && last < TLS_RECORD) {
                next = TLS_RECORD;
            } else {
                size += size < STEPS_FROM ? size : Integer.highestOneBit(size) >>> 2;
            }
            next = up(next, granule);
            if (next > last) {
                grid[n++] = next;
                last = next;
            }
        }
        grid[n - 1] = largest;
        return Arrays.copyOf(grid, n);
    }

    private static int up(int size, int granule) {
        return size + granule - 1 & -granule;
    }
}

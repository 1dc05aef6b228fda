// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support;

import dev.buffers.PoolSettings;
import dev.buffers.internal.slab.SizeClasses;
import java.util.random.RandomGenerator;

/** The sizes that a burn asks for: at, below and above each class, small more often than large, some above the largest, and 0. */
final class BurnSizes {
    private final SizeClasses classes;
    private final RandomGenerator random;
    private final int small;
    private final int pooled;
    private final int most;

    /** No size is more than a quarter of the cap, so that no worker needs all of it. */
    BurnSizes(PoolSettings settings, RandomGenerator random) {
        this.random = random;
        this.classes = SizeClasses.of(settings);
        int quarter = (int) Math.min(Integer.MAX_VALUE / 2, settings.maxBytes() / 4);
        this.pooled = Math.min(classes.maxSize(), quarter);
        this.most = Math.min(classes.maxSize() + classes.maxSize() / 2, quarter);
        this.small = Math.min(4096, pooled);
    }

    int next(boolean onlySmall) {
        int size = switch (random.nextInt(24)) {
            case 0 -> 0;
            case 1 -> random.nextInt(pooled + 1);
            case 2 -> pooled + random.nextInt(most - pooled + 1);
            default -> aroundClass();
        };
        return onlySmall ? Math.min(size, small) : size;
    }

    private int aroundClass() {
        int sizeClass = (int) Math.min(classes.count() - 1, Math.abs(random.nextGaussian()) * classes.count() / 3);
        return Math.min(most, classes.sizeOf(sizeClass) + random.nextInt(3) - 1);
    }

    /** One that has a class. */
    int pooled() {
        return Math.min(pooled, aroundClass());
    }

    int pooledMost() {
        return pooled;
    }
}

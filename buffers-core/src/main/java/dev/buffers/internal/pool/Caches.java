// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.pool;

import dev.buffers.internal.cache.Depot;
import dev.buffers.internal.cache.ThreadCaches;
import dev.buffers.internal.slab.SizeClasses;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;

/**
 * The pool's caches of free slots: magazines, and a depot for each size class.
 *
 * <p>Any thread. Slots that leave go to the caller's sink, with no lock held here.
 */
final class Caches {
    final ThreadCaches threads;

    private final SizeClasses classes;
    private final AtomicReferenceArray<Depot> depots;

    Caches(SizeClasses classes, ThreadCaches threads) {
        this.classes = classes;
        this.threads = threads;
        this.depots = new AtomicReferenceArray<>(classes.count());
    }

    /** The depot of a class. It is made when it is first needed; a look-up is one load. */
    Depot depot(int sizeClass) {
        Depot depot = depots.getAcquire(sizeClass);
        if (depot == null) {
            depots.compareAndSet(sizeClass, null, new Depot(classes.sizeOf(sizeClass)));
            depot = Objects.requireNonNull(depots.getAcquire(sizeClass));
        }
        return depot;
    }

    /** Passes each depot that was needed so far to {@code visit}. */
    void eachDepot(Consumer<Depot> visit) {
        for (int c = 0; c < depots.length(); c++) {
            Depot depot = depots.getAcquire(c);
            if (depot != null) {
                visit.accept(depot);
            }
        }
    }
}

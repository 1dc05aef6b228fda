// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.memory;

import dev.buffers.internal.failsafe.IntrusiveList;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The dropped parts that a pool may use again, by size.
 *
 * <p>With the budget's monitor held, but for {@link #isEmpty}.
 */
final class AdoptableParts {
    /*
     *   rows:   four for each doubling, as many as there are size classes; a part is in the row of its size
     *
     * The parts are held weakly, by their footprints. A part that the collector is taking leaves when a search meets it.
     */
    private static final int STEPS = 4;

    /** A size class between two steps, that of TLS records. */
    static final int BETWEEN_STEPS = 16_896;

    @SuppressWarnings({"unchecked", "rawtypes"})
    private final IntrusiveList<Footprint>[] rows = new IntrusiveList[32 * STEPS + 1];

    private volatile int size;

    AdoptableParts() {
        Arrays.setAll(rows, row -> new IntrusiveList<>());
    }

    /** Called by any thread. */
    boolean isEmpty() {
        return size == 0;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // under the monitor
    void add(Footprint part) {
        rows[rowOf(part.bytes)].add(part.adoptable);
        size++;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // under the monitor
    void remove(Footprint part) {
        size -= part.adoptable.leave() ? 1 : 0;
    }

    /**
     * The smallest part of {@code least} to {@code most} bytes that may be cut to {@code least}; null without one. Its memory was there a
     * moment ago.
     */
    @Nullable Footprint smallest(int least, int most) {
        Footprint best = null;
        for (int row = rowOf(least); best == null && row <= rowOf(most); row++) {
            IntrusiveList.Link<Footprint> next;
            for (IntrusiveList.Link<Footprint> link = rows[row].first();
                    link != null && (best == null || best.bytes > least);
                    link = next) {
                next = link.next();
                int bytes = link.it.bytes;
                boolean fits = bytes == least || bytes > least && bytes <= most && !link.it.exactOnly;
                if (fits && link.it.isTaken()) {
                    remove(link.it);
                } else if (fits && (best == null || bytes < best.bytes)) {
                    best = link.it;
                }
            }
        }
        return best;
    }

    /** There are as many rows per doubling as size classes, and each class has one. */
    static int rowOf(int bytes) {
        int some = Math.max(STEPS, bytes);
        int doubling = 31 - Integer.numberOfLeadingZeros(some);
        return doubling * STEPS + (some >>> doubling - 2 & STEPS - 1) + (some < BETWEEN_STEPS ? 0 : 1);
    }
}

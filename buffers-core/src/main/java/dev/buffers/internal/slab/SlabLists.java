// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.slab;

import dev.buffers.internal.failsafe.IntrusiveList;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds the slab for the next slot of a class, and the slabs that could serve another class. Used by {@link SlabStore}, under its lock
 * unless a method says otherwise.
 */
public final class SlabLists {
    /*
     *   rows of a class     0     |  1   2   3   4   5   6   7   8
     *                    none out |  few out            nearly all
     *                                <-- slots are taken from row 8 downwards
     *
     * A slab with free slots in it is in one row of its class: in row 1 to 8, by the eighths of its slots that are out, or in row 0 when
     * it is unused. Slots are taken from the fullest slabs, so that the emptiest have a chance to become unused: only an unused slab can
     * serve another class or be dropped. Slabs without free slots, those that give out none, and slabs that are a single slot (oversize,
     * unpooled), which have no class, are in no row.
     */
    private static final int UNUSED = 0;
    private static final int EIGHTHS = 8;

    private final IntrusiveList<Slab>[][] rows;

    @SuppressWarnings({"unchecked", "rawtypes"})
    SlabLists(int sizeClasses) {
        rows = new IntrusiveList[sizeClasses][EIGHTHS + 1];
        for (IntrusiveList<Slab>[] ofClass : rows) {
            Arrays.setAll(ofClass, row -> new IntrusiveList<>());
        }
    }

    /** Moves a slab to the row where it belongs now, perhaps none. */
    void place(Slab slab) {
        if (slab.sizeClass == SizeClasses.OVERSIZE || !slab.givesSlots() || slab.freeSlots() == 0) {
            slab.place.leave();
            return;
        }
        IntrusiveList<Slab> row = rows[slab.sizeClass][slab.isUnused() ? UNUSED : 1 + slab.eighthsOut()];
        if (!row.has(slab.place)) {
            row.add(slab.place);
        }
    }

    /** A slab for the next slot of a class; null when no slab of the class has a free slot. Without the lock, a hint. */
    @Nullable Slab next(int sizeClass) {
        IntrusiveList<Slab>[] ofClass = rows[sizeClass];
        for (int row = EIGHTHS; row >= UNUSED; row--) {
            IntrusiveList.Link<Slab> first = ofClass[row].first();
            if (first != null) {
                return first.it;
            }
        }
        return null;
    }

    /** Whether any slab is unused. Without the lock, a hint. */
    boolean seemToHaveUnused() {
        for (IntrusiveList<Slab>[] ofClass : rows) {
            if (!ofClass[UNUSED].isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /** Bytes of the free slots of all other classes. */
    long freeBytesElsewhere(int sizeClass) {
        long bytes = 0;
        for (int c = 0; c < rows.length; c++) {
            for (int row = c == sizeClass ? EIGHTHS + 1 : UNUSED; row <= EIGHTHS; row++) {
                for (IntrusiveList.Link<Slab> link = rows[c][row].first(); link != null; link = link.next()) {
                    bytes += (long) link.it.freeSlots() * link.it.slotSize;
                }
            }
        }
        return bytes;
    }

    /**
     * An unused slab from which a slot of {@code bytes} can be cut, and none of {@code kept} bytes unless that is 0, of the class that has
     * the most unused slabs; null without one.
     */
    @Nullable Slab largestUnused(int bytes, int kept) {
        Slab best = null;
        int most = 0;
        for (IntrusiveList<Slab>[] ofClass : rows) {
            IntrusiveList<Slab> unused = ofClass[UNUSED];
            if (unused.size() > most) {
                IntrusiveList.Link<Slab> fitting = unused.first();
                while (fitting != null
                        && (!fitting.it.region.fits(bytes) || kept > 0 && fitting.it.region.fits(kept))) {
                    fitting = fitting.next();
                }
                if (fitting != null) {
                    best = fitting.it;
                    most = unused.size();
                }
            }
        }
        return best;
    }
}

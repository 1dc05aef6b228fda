package dev.buffers;

import org.jspecify.annotations.Nullable;

/** Which slab the next slot of a class comes from, and which could serve another class. By {@link SlabStore}, under its lock. */
final class SlabLists {
    /*
     *   rows of a class   0   1   2   3   4   5   6   7  | whole
     *                     few out            nearly all  | none out
     *                               <-- slots are taken from row 7 downwards, then from a whole slab
     *
     * A slab with slots at home stands in one row of its class: row 0 to 7 by the eighths of it that are out, or the row of
     * whole slabs, all of whose slots are at home. Slots are taken from the fullest row, so that the emptiest slabs get a
     * chance to become whole: only a whole slab can serve another class or go back. Slabs with no slot at home, and condemned
     * ones, stand in no row. Slabs of one slot of their own (oversize, unpooled) have no class and stand in no row either.
     */
    private static final int EIGHTHS = 8;
    private static final int UNUSED = EIGHTHS;

    private final Row[][] rows;

    SlabLists(int sizeClasses) {
        rows = new Row[sizeClasses][EIGHTHS + 1];
        for (Row[] ofClass : rows) {
            for (int i = 0; i < ofClass.length; i++) {
                ofClass[i] = new Row();
            }
        }
    }

    /** Slabs in no particular order, linked through themselves. */
    static final class Row {
        private @Nullable Slab first;
        private int length;

        private void add(Slab slab) {
            slab.row = this;
            slab.next = first;
            if (first != null) {
                first.previous = slab;
            }
            first = slab;
            length++;
        }

        private void remove(Slab slab) {
            Slab before = slab.previous;
            Slab after = slab.next;
            if (before == null) {
                first = after;
            } else {
                before.next = after;
            }
            if (after != null) {
                after.previous = before;
            }
            slab.row = null;
            slab.previous = null;
            slab.next = null;
            length--;
        }
    }

    /** Puts a slab where it stands by now, perhaps nowhere. */
    void place(Slab slab) {
        boolean stands = slab.sizeClass != SizeClasses.OVERSIZE && !slab.isCondemned() && slab.freeSlots() > 0;
        Row now = stands ? rows[slab.sizeClass][slab.isUnused() ? UNUSED : slab.eighthsOut()] : null;
        if (slab.row != now) {
            remove(slab);
            if (now != null) {
                now.add(slab);
            }
        }
    }

    /** Puts it nowhere. */
    void remove(Slab slab) {
        if (slab.row != null) {
            slab.row.remove(slab);
        }
    }

    /** A slab with the next slot of a class to take; null when none of the class is at home. */
    @Nullable Slab next(int sizeClass) {
        Row[] ofClass = rows[sizeClass];
        for (int row = EIGHTHS - 1; row >= 0; row--) {
            if (ofClass[row].first != null) {
                return ofClass[row].first;
            }
        }
        return firstUnused(sizeClass);
    }

    /** A whole slab of which a slot of {@code bytes} can be cut, of the class that has the most whole ones; null without one. */
    @Nullable Slab largestUnused(int bytes, boolean exactly) {
        Slab best = null;
        int most = 0;
        for (Row[] ofClass : rows) {
            Row whole = ofClass[UNUSED];
            if (whole.length > most) {
                Slab fitting = whole.first;
                while (fitting != null && !fitting.region.fits(bytes, exactly)) {
                    fitting = fitting.next;
                }
                if (fitting != null) {
                    best = fitting;
                    most = whole.length;
                }
            }
        }
        return best;
    }

    /** The first slab of a class that has all its slots at home; the others follow it. */
    @Nullable Slab firstUnused(int sizeClass) {
        return rows[sizeClass][UNUSED].first;
    }

    /** How many slots the slabs of a class have at home that stand somewhere and are not whole. */
    int freeInUse(int sizeClass) {
        int slots = 0;
        for (int row = 0; row < EIGHTHS; row++) {
            for (Slab slab = rows[sizeClass][row].first; slab != null; slab = slab.next) {
                slots += slab.freeSlots();
            }
        }
        return slots;
    }
}

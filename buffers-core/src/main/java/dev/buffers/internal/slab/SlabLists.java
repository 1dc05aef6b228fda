package dev.buffers.internal.slab;

import dev.buffers.internal.failsafe.IntrusiveList;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Which slab the next slot of a class comes from, and which could serve another class. By {@link SlabStore}, under its lock. */
public final class SlabLists {
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

    private final IntrusiveList<Slab>[][] rows;

    @SuppressWarnings({"unchecked", "rawtypes"})
    SlabLists(int sizeClasses) {
        rows = new IntrusiveList[sizeClasses][EIGHTHS + 1];
        for (IntrusiveList<Slab>[] ofClass : rows) {
            Arrays.setAll(ofClass, row -> new IntrusiveList<>());
        }
    }

    /** Puts a slab where it stands by now, perhaps nowhere. */
    void place(Slab slab) {
        boolean stands = slab.sizeClass != SizeClasses.OVERSIZE && !slab.isCondemned() && slab.freeSlots() > 0;
        if (!stands) {
            remove(slab);
            return;
        }
        IntrusiveList<Slab> row = rows[slab.sizeClass][slab.isUnused() ? UNUSED : slab.eighthsOut()];
        if (!row.has(slab.place)) {
            row.add(slab.place);
        }
    }

    /** Puts it nowhere. */
    void remove(Slab slab) {
        slab.place.leave();
    }

    /** A slab with the next slot of a class to take; null when none of the class is free in its slab. */
    @Nullable Slab next(int sizeClass) {
        IntrusiveList<Slab>[] ofClass = rows[sizeClass];
        for (int row = EIGHTHS - 1; row >= 0; row--) {
            if (!ofClass[row].isEmpty()) {
                return ofClass[row].peek();
            }
        }
        return ofClass[UNUSED].peek();
    }

    /** An unused slab of which a slot of {@code bytes} can be cut, of the class that has the most unused ones; null without one. */
    @Nullable Slab largestUnused(int bytes, boolean exactly) {
        Slab best = null;
        int most = 0;
        for (IntrusiveList<Slab>[] ofClass : rows) {
            IntrusiveList<Slab> unused = ofClass[UNUSED];
            if (unused.size() > most) {
                IntrusiveList.Link<Slab> fitting = unused.first();
                while (fitting != null && !fitting.it.region.fits(bytes, exactly)) {
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

    /** The first slab of a class that has all its slots; the others follow it. */
    IntrusiveList.@Nullable Link<Slab> firstUnused(int sizeClass) {
        return rows[sizeClass][UNUSED].first();
    }

    /** How many slots the slabs of a class have that stand in a row and are in use. */
    int freeInUse(int sizeClass) {
        int slots = 0;
        for (int row = 0; row < EIGHTHS; row++) {
            for (IntrusiveList.Link<Slab> link = rows[sizeClass][row].first(); link != null; link = link.next()) {
                slots += link.it.freeSlots();
            }
        }
        return slots;
    }
}

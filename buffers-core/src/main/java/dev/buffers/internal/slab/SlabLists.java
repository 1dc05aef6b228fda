package dev.buffers.internal.slab;

import dev.buffers.internal.failsafe.IntrusiveList;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Finds the slab for the next slot of a class, and the slabs that could serve another class. Used by {@link SlabStore}, under its lock. */
public final class SlabLists {
    /*
     *   rows of a class   0   1   2   3   4   5   6   7  | unused
     *                     few out            nearly all  | none out
     *                               <-- slots are taken from row 7 downwards, then from an unused slab
     *
     * A slab with free slots in it is in one row of its class: in row 0 to 7, by the eighths of its slots that are out, or in the row of
     * unused slabs, which have all their slots. Slots are taken from the fullest slabs, so that the emptiest have a chance to become
     * unused: only an unused slab can serve another class or be dropped. Slabs without free slots and condemned slabs are in no row. Slabs
     * with one slot of its own size (oversize, unpooled) have no class and are in no row either.
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

    /** Moves a slab to the row where it belongs now, perhaps none. */
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

    /** Takes a slab out of its row. */
    void remove(Slab slab) {
        slab.place.leave();
    }

    /** A slab for the next slot of a class; null when no slab of the class has a free slot. */
    @Nullable Slab next(int sizeClass) {
        IntrusiveList<Slab>[] ofClass = rows[sizeClass];
        for (int row = EIGHTHS - 1; row >= 0; row--) {
            if (!ofClass[row].isEmpty()) {
                return ofClass[row].peek();
            }
        }
        return ofClass[UNUSED].peek();
    }

    /** An unused slab from which a slot of {@code bytes} can be cut, of the class that has the most unused slabs; null without one. */
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

    /** The first unused slab of a class; the others follow in the list. */
    IntrusiveList.@Nullable Link<Slab> firstUnused(int sizeClass) {
        return rows[sizeClass][UNUSED].first();
    }

    /** How many free slots are in those slabs of a class that are neither unused nor condemned. */
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

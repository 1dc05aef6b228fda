package dev.buffers;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * All slabs of a pool, and the slots that are at home in them: what stands behind the depots.
 *
 * <p>Any thread; every method takes the one lock here for a time that depends on the slots it moves, and neither allocates
 * memory for buffers nor calls out.
 */
final class Slabs {
    /*
     * A slab with slots at home stands in one row of its class: row 0 to 7 by the eighths of it that are out, or the row of
     * whole slabs, all of whose slots are at home. Slots are taken from the fullest row, so that the emptiest slabs get a
     * chance to become whole: only a whole slab can serve another class or go back. Slabs with no slot at home, and condemned
     * ones, stand in no row. Slabs of one slot of their own (oversize, unpooled) have no class and stand in no row either.
     */
    private static final int EIGHTHS = 8;
    private static final int WHOLE = EIGHTHS;

    private final ReentrantLock lock = new ReentrantLock();
    private final Row[][] rows;
    private final long[] carved;
    private final Set<Slab> all = new HashSet<>();
    private final ArrayDeque<Region> uncut = new ArrayDeque<>();
    private final Regions regions;
    private boolean closed;

    Slabs(int sizeClasses, Regions regions) {
        this.regions = regions;
        carved = new long[sizeClasses];
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

    /** Moves up to {@code most} slots of a class from home into the start of {@code into}; says how many. */
    int take(int sizeClass, Slot[] into, int most) {
        lock.lock();
        try {
            int taken = 0;
            Row[] ofClass = rows[sizeClass];
            int row = EIGHTHS - 1;
            while (taken < most) {
                while (row >= 0 && ofClass[row].first == null) {
                    row--;
                }
                Slab slab = row >= 0 ? ofClass[row].first : ofClass[WHOLE].first;
                if (slab == null) {
                    break;
                }
                Slot slot = slab.take();
                while (slot != null) {
                    into[taken++] = slot;
                    slot = taken < most ? slab.take() : null;
                }
                place(slab);
            }
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /** Adds a slab just cut, having moved up to {@code most} of its slots into the start of {@code into}; says how many. */
    int addAndTake(Slab slab, Slot[] into, int most) {
        lock.lock();
        try {
            add(slab);
            int taken = 0;
            while (taken < most && slab.atHome() > 0) {
                into[taken++] = Objects.requireNonNull(slab.take());
            }
            place(slab);
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /** Brings the first {@code count} slots home. Says how many bytes the largest region has that this put out of use. */
    int comeHome(Slot[] slots, int count) {
        lock.lock();
        try {
            int unused = 0;
            for (int i = 0; i < count; i++) {
                Slab slab = slots[i].slab;
                if (!slab.isEmptied() && slab.comeHome(slots[i])) {
                    settle(slab);
                    if (slab.isWhole()) {
                        unused = Math.max(unused, slab.region.bytes);
                    }
                }
            }
            return unused;
        } finally {
            lock.unlock();
        }
    }

    /** A slot will never come home: it was lost or discarded. Its slab gives out nothing more. */
    void lose(Slot slot) {
        lock.lock();
        try {
            Slab slab = slot.slab;
            if (!slab.isEmptied()) {
                slab.lose(slot);
                slab.condemn();
                settle(slab);
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * A region that is not in use, and of which a slot of {@code bytes} can be cut: one not yet cut, or else a whole slab
     * of the class that has the most of them.
     */
    @Nullable Region takeUnused(int bytes, boolean exactly) {
        lock.lock();
        try {
            for (Iterator<Region> i = uncut.iterator(); i.hasNext(); ) {
                Region region = i.next();
                if (region.fits(bytes, exactly)) {
                    i.remove();
                    return region;
                }
            }
            Slab best = null;
            for (Row[] ofClass : rows) {
                Row whole = ofClass[WHOLE];
                if (whole.first != null && (best == null || whole.length > lengthOf(best.row))) {
                    Slab fitting = whole.first;
                    while (fitting != null && !fitting.region.fits(bytes, exactly)) {
                        fitting = fitting.next;
                    }
                    best = fitting != null ? fitting : best;
                }
            }
            if (best == null) {
                return null;
            }
            remove(best);
            return best.region;
        } finally {
            lock.unlock();
        }
    }

    /** Keeps a region for later, uncut. */
    void addUncut(Region region) {
        lock.lock();
        try {
            uncut.add(region);
        } finally {
            lock.unlock();
        }
    }

    /** Drops unused regions, as long as {@code keep} bytes stay reserved; says how many bytes. */
    long dropUnused(long keep) {
        lock.lock();
        try {
            long dropped = 0;
            for (Row[] ofClass : rows) {
                Slab slab = ofClass[WHOLE].first;
                while (slab != null) {
                    Slab next = slab.next;
                    if (regions.reservedBytes() - slab.region.bytes >= keep) {
                        dropped += slab.region.bytes;
                        remove(slab);
                        regions.drop(slab.region, true);
                    }
                    slab = next;
                }
            }
            while (!uncut.isEmpty() && regions.reservedBytes() - uncut.element().bytes >= keep) {
                Region region = uncut.remove();
                dropped += region.bytes;
                regions.drop(region, true);
            }
            return dropped;
        } finally {
            lock.unlock();
        }
    }

    /** Bytes of all slots of a class. */
    long carvedBytes(int sizeClass) {
        lock.lock();
        try {
            return carved[sizeClass];
        } finally {
            lock.unlock();
        }
    }

    /**
     * The pool has closed: takes every free slot's view back, wherever the slot is (rule S3 of {@link Slot}; nothing is used
     * again, so that no tick need pass: a lease that began at this moment holds its view and so its memory), and drops
     * every region with no lease. The others go when their last lease ends. False when some releases were under way that
     * had not yet seen that the pool is closed: then once more.
     */
    boolean close() {
        lock.lock();
        try {
            closed = true;
            boolean settled = true;
            for (Slab slab : all.toArray(new Slab[0])) {
                slab.condemn();
                for (Slot slot : slab.slots) {
                    if (slab.isOnItsWay(slot)) {
                        settled = false;
                    } else if (!Slot.isHeld(slot.stateVolatile()) && slot.getAndSetView(null) != null) {
                        slab.comeHome(slot);
                    }
                }
                settle(slab);
            }
            while (!uncut.isEmpty()) {
                regions.drop(uncut.remove(), false);
            }
            return settled;
        } finally {
            lock.unlock();
        }
    }

    /** Adds up the slabs: for each class, and last for slabs without a class. */
    Figures figures() {
        lock.lock();
        try {
            Figures figures = new Figures(rows.length + 1);
            for (Slab slab : all) {
                int i = slab.sizeClass == SizeClasses.OVERSIZE ? rows.length : slab.sizeClass;
                if (slab.region.charge != Region.Charge.NONE) {
                    figures.slabs[i]++;
                    figures.slotBytes[i] += slab.carvedBytes();
                    figures.uncarvedBytes += slab.uncarvedBytes();
                    figures.goneBytes += slab.goneBytes();
                    figures.goneBytesOf[i] += slab.goneBytes();
                }
            }
            for (Region region : uncut) {
                figures.uncarvedBytes += region.bytes;
            }
            figures.uncut = uncut.size();
            figures.reservedBytes = regions.reservedBytes();
            figures.droppedBytes = regions.droppedBytes();
            return figures;
        } finally {
            lock.unlock();
        }
    }

    /** What {@link #figures()} found, at one moment. */
    static final class Figures {
        final long[] slabs;
        final long[] slotBytes;
        final long[] goneBytesOf;
        long goneBytes;
        long uncarvedBytes;
        long reservedBytes;
        long droppedBytes;
        int uncut;

        private Figures(int rows) {
            slabs = new long[rows];
            slotBytes = new long[rows];
            goneBytesOf = new long[rows];
        }
    }

    /** After one of its slots came or went for good: the slab's new place, or its end. */
    private void settle(Slab slab) {
        if (slab.isCondemned() && slab.isSettled()) {
            remove(slab);
            regions.drop(slab.region, slab.gone() == 0 && !closed);
        } else {
            place(slab);
        }
    }

    private void place(Slab slab) {
        Row now = null;
        if (slab.sizeClass != SizeClasses.OVERSIZE && !slab.isCondemned() && slab.atHome() > 0) {
            now = rows[slab.sizeClass][slab.isWhole() ? WHOLE : slab.eighthsOut()];
        }
        if (slab.row != now) {
            if (slab.row != null) {
                slab.row.remove(slab);
            }
            if (now != null) {
                now.add(slab);
            }
        }
    }

    private void add(Slab slab) {
        all.add(slab);
        if (slab.sizeClass != SizeClasses.OVERSIZE) {
            carved[slab.sizeClass] += slab.carvedBytes();
        }
    }

    private void remove(Slab slab) {
        if (slab.row != null) {
            slab.row.remove(slab);
        }
        all.remove(slab);
        if (slab.sizeClass != SizeClasses.OVERSIZE) {
            carved[slab.sizeClass] -= slab.carvedBytes();
        }
        slab.empty();
    }

    private static int lengthOf(@Nullable Row row) {
        return row == null ? 0 : row.length;
    }
}

package dev.buffers.internal.slab;

import dev.buffers.internal.failsafe.AllocationFreeLock;
import dev.buffers.internal.failsafe.IntrusiveList;
import dev.buffers.internal.memory.Region;
import dev.buffers.internal.memory.RegionAllocator;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * All slabs of a pool, and the slots that are at home in them: what stands behind the depots.
 *
 * <p>Any thread; every method takes the one lock here for a time that depends on the slots it moves, and neither allocates
 * memory for buffers nor calls out.
 */
public final class SlabStore {
    /*
     * Nothing here fails for want of heap once it has begun to change something: slots, slabs and regions are linked by what was
     * made with them.
     */
    private final AllocationFreeLock lock = new AllocationFreeLock();
    private final SlabLists rows;
    private final long[] carved;
    private final IntrusiveList<Slab> all = new IntrusiveList<>();
    private final IntrusiveList<Region> uncut = new IntrusiveList<>();
    private final RegionAllocator regions;
    private boolean closed;

    public SlabStore(int sizeClasses, RegionAllocator regions) {
        this.regions = regions;
        carved = new long[sizeClasses];
        rows = new SlabLists(sizeClasses);
    }

    /** Moves up to {@code most} slots of a class from home into the start of {@code into}; says how many. */
    public int take(int sizeClass, Slot[] into, int most) {
        lock.lock();
        try {
            int taken = 0;
            while (taken < most) {
                Slab slab = rows.next(sizeClass);
                Slot slot = slab == null ? null : slab.take();
                if (slab == null || slot == null) {
                    break; // none is at home, or there is no heap for the object of a slot that was revoked
                }
                while (slot != null) {
                    into[taken++] = slot;
                    slot = taken < most ? slab.take() : null;
                }
                rows.place(slab);
            }
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /** Adds a slab just cut, having moved up to {@code most} of its slots into the start of {@code into}; says how many. */
    public int addAndTake(Slab slab, Slot[] into, int most) {
        lock.lock();
        try {
            add(slab);
            int taken = 0;
            while (taken < most && slab.freeSlots() > 0) {
                into[taken++] = Objects.requireNonNull(slab.take());
            }
            rows.place(slab);
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /** Brings the first {@code count} slots home. Says how many bytes the largest region has that this put out of use. */
    public int giveBack(Slot[] slots, int count) {
        return giveBack(slots, count, false);
    }

    /** The same; {@code quietly} when nobody has used them since they were last looked at. */
    public int giveBack(Slot[] slots, int count, boolean quietly) {
        lock.lock();
        try {
            int unused = 0;
            for (int i = 0; i < count; i++) {
                Slab slab = slots[i].slab;
                if (slab.isDissolved()) {
                    slots[i].detach(); // a release that close has overtaken put its view back
                } else if (slab.giveBack(slots[i], quietly)) {
                    placeOrDrop(slab);
                    if (slab.isUnused()) {
                        unused = Math.max(unused, slab.region.bytes);
                    }
                }
            }
            return unused;
        } finally {
            lock.unlock();
        }
    }

    /** A slot was revoked: its memory is at home. */
    public void revoked(Slot slot) {
        lock.lock();
        try {
            Slab slab = slot.slab;
            slot.detach();
            if (!slab.isDissolved()) {
                slab.revoked(slot);
                placeOrDrop(slab);
            }
        } finally {
            lock.unlock();
        }
    }

    /** A revoke that came to nothing puts the view back, unless the slot or its region has gone meanwhile. */
    public void putViewBack(Slot slot, ByteBuffer view) {
        lock.lock();
        try {
            if (slot.slab.has(slot)) {
                slot.compareAndSetView(null, view);
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * A slot will never come home: it was lost or discarded. Its slab gives out nothing more. False when it is at home, or its slab knows
     * it no more.
     */
    public boolean retire(Slot slot) {
        lock.lock();
        try {
            Slab slab = slot.slab;
            if (slab.isDissolved() || !slab.retire(slot)) {
                return false;
            }
            slab.condemn();
            placeOrDrop(slab);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * A region that is not in use, and of which a slot of {@code bytes} can be cut: one not yet cut, or else a whole slab
     * of the class that has the most of them.
     */
    public @Nullable Region takeUnused(int bytes, boolean exactly) {
        lock.lock();
        try {
            for (IntrusiveList.Link<Region> link = uncut.first(); link != null; link = link.next()) {
                if (link.it.fits(bytes, exactly)) {
                    uncut.remove(link);
                    return link.it;
                }
            }
            Slab best = rows.largestUnused(bytes, exactly);
            if (best == null) {
                return null;
            }
            remove(best);
            return best.region;
        } finally {
            lock.unlock();
        }
    }

    /** Tells {@code each} how large the regions are that are not in use. Under the lock here. */
    public void eachUnused(IntConsumer each) {
        lock.lock();
        try {
            for (IntrusiveList.Link<Region> link = uncut.first(); link != null; link = link.next()) {
                each.accept(link.it.bytes);
            }
            for (int sizeClass = 0; sizeClass < carved.length; sizeClass++) {
                for (IntrusiveList.Link<Slab> link = rows.firstUnused(sizeClass); link != null; link = link.next()) {
                    each.accept(link.it.region.bytes);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** Keeps a region for later, uncut. */
    public void addUncut(Region region) {
        lock.lock();
        try {
            uncut.add(region.link);
        } finally {
            lock.unlock();
        }
    }

    /** Drops unused regions, as long as {@code keep} bytes stay reserved; says how many bytes. */
    public long dropUnused(long keep) {
        lock.lock();
        try {
            long dropped = 0;
            for (int sizeClass = 0; sizeClass < carved.length; sizeClass++) {
                for (IntrusiveList.Link<Slab> link = rows.firstUnused(sizeClass), next; link != null; link = next) {
                    next = link.next();
                    dropped += dropUnusedSlab(link.it, keep);
                }
            }
            return dropped + dropIdleUncut(System.nanoTime(), Long.MIN_VALUE, keep);
        } finally {
            lock.unlock();
        }
    }

    private boolean canGo(Region region, long keep) {
        return Preallocated.isCoveredWithout(region, keep, regions.reservedBytes(), all, uncut);
    }

    private long dropUnusedSlab(Slab slab, long keep) {
        if (!canGo(slab.region, keep)) {
            return 0;
        }
        remove(slab);
        regions.drop(slab.region, true);
        return slab.region.bytes;
    }

    /** All slabs that are cut for a class. */
    public List<Slab> all() {
        lock.lock();
        try {
            List<Slab> slabs = new ArrayList<>();
            for (IntrusiveList.Link<Slab> link = all.first(); link != null; link = link.next()) {
                slabs.add(link.it);
            }
            return slabs;
        } finally {
            lock.unlock();
        }
    }

    /** Hands every slot of a slab that is neither at home nor gone to {@code each}, under the lock here. */
    public void eachOut(Slab slab, Consumer<Slot> each) {
        lock.lock();
        try {
            if (!slab.isDissolved()) {
                slab.eachOut(each);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Since when a slab is quiet, as {@link Slab#idleSince} says. */
    public long idleSince(Slab slab, long now) {
        lock.lock();
        try {
            return slab.isDissolved() ? now : slab.idleSince(now);
        } finally {
            lock.unlock();
        }
    }

    /** The same of all slabs. */
    public void eachOut(Consumer<Slot> each) {
        for (Slab slab : all()) {
            eachOut(slab, each);
        }
    }

    /**
     * Drops a slab's region if it is whole and has been quiet since {@code limit} or longer, as long as {@code keep} bytes stay
     * reserved; says how many bytes.
     */
    public long dropIdle(Slab slab, long limit, long now, long keep) {
        lock.lock();
        try {
            boolean whole = slab.place.isIn() && slab.isUnused();
            return whole && slab.idleSince(now) - limit <= 0 ? dropUnusedSlab(slab, keep) : 0;
        } finally {
            lock.unlock();
        }
    }

    /** The same for regions that were not cut since {@code idle} nanoseconds. */
    public long dropIdleUncut(long now, long idle, long keep) {
        lock.lock();
        try {
            long dropped = 0;
            for (IntrusiveList.Link<Region> link = uncut.first(), next; link != null; link = next) {
                Region region = link.it;
                next = link.next();
                if (region.uncutFor(now) >= idle && canGo(region, keep)) {
                    uncut.remove(link);
                    dropped += region.bytes;
                    regions.drop(region, true);
                }
            }
            return dropped;
        } finally {
            lock.unlock();
        }
    }

    /** Bytes at home in slabs of other classes. */
    public long idleElsewhere(int sizeClass) {
        lock.lock();
        try {
            long bytes = 0;
            for (IntrusiveList.Link<Slab> link = all.first(); link != null; link = link.next()) {
                Slab slab = link.it;
                if (slab.sizeClass != sizeClass) {
                    bytes += (long) slab.freeSlots() * slab.slotSize;
                }
            }
            return bytes;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Whether a slot of this slab may go straight to who waits for its class. The last one that is out empties the region, which
     * is for the oldest of any class: {@code isOldest} says whether that is who waits for this one.
     */
    public boolean mayHandOver(Slab slab, BooleanSupplier isOldest) {
        boolean last;
        lock.lock();
        try {
            if (slab.isCondemned()) {
                return false;
            }
            last = slab.slotsOut() == 1;
        } finally {
            lock.unlock();
        }
        return !last || isOldest.getAsBoolean();
    }

    /** How many slots of a class are at home in slabs that are in use: others of the same slab are out. */
    public int freeInUse(int sizeClass) {
        lock.lock();
        try {
            return rows.freeInUse(sizeClass);
        } finally {
            lock.unlock();
        }
    }

    public boolean isEmpty() {
        lock.lock();
        try {
            return all.isEmpty() && uncut.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Bytes of all slots of a class. */
    public long carvedBytes(int sizeClass) {
        lock.lock();
        try {
            return carved[sizeClass];
        } finally {
            lock.unlock();
        }
    }

    /**
     * The pool has closed: drops every region none of whose slots is out. The others go when their last slot comes home. False
     * when some are out that are free, in somebody's magazine or just released: then revoke them, and once more. Those without a view are
     * just released, or lost; they matter only if they are {@code awaited}.
     */
    public boolean close(boolean awaited) {
        lock.lock();
        try {
            closed = true;
            boolean settled = true;
            for (IntrusiveList.Link<Slab> link = all.first(), next; link != null; link = next) {
                Slab slab = link.it;
                next = link.next();
                slab.condemn();
                settled &= slab.isLeasedOut(awaited);
                placeOrDrop(slab);
            }
            for (IntrusiveList.Link<Region> link = uncut.first(); link != null; link = uncut.first()) {
                uncut.remove(link);
                regions.drop(link.it, false);
            }
            return settled;
        } finally {
            lock.unlock();
        }
    }

    /** Adds up the slabs: for each class, and last for slabs without a class. */
    public Figures figures() {
        lock.lock();
        try {
            Figures figures = new Figures(carved.length + 1);
            for (IntrusiveList.Link<Slab> link = all.first(); link != null; link = link.next()) {
                Slab slab = link.it;
                int i = slab.sizeClass == SizeClasses.OVERSIZE ? carved.length : slab.sizeClass;
                if (slab.region.charge != Region.Charge.NONE) {
                    figures.slabs[i]++;
                    figures.slotBytes[i] += slab.carvedBytes();
                    figures.uncarvedBytes += slab.uncarvedBytes();
                    figures.retiredBytes += slab.retiredBytes();
                    figures.retiredBytesOf[i] += slab.retiredBytes();
                }
            }
            for (IntrusiveList.Link<Region> link = uncut.first(); link != null; link = link.next()) {
                figures.uncarvedBytes += link.it.bytes;
                figures.uncut++;
            }
            figures.reservedBytes = regions.reservedBytes();
            figures.droppedBytes = regions.droppedBytes();
            return figures;
        } finally {
            lock.unlock();
        }
    }

    /** What {@link #figures()} found, at one moment. */
    public static final class Figures {
        public final long[] slabs;
        public final long[] slotBytes;
        public final long[] retiredBytesOf;
        public long retiredBytes;
        public long uncarvedBytes;
        public long reservedBytes;
        public long droppedBytes;
        public int uncut;

        private Figures(int rows) {
            slabs = new long[rows];
            slotBytes = new long[rows];
            retiredBytesOf = new long[rows];
        }
    }

    /** After one of its slots came or went for good: the slab's new place, or its end. */
    private void placeOrDrop(Slab slab) {
        if (slab.isCondemned() && slab.hasNoneOut()) {
            remove(slab);
            regions.drop(slab.region, slab.retired() == 0 && !closed);
        } else {
            rows.place(slab);
        }
    }

    private void add(Slab slab) {
        all.add(slab.link);
        if (slab.sizeClass != SizeClasses.OVERSIZE) {
            carved[slab.sizeClass] += slab.carvedBytes();
        }
    }

    private void remove(Slab slab) {
        rows.remove(slab);
        all.remove(slab.link);
        if (slab.sizeClass != SizeClasses.OVERSIZE) {
            carved[slab.sizeClass] -= slab.carvedBytes();
        }
        slab.dissolve();
    }
}

package dev.buffers.internal.slab;

import dev.buffers.PoolSettings;
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
 * All slabs of a pool and the free slots in them. The depots get their slots from here.
 *
 * <p>Any thread. Every method takes the one lock of this class, for a time that depends on the number of slots it moves. No method
 * allocates buffer memory, and none calls user code. None fails for lack of heap once it has begun to change something.
 */
public final class SlabStore {
    private final SlabLists rows;
    private final long[] carved;
    private final IntrusiveList<Slab> all = new IntrusiveList<>();
    private final IntrusiveList<Region> uncut = new IntrusiveList<>();
    final RegionAllocator regions;

    public SlabStore(int sizeClasses, RegionAllocator regions) {
        this.regions = regions;
        carved = new long[sizeClasses];
        rows = new SlabLists(sizeClasses);
    }

    /** Takes up to {@code most} free slots of a class, linked; null when there is none. */
    public synchronized @Nullable Slot take(int sizeClass, int most) {
        Slot taken = null;
        for (int left = most; left > 0; ) {
            Slab slab = rows.next(sizeClass);
            Slot slot = slab == null ? null : slab.take();
            if (slab == null || slot == null) {
                break; // no free slot is in a slab, or there is no heap for a new slot object
            }
            for (; slot != null; slot = left > 0 ? slab.take() : null) {
                slot.next = taken;
                taken = slot;
                left--;
            }
            rows.place(slab);
        }
        return taken;
    }

    /** Adds a slab that was just cut, and takes up to {@code most} of its slots, linked. */
    public synchronized Slot addAndTake(Slab slab, int most) {
        all.add(slab.link);
        if (slab.sizeClass != SizeClasses.OVERSIZE) {
            carved[slab.sizeClass] += slab.carvedBytes();
        }
        Slot taken = Objects.requireNonNull(slab.take());
        for (int left = most - 1; left > 0 && slab.freeSlots() > 0; left--) {
            Slot slot = Objects.requireNonNull(slab.take());
            slot.next = taken;
            taken = slot;
        }
        rows.place(slab);
        return taken;
    }

    /** True once for each slab: then the caller counts its acquire as the one that the slab was cut for ({@code CARVED}). */
    public synchronized boolean countCut(Slab slab) {
        boolean first = !slab.isCounted;
        slab.isCounted = true;
        return first;
    }

    /** Returns linked slots to their slabs. Returns the size of the largest region that this made unused, 0 for none. */
    public int giveBack(@Nullable Slot first) {
        return giveBack(first, false);
    }

    /** As above. {@code untouched}: no thread has used the slots since they left; their slabs stay idle. */
    public synchronized int giveBack(@Nullable Slot first, boolean untouched) {
        int unused = 0;
        for (Slot slot = first, next; slot != null; slot = next) {
            next = slot.next;
            slot.next = null;
            Slab slab = slot.slab;
            if (slab.isDissolved()) {
                slot.detach(); // a release that was overtaken by close has put its view back
            } else if (slab.giveBack(slot, untouched)) {
                placeOrDrop(slab);
                unused = slab.isUnused() ? Math.max(unused, slab.region.bytes) : unused;
            }
        }
        return unused;
    }

    /** The memory of a revoked slot is back in its slab. */
    public synchronized void revoked(Slot slot) {
        Slab slab = slot.slab;
        slot.detach();
        if (!slab.isDissolved()) {
            slab.revoked(slot);
            placeOrDrop(slab);
        }
    }

    /** Puts the view of a slot back after a revocation that failed, unless the slot was retired or its slab has dissolved meanwhile. */
    public synchronized void putViewBack(Slot slot, ByteBuffer view) {
        if (slot.slab.has(slot)) {
            slot.compareAndSetView(null, view);
        }
    }

    /** Retires a slot as {@link Slab#retire} says, and condemns its slab. */
    public synchronized boolean retire(Slot slot) {
        Slab slab = slot.slab;
        if (!slab.retire(slot)) {
            return false;
        }
        slab.condemn();
        placeOrDrop(slab);
        return true;
    }

    /**
     * Takes a region that is not in use and can hold a slot of {@code bytes}, an uncut one first; null without one. {@code exactly}: only a
     * region of that size.
     */
    public synchronized @Nullable Region takeUnused(int bytes, boolean exactly) {
        for (IntrusiveList.Link<Region> link = uncut.first(); link != null; link = link.next()) {
            if (link.it.fits(bytes, exactly)) {
                link.leave();
                return link.it;
            }
        }
        Slab best = rows.largestUnused(bytes, exactly);
        if (best == null) {
            return null;
        }
        remove(best);
        return best.region;
    }

    /** Passes the size of each region that is not in use to {@code each}, under the lock. */
    public synchronized void eachUnused(IntConsumer each) {
        for (IntrusiveList.Link<Region> link = uncut.first(); link != null; link = link.next()) {
            each.accept(link.it.bytes);
        }
        for (int sizeClass = 0; sizeClass < carved.length; sizeClass++) {
            for (IntrusiveList.Link<Slab> link = rows.firstUnused(sizeClass); link != null; link = link.next()) {
                each.accept(link.it.region.bytes);
            }
        }
    }

    public synchronized void addUncut(Region region) {
        region.becomeUncut();
        uncut.add(region.link);
    }

    /** How many bytes stay reserved when memory is given back; 0 with a policy that cuts no views: nothing says which sizes to keep. */
    public static long preallocated(PoolSettings settings) {
        return settings.policy().views() ? settings.preallocate() : 0;
    }

    /** Drops regions that are not in use, as long as {@code keep} bytes stay reserved. Returns how many bytes. */
    public synchronized long dropUnused(long keep) {
        long dropped = 0;
        for (int sizeClass = 0; sizeClass < carved.length; sizeClass++) {
            for (IntrusiveList.Link<Slab> link = rows.firstUnused(sizeClass), next; link != null; link = next) {
                next = link.next();
                dropped += dropUnusedSlab(link.it, keep);
            }
        }
        return dropped + dropIdleUncut(System.nanoTime(), Long.MIN_VALUE, keep);
    }

    /** Drops an unused slab's region as above if the slab has been idle since {@code limit} or longer. */
    public synchronized long dropIdle(Slab slab, long limit, long now, long keep) {
        boolean unused = !slab.isDissolved() && slab.isUnused();
        return unused && slab.idleSince(now) - limit <= 0 ? dropUnusedSlab(slab, keep) : 0;
    }

    /** Drops as above the regions that have been uncut for {@code idle} nanoseconds. */
    public synchronized long dropIdleUncut(long now, long idle, long keep) {
        long dropped = 0;
        for (IntrusiveList.Link<Region> link = uncut.first(), next; link != null; link = next) {
            Region region = link.it;
            next = link.next();
            if (region.uncutFor(now) >= idle && canGo(region, keep)) {
                link.leave();
                dropped += region.bytes;
                regions.drop(region, true);
            }
        }
        return dropped;
    }

    private long dropUnusedSlab(Slab slab, long keep) {
        if (!canGo(slab.region, keep)) {
            return 0;
        }
        remove(slab);
        regions.drop(slab.region, true);
        return slab.region.bytes;
    }

    /**
     * Whether {@code keep} bytes stay reserved without this region, in other regions that are no larger. Larger regions do not count, even
     * if they are in use now: one of them would then stay for ever in place of all the small regions that were dropped.
     */
    private boolean canGo(Region region, long keep) {
        if (keep == 0 || regions.reservedBytes() - region.bytes < keep) {
            return keep == 0;
        }
        long others = -region.bytes;
        for (IntrusiveList.Link<Slab> link = all.first(); link != null; link = link.next()) {
            boolean ends = link.it.sizeClass == SizeClasses.OVERSIZE; // it ends with its lease, whatever must be kept
            int bytes = link.it.region.bytes;
            others += ends || bytes > region.bytes ? 0 : bytes;
        }
        for (IntrusiveList.Link<Region> link = uncut.first(); link != null; link = link.next()) {
            others += link.it.bytes > region.bytes ? 0 : link.it.bytes;
        }
        return others >= keep;
    }

    /** All slabs, in a new list. */
    public synchronized List<Slab> all() {
        List<Slab> slabs = new ArrayList<>();
        for (IntrusiveList.Link<Slab> link = all.first(); link != null; link = link.next()) {
            slabs.add(link.it);
        }
        return slabs;
    }

    /** Passes every slot that is out of its slab (leased, or in some cache; not retired) to {@code each}, under the lock. */
    public synchronized void eachOut(Slab slab, Consumer<Slot> each) {
        slab.eachOut(each);
    }

    /** As above for all slabs, one after the other. */
    public void eachOut(Consumer<Slot> each) {
        all().forEach(slab -> eachOut(slab, each));
    }

    /** As {@link Slab#idleSince} says. */
    public synchronized long idleSince(Slab slab, long now) {
        return slab.isDissolved() ? now : slab.idleSince(now);
    }

    /** Bytes of the free slots in slabs of other classes. */
    public synchronized long idleElsewhere(int sizeClass) {
        long bytes = 0;
        for (IntrusiveList.Link<Slab> link = all.first(); link != null; link = link.next()) {
            Slab slab = link.it;
            if (slab.sizeClass != sizeClass) {
                bytes += (long) slab.freeSlots() * slab.slotSize;
            }
        }
        return bytes;
    }

    /**
     * Whether a slot of this slab may go straight to a waiter for its class. If it is the last slot that is out, its return makes the
     * region unused, and the oldest waiter of any class comes first: {@code isOldest} says whether that one waits for this class.
     */
    public boolean mayHandOver(Slab slab, BooleanSupplier isOldest) {
        boolean last;
        synchronized (this) {
            if (slab.isCondemned()) {
                return false;
            }
            last = slab.slotsOut() == 1;
        }
        return !last || isOldest.getAsBoolean();
    }

    /** How many free slots of a class are in slabs that have other slots out. */
    public synchronized int freeInUse(int sizeClass) {
        return rows.freeInUse(sizeClass);
    }

    public synchronized boolean isEmpty() {
        return all.isEmpty() && uncut.isEmpty();
    }

    public synchronized long carvedBytes(int sizeClass) {
        return carved[sizeClass];
    }

    /**
     * Called after the pool has closed: condemns all slabs and drops every region that has no slot out. The other regions are dropped when
     * their last slot returns. False when free slots are still out ({@link Slab#isLeasedOut}): the caller revokes them and calls again.
     */
    public synchronized boolean close(boolean awaited) {
        boolean allOutAreLeased = true;
        for (IntrusiveList.Link<Slab> link = all.first(), next; link != null; link = next) {
            Slab slab = link.it;
            next = link.next();
            slab.condemn();
            allOutAreLeased &= slab.isLeasedOut(awaited);
            placeOrDrop(slab);
        }
        dropIdleUncut(System.nanoTime(), Long.MIN_VALUE, 0);
        return allOutAreLeased;
    }

    /** Sums over the slabs of each class; the last row is for slabs without a class. */
    public synchronized Figures figures() {
        Figures figures = new Figures(carved.length + 1);
        for (IntrusiveList.Link<Slab> link = all.first(); link != null; link = link.next()) {
            Slab slab = link.it;
            int i = slab.sizeClass == SizeClasses.OVERSIZE ? carved.length : slab.sizeClass;
            if (slab.region.charge != Region.Charge.NONE) {
                figures.slabs[i]++;
                figures.slotBytes[i] += slab.carvedBytes();
                figures.uncarvedBytes += slab.region.bytes - slab.carvedBytes();
                figures.retiredBytes[i] += (long) slab.retired() * slab.slotSize;
            }
        }
        for (IntrusiveList.Link<Region> link = uncut.first(); link != null; link = link.next()) {
            figures.uncarvedBytes += link.it.bytes;
            figures.uncut++;
        }
        figures.reservedBytes = regions.reservedBytes();
        figures.droppedBytes = regions.droppedBytes();
        return figures;
    }

    public static final class Figures {
        public final long[] slabs;
        public final long[] slotBytes;
        public final long[] retiredBytes;
        public long uncarvedBytes;
        public long reservedBytes;
        public long droppedBytes;
        public int uncut;

        private Figures(int rows) {
            slabs = new long[rows];
            slotBytes = new long[rows];
            retiredBytes = new long[rows];
        }
    }

    /** Called after a slot of the slab has returned or was retired: moves the slab to its new row, or ends it. */
    private void placeOrDrop(Slab slab) {
        if (slab.isCondemned() && slab.slotsOut() == 0) {
            remove(slab);
            regions.drop(slab.region, slab.retired() == 0);
        } else {
            rows.place(slab);
        }
    }

    private void remove(Slab slab) {
        slab.place.leave();
        slab.link.leave();
        if (slab.sizeClass != SizeClasses.OVERSIZE) {
            carved[slab.sizeClass] -= slab.carvedBytes();
        }
        slab.dissolve();
    }
}

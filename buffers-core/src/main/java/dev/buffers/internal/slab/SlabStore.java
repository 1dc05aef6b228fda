// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.slab;

import dev.buffers.internal.failsafe.IntrusiveList;
import dev.buffers.internal.memory.Region;
import dev.buffers.internal.memory.RegionAllocator;
import dev.buffers.internal.signals.WaitQueue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * All slabs of a pool and the free slots in them. The depots get their slots from here.
 *
 * <p>Any thread. The monitor of this class is held for the slots of one slab, or for those of one call, at a time. Under it nothing blocks,
 * no buffer memory is allocated and no user's code is called. No method fails for lack of heap once it has begun to change something.
 */
public final class SlabStore {
    /*
     * A region is dropped under the monitor when its slab ends: a thread that looks for it finds it in use, unused or dropped. Only its
     * event for Flight Recorder waits, in `unreported`, for the next tick or the next cut. Without the cuts, a second of oversize leases
     * could fill the heap with regions that wait.
     *
     * For the waiter whose turn it is, the tick chooses slabs to be emptied: one whose region fits it, or without one so many that are
     * dropped then that their bytes suffice. A chosen slab gives out no slot: its free slots are revoked, those on lease drained. Once it is
     * unused, only that waiter finds it. A slot that is between two states when the slab is chosen is missed, and found by the next tick.
     * Slabs are chosen in rounds, and let go when the turn ends, or a round that was not the first one.
     *
     * Regions of `keep` bytes in all are kept (`keptBytes`): the first that come, but for those of one lease. A kept region stays when it
     * is idle. When it was dropped, for an acquire that nothing else could serve or because a lease in it was lost, others are kept in its
     * place: the next that come and fit, and instead of being dropped the smallest that are idle, until they suffice.
     */
    /** The order in which slabs are dropped. */
    public static final Comparator<Slab> SMALLEST_FIRST = Comparator.comparingInt(slab -> slab.region.bytes());

    /** The order in which slabs are chosen: first the unused ones, last those that did not come free when they were chosen. */
    private static final Comparator<Slab> EASIEST_FIRST = Comparator.<Slab>comparingLong(
                    slab -> slab.isUnused() ? -1 : slab.failedAt)
            .thenComparingInt(Slab::slotsOut)
            .thenComparing(SMALLEST_FIRST);

    private final SlabLists rows;
    private final Figures figures;
    private final int oversize;
    private final IntrusiveList<Slab> all = new IntrusiveList<>();
    private final IntrusiveList<Region> unreported = new IntrusiveList<>();
    final RegionAllocator regions;

    /** How many bytes stay reserved when memory is given back. */
    public final long keep;

    private long keptBytes;

    private boolean hasChosen;

    /** Whether the chosen slabs are dropped once they are unused. */
    private boolean dropsChosen;

    /** Counts the slabs that were chosen and did not come free. */
    private long failures;

    public SlabStore(int sizeClasses, RegionAllocator regions, long keep) {
        this.regions = regions;
        this.keep = keep;
        this.oversize = sizeClasses;
        this.figures = new Figures(sizeClasses + 1);
        this.rows = new SlabLists(sizeClasses);
    }

    /** What a class can have: a free slot, or an unused region. */
    public static final class Supply {
        public @Nullable Slot slot;
        public @Nullable Region unused;
    }

    /**
     * Takes a free slot of a class. Without one, if {@code cuts}, takes a region to cut, as {@link #takeUnused} does.
     *
     * @param bytes of a slot of this class
     */
    public synchronized Supply supply(int sizeClass, int bytes, boolean cuts, int kept) {
        Supply supply = new Supply();
        supply.slot = free(sizeClass, 1);
        supply.unused = supply.slot == null && cuts ? unused(bytes, kept) : null;
        return supply;
    }

    /** Takes up to {@code most} free slots of a class, linked; null when there is none. */
    public synchronized @Nullable Slot take(int sizeClass, int most) {
        return free(sizeClass, most);
    }

    private @Nullable Slot free(int sizeClass, int most) {
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

    /** Adds a slab that was just cut, and takes one of its slots. */
    public synchronized Slot addAndTake(Slab slab) {
        all.add(slab.link);
        keepIfDue(slab, keep - keptBytes);
        count(slab, 1);
        Slot taken = Objects.requireNonNull(slab.take());
        rows.place(slab);
        return taken;
    }

    private void keepIfDue(Slab slab, long most) {
        Region region = slab.region;
        if (!region.isKept && slab.sizeClass != SizeClasses.OVERSIZE && keptBytes < keep && keptOf(region) <= most) {
            region.isKept = true;
            keptBytes += keptOf(region);
        }
    }

    /** An array leaves room for its header, which counts as kept. */
    private static long keptOf(Region region) {
        return region.bytes() + (SizeClasses.MIN_SIZE - 1L) & -SizeClasses.MIN_SIZE;
    }

    /**
     * Whether there was a free slot of a class in a slab a moment ago: a hint, from plain reads without the monitor. They may miss a slab
     * that is just moving between two rows.
     */
    public boolean seemsToHaveFree(int sizeClass) {
        return rows.next(sizeClass) != null;
    }

    /** The same for {@link #supply}. */
    public boolean seemsToSupply(int sizeClass, boolean cuts) {
        return seemsToHaveFree(sizeClass) || cuts && rows.seemToHaveUnused();
    }

    /** Into how many bytes of slots the regions of a class are cut. Without the monitor, a hint. */
    public long carvedBytesPlain(int sizeClass) {
        return figures.slotBytes[sizeClass];
    }

    /** Returns linked slots to their slabs; true when this made a region unused. */
    public synchronized boolean giveBack(@Nullable Slot first) {
        boolean unused = false;
        for (Slot slot = first, next; slot != null; slot = next) {
            next = slot.next;
            slot.next = null;
            Slab slab = slot.slab;
            if (!slab.isDissolved() && slab.giveBack(slot)) {
                placeOrEnd(slab);
                unused |= slab.isUnused();
            }
        }
        return unused;
    }

    /** Takes the memory of a free slot back into its slab, wherever the slot is listed. False when the slot is not free. */
    public synchronized boolean revoke(Slot slot) {
        Slab slab = slot.slab;
        if (slab.isDissolved() || !slab.revoke(slot)) {
            return false;
        }
        placeOrEnd(slab);
        return true;
    }

    /** The same for all free slots of a slab; returns how many. */
    public synchronized int revokeAll(Slab slab) {
        int revoked = slab.isDissolved() ? 0 : slab.revokeAll();
        if (revoked > 0) {
            placeOrEnd(slab);
        }
        return revoked;
    }

    /** Takes a free slot of a class, wherever it is listed; null when none has been free all the time. */
    public @Nullable Slot revokeAndTake(int sizeClass) {
        for (Slab slab : all()) {
            if (slab.sizeClass == sizeClass) {
                synchronized (this) {
                    if (!slab.isDissolved() && slab.givesSlots()) {
                        slab.revokeAll();
                        Slot taken = slab.take();
                        rows.place(slab);
                        if (taken != null) {
                            return taken;
                        }
                    }
                }
            }
        }
        return null;
    }

    /** Revokes every free slot that is out of its slab; returns how many. */
    public int revokeAll() {
        int revoked = 0;
        for (Slab slab : all()) {
            revoked += revokeAll(slab);
        }
        return revoked;
    }

    /** Retires a slot as {@link Slab#retire} says, and condemns its slab. */
    public synchronized boolean retire(Slot slot) {
        Slab slab = slot.slab;
        if (slab.isDissolved() || !slab.retire(slot)) {
            return false;
        }
        if (slab.region.charge != Region.Charge.NONE) {
            figures.retiredBytes[row(slab)] += slab.slotSize;
        }
        slab.condemn();
        placeOrEnd(slab);
        return true;
    }

    /**
     * Takes a region that is not in use and can hold a slot of {@code bytes}; null without one. If {@code kept} is not 0, it leaves those
     * that can hold as many bytes, and those that were chosen.
     */
    public synchronized @Nullable Region takeUnused(int bytes, int kept) {
        return unused(bytes, kept);
    }

    private @Nullable Region unused(int bytes, int kept) {
        Slab best = kept == 0 && hasChosen ? chosenUnused(bytes) : null;
        best = best == null ? rows.largestUnused(bytes, kept) : best;
        if (best == null) {
            return null;
        }
        remove(best);
        return best.region;
    }

    private @Nullable Slab chosenUnused(int bytes) {
        for (IntrusiveList.Link<Slab> link = all.first(); link != null; link = link.next()) {
            if (link.it.chosenIn > 0 && link.it.isUnused() && link.it.region.fits(bytes)) {
                return link.it;
            }
        }
        return null;
    }

    /**
     * Chooses slabs of {@code bytes} bytes in all to be emptied for a waiter, the easiest first. False without enough of them.
     *
     * @param sizeClass of the waiter: slots of this class reach it without that
     * @param least how many bytes each region must have in one piece; 0 if they are to be dropped
     * @param round from 1
     */
    public synchronized boolean choose(int sizeClass, int least, long bytes, int round) {
        List<Slab> candidates = new ArrayList<>();
        long left = bytes;
        for (IntrusiveList.Link<Slab> link = all.first(); link != null; link = link.next()) {
            Slab slab = link.it;
            if (slab.givesSlots() && slab.sizeClass != sizeClass && (least == 0 || slab.region.fits(least))) {
                candidates.add(slab);
                left -= slab.region.bytes();
            }
        }
        if (left > 0) {
            return false;
        }
        candidates.sort(EASIEST_FIRST);
        dropsChosen = least == 0;
        hasChosen = true;
        left = bytes;
        for (int i = 0; left > 0; i++) {
            Slab slab = candidates.get(i);
            slab.chosenIn = round;
            left -= slab.region.bytes();
            slab.empty();
            placeOrEnd(slab);
        }
        return true;
    }

    /** Empties the chosen slabs once more: a slot that was between two states was missed. */
    public void emptyChosen() {
        for (Slab slab : all()) {
            if (slab.chosenIn > 0) {
                empty(slab);
            }
        }
    }

    /** Revokes the free slots of a slab that gives out none, and drains those on lease. */
    public synchronized void empty(Slab slab) {
        if (!slab.isDissolved()) {
            slab.empty();
            placeOrEnd(slab);
        }
    }

    /** Lets go the slabs that were chosen in a round, or in any if it is 0, and notes that they have not come free. */
    public synchronized void letGo(int round) {
        letGo(round, ++failures);
    }

    /** Lets go all chosen slabs if no waiter has its turn. Else they may be that waiter's: the tick chooses after it has given the turn. */
    public synchronized void letGo(WaitQueue queue) {
        if (queue.turn() == null) {
            letGo(0, 0);
        }
    }

    private void letGo(int round, long failure) {
        if (!hasChosen) {
            return;
        }
        hasChosen = false;
        for (IntrusiveList.Link<Slab> link = all.first(); link != null; link = link.next()) {
            Slab slab = link.it;
            if (slab.chosenIn > 0 && (round == 0 || slab.chosenIn == round)) {
                slab.chosenIn = 0;
                slab.failedAt = Math.max(slab.failedAt, failure);
                rows.place(slab);
            }
            hasChosen |= slab.chosenIn > 0;
        }
    }

    /**
     * Drops all regions that are not in use if {@code needed} bytes have room once the dropped memory is gone. Otherwise it stays:
     * no acquire could use it, and no collection is asked for it.
     */
    public void dropUnusedFor(long needed) {
        if (rows.seemToHaveUnused() // read without the monitor: a look for one has just failed
                && regions.budget.collectable() + regions.budget.room() + unusedBytes() >= needed) {
            dropUnused(true);
        }
    }

    private synchronized long unusedBytes() {
        long bytes = 0;
        for (IntrusiveList.Link<Slab> link = all.first(); link != null; link = link.next()) {
            bytes += link.it.isUnused() ? link.it.region.bytes() : 0;
        }
        return bytes;
    }

    /** Drops the regions that are not in use, with {@code kept} also those that are kept. Returns how many bytes. */
    public long dropUnused(boolean kept) {
        long bytes = 0;
        List<Slab> smallestFirst = all();
        smallestFirst.sort(SMALLEST_FIRST);
        for (Slab slab : smallestFirst) {
            bytes += dropUnused(slab, kept);
        }
        return bytes;
    }

    private synchronized long dropUnused(Slab slab, boolean kept) {
        if (slab.isDissolved() || !slab.isUnused() || slab.chosenIn > 0 && kept) { // trim drops chosen ones too
            return 0;
        }
        if (!kept) {
            keepIfDue(slab, Long.MAX_VALUE);
            if (slab.region.isKept) {
                return 0;
            }
        }
        end(slab);
        return slab.region.bytes();
    }

    /** Drops an unused slab's region if it is not kept, and the slab has been idle since {@code limit} or longer. */
    public long dropIdle(Slab slab, long limit, long now) {
        return idleSince(slab, now) - limit > 0 ? 0 : dropUnused(slab, false);
    }

    /** Drops a region that could not be cut, never to be adopted: to cut it would only fail again. */
    public synchronized void giveUp(Region region) {
        region.isReusable = false;
        drop(region);
    }

    /** With the monitor held; {@link #reportDrops} follows without it. */
    private void drop(Region region) {
        if (region.isKept) {
            region.isKept = false;
            keptBytes -= keptOf(region);
        }
        regions.drop(region);
        unreported.add(region.link);
    }

    /** Records the regions that were dropped. Called by the tick, and after each cut, with no lock held. */
    public void reportDrops() {
        while (!unreported.isEmpty()) { // a hint: what it misses waits for the next call
            Region next = pollDropped();
            if (next != null) {
                regions.reportDrop(next);
            }
        }
    }

    private synchronized @Nullable Region pollDropped() {
        return unreported.poll();
    }

    /** All slabs, in a new list. */
    public synchronized List<Slab> all() {
        List<Slab> slabs = new ArrayList<>(all.size());
        for (IntrusiveList.Link<Slab> link = all.first(); link != null; link = link.next()) {
            slabs.add(link.it);
        }
        return slabs;
    }

    /** The slots of a slab that are out (leased, or in some cache; not retired), in a new list. */
    public synchronized List<Slot> out(Slab slab) {
        return slab.isDissolved() ? List.of() : slab.out();
    }

    /** As {@link Slab#isSparse} says. */
    public synchronized boolean isSparse(Slab slab) {
        return !slab.isDissolved() && slab.isSparse();
    }

    /** As {@link Slab#idleSince} says. */
    public synchronized long idleSince(Slab slab, long now) {
        return slab.isDissolved() ? now : slab.idleSince(now);
    }

    /** Bytes of the free slots in slabs of other classes. */
    public synchronized long idleElsewhere(int sizeClass) {
        return rows.freeBytesElsewhere(sizeClass);
    }

    /** How many slots of this slab are out; 0 when it gives out no more. */
    public synchronized int slotsOut(Slab slab) {
        return slab.givesSlots() ? slab.slotsOut() : 0;
    }

    /** Whether any region is cut. In a closed pool that is one with a lease, or with a slot that is about to return. */
    public synchronized boolean hasSlabs() {
        return !all.isEmpty();
    }

    public synchronized boolean isEmpty() {
        return all.isEmpty() && unreported.isEmpty();
    }

    /**
     * Called after the pool has closed: condemns all slabs, revokes free slots, and drops every region that has no slot out. The other
     * regions are dropped when their last slot returns.
     */
    public void close() {
        for (Slab slab : all()) {
            synchronized (this) {
                if (!slab.isDissolved()) {
                    slab.condemn();
                    slab.revokeAll();
                    placeOrEnd(slab);
                }
            }
        }
    }

    /** Sums over the slabs of each class; the last row is for slabs without a class. */
    public Figures figures() {
        Figures copy;
        synchronized (this) {
            copy = new Figures(figures);
        }
        long[] held = regions.reservedAndDropped();
        copy.reservedBytes = held[0];
        copy.droppedBytes = held[1];
        return copy;
    }

    public static final class Figures {
        public final long[] slabs;
        public final long[] slotBytes;
        public final long[] retiredBytes;
        public long uncarvedBytes;
        public long reservedBytes;
        public long droppedBytes;

        public Figures(int rows) {
            slabs = new long[rows];
            slotBytes = new long[rows];
            retiredBytes = new long[rows];
        }

        private Figures(Figures of) {
            slabs = of.slabs.clone();
            slotBytes = of.slotBytes.clone();
            retiredBytes = of.retiredBytes.clone();
            uncarvedBytes = of.uncarvedBytes;
        }
    }

    /** With the monitor held: adds a slab to the figures, or with -1 takes it out. */
    private void count(Slab slab, int sign) {
        int row = row(slab);
        if (slab.region.charge != Region.Charge.NONE) {
            figures.slabs[row] += sign;
            figures.slotBytes[row] += sign * slab.carvedBytes();
            figures.uncarvedBytes += sign * (slab.region.bytes() - slab.carvedBytes());
            figures.retiredBytes[row] += (long) sign * slab.retired() * slab.slotSize;
        }
    }

    private int row(Slab slab) {
        return slab.sizeClass == SizeClasses.OVERSIZE ? oversize : slab.sizeClass;
    }

    /** Called after a slot of the slab has returned or was retired: moves the slab to its new row, or ends it. */
    private void placeOrEnd(Slab slab) {
        boolean ends = slab.isCondemned() || slab.chosenIn > 0 && dropsChosen;
        if (ends && slab.slotsOut() == 0) {
            end(slab);
        } else {
            rows.place(slab);
        }
    }

    private void end(Slab slab) {
        remove(slab);
        slab.region.isReusable &= slab.retired() == 0;
        drop(slab.region);
    }

    private void remove(Slab slab) {
        slab.place.leave();
        slab.link.leave();
        count(slab, -1);
        slab.dissolve();
    }
}

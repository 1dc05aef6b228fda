// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.slab;

import dev.buffers.internal.failsafe.IntrusiveList;
import dev.buffers.internal.memory.Region;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A region that is cut into equal slots of one size class (Bonwick's slab, USENIX 1994). One region is one slab.
 *
 * <p>The lock of {@link SlabStore} guards everything mutable but {@code isCounted}.
 */
public final class Slab {
    /*
     *   region   | slot 0 | slot 1 |  ...  | slot n-1 | uncarved |
     *
     * A slot is in its slab when its bit in `free` is set: then no other list has it. Slots leave in the order of their addresses and
     * return in any order. Lost and discarded slots are retired: they never return, and their slab is condemned: it gives out no more
     * slots, and its region is dropped when every other slot has returned.
     *
     *   freeSlots + slotsOut() + retired = slots.length
     *
     * After a slot was revoked its memory is back in the slab, and the next thread that takes this memory gets a new object with a new
     * view, made at that time: the old one may still be listed elsewhere.
     *
     * A slab that was chosen for a waiter gives out no slots either, until it has come free or the waiter's turn has ended.
     *
     * The tick also reads `condemned`, `chosenIn` and `freeSlots` without the lock, to sort slabs; it reads them again under the lock
     * before it acts. A thread that has just returned a slot reads `dissolved` without it: a hint.
     */
    private static final long HELD = -1;

    final SlotOwner pool;
    public final Region region;
    public final int sizeClass;
    final int slotSize;

    private final @Nullable Slot[] slots;
    private final BitSet free;
    private int freeSlots;
    private int retired;

    /** Its place in the list of all slabs. */
    final IntrusiveList.Link<Slab> link = new IntrusiveList.Link<>(this);

    /** Its place in the lists of its class. Used by {@link SlabLists}. */
    final IntrusiveList.Link<Slab> place = new IntrusiveList.Link<>(this);

    private boolean condemned;
    private boolean dissolved;

    /** In which round of a waiter's turn it was chosen to be emptied; 0 when it was not. Used by {@link SlabStore}. */
    int chosenIn;

    /** The last time, as {@link SlabStore} counts, that it was chosen and did not come free; 0 for never. */
    long failedAt;

    /** Whether an acquire has been counted as the one that this slab was cut for. */
    private final AtomicBoolean isCounted = new AtomicBoolean();

    /** How often a slot has left. */
    private long moves;

    /** Shows whether anything has happened: the sum of {@link #moves} and of the states of the slots that are out. */
    private long sum = HELD;

    private long idleSince;
    private int lastHeld;

    /** Cuts {@code region} into as many slots of {@code slotSize} as fit; all of them are free and in the slab. */
    public Slab(SlotOwner pool, Region region, int sizeClass, int slotSize) {
        this.pool = pool;
        this.region = region;
        this.sizeClass = sizeClass;
        this.slotSize = slotSize;
        this.slots = new Slot[region.slots(slotSize)];
        for (int i = 0; i < slots.length; i++) {
            slots[i] = cut(i);
        }
        this.free = new BitSet(slots.length);
        free.set(0, slots.length);
        this.freeSlots = slots.length;
    }

    /** True once: then the caller counts its acquire as the one that the slab was cut for ({@code CARVED}). */
    public boolean countCut() {
        return !isCounted.get() && !isCounted.getAndSet(true);
    }

    private Slot cut(int index) {
        return new Slot(this, index, region.slot(index, slotSize), pool.lost);
    }

    /** Takes the free slot with the lowest address. Null when there is none, or when there is no heap for a new slot object. */
    @Nullable Slot take() {
        int index = free.nextSetBit(0);
        if (index < 0) {
            return null;
        }
        Slot slot = slots[index];
        if (slot == null) {
            try {
                slot = cut(index);
            } catch (OutOfMemoryError e) {
                return null;
            }
            slots[index] = slot;
        }
        free.clear(index);
        freeSlots--;
        moves++;
        return slot;
    }

    /** Returns a slot to the slab. False when it was there already, or was revoked or retired. */
    boolean giveBack(Slot slot) {
        if (slots[slot.index] != slot || free.get(slot.index)) {
            return false;
        }
        slot.trace = null;
        free.set(slot.index);
        freeSlots++;
        sum -= sum == HELD ? 0 : slot.stateVolatile(); // a tenancy since the last look has changed it
        return true;
    }

    /** Takes the memory of a slot that is out and free back into the slab. False when the slot is not free, or not out. */
    boolean revoke(Slot slot) {
        long state = slot.stateVolatile();
        if (slots[slot.index] != slot || free.get(slot.index) || !slot.revoke()) {
            return false;
        }
        slots[slot.index] = null;
        free.set(slot.index);
        freeSlots++;
        sum -= sum == HELD ? 0 : state;
        slot.detach();
        return true;
    }

    /** Revokes every free slot that is out; returns how many. */
    int revokeAll() {
        if (slotsOut() == 0) {
            return 0;
        }
        int revoked = 0;
        for (Slot slot : slots) {
            if (slot != null && revoke(slot)) {
                revoked++;
            }
        }
        return revoked;
    }

    /** Revokes every free slot that is out, and drains those on lease: when their tenancies end, they return to the slab. */
    void empty() {
        for (Slot slot : slots) {
            if (slot != null && !free.get(slot.index) && !revoke(slot)) {
                slot.drain();
            }
        }
    }

    /** Retires a lost or discarded slot. False when it is in the slab, retired already, or revoked. */
    boolean retire(Slot slot) {
        if (slots[slot.index] != slot || free.get(slot.index)) {
            return false;
        }
        slots[slot.index] = null;
        retired++;
        return true;
    }

    /** The slots that are out (neither in the slab nor retired), in a new list. */
    List<Slot> out() {
        List<Slot> out = new ArrayList<>(slotsOut());
        for (Slot slot : slots) {
            if (slot != null && !free.get(slot.index)) {
                out.add(slot);
            }
        }
        return out;
    }

    int freeSlots() {
        return freeSlots;
    }

    public int retired() {
        return retired;
    }

    int slotsOut() {
        return slots.length - freeSlots - retired;
    }

    /** From now on the slab gives out no slots; it ends when no slot is out. */
    public void condemn() {
        condemned = true;
    }

    public boolean isCondemned() {
        return condemned;
    }

    /** Whether it gives out slots: it is neither condemned nor being emptied for a waiter. */
    boolean givesSlots() {
        return !condemned && chosenIn == 0;
    }

    /** Whether all its slots are free and in the slab. */
    public boolean isUnused() {
        return freeSlots == slots.length;
    }

    /** How many eighths of its slots are out, from 0 to 7; 0 when at most one slot in eight is out. */
    int eighthsOut() {
        return slotsOut() * 8 / (slots.length + 1);
    }

    /** Whether at most one slot in eight is in use. Reads the slots that are out. */
    boolean isSparse() {
        int used = 0;
        for (int i = free.nextClearBit(0); i < slots.length; i = free.nextClearBit(i + 1)) {
            used += isBusyAt(i) ? 8 : 0;
        }
        return used <= slots.length;
    }

    long carvedBytes() {
        return (long) slots.length * slotSize;
    }

    /** Whether this slab has ended: its region was cut anew or dropped. */
    public boolean isDissolved() {
        return dissolved;
    }

    /** Detaches every slot; none is out. So nothing that still holds a slot object reaches the region. */
    void dissolve() {
        dissolved = true;
        for (Slot slot : slots) {
            if (slot != null) {
                slot.detach();
            }
        }
        Arrays.fill(slots, null); // a slot in a sleeping thread's magazine keeps none of the others
    }

    /**
     * Since when, in {@link System#nanoTime} terms, no slot has left or been leased. Returns and revocations do not count. Each
     * call compares with the previous one, so call it regularly. Reads the slots that are out, beginning with the one that was held last
     * time, and stops at the first that is held.
     */
    long idleSince(long now) {
        long next = isBusyAt(lastHeld) ? HELD : moves;
        for (int i = free.nextClearBit(0); next != HELD && i < slots.length; i = free.nextClearBit(i + 1)) {
            Slot slot = slots[i];
            if (isBusyAt(i)) {
                lastHeld = i;
                next = HELD;
            } else if (slot != null) {
                next += slot.stateVolatile();
            }
        }
        if (next != sum || next == HELD) {
            sum = next;
            idleSince = now;
        }
        return idleSince;
    }

    private boolean isBusyAt(int index) {
        Slot slot = slots[index];
        return slot != null && !free.get(index) && !SlotState.isFree(slot.stateVolatile());
    }
}

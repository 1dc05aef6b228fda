package dev.buffers.internal.slab;

import dev.buffers.internal.failsafe.IntrusiveList;
import dev.buffers.internal.memory.Region;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A region as it is cut into equal slots of one size class (Bonwick's slab, USENIX 1994): one region is one slab.
 *
 * <p>Everything mutable is guarded by the lock of {@link SlabStore}.
 */
public final class Slab {
    /*
     *   region   | slot 0 | gap | slot 1 | gap |  ...  | slot n-1 | what is left |      gaps and what is left are uncarved
     *
     * A slot is at home when its bit is set here: then nobody but the slab has it. Slots leave in the order of their
     * addresses and come back in any order. Slots that were lost or discarded are `gone`: they never come home, and a slab
     * with such a slot is condemned: it gives out nothing more, and once every other slot is at home its region is dropped.
     *
     *   home + out + gone = slots
     *
     * With guard=on and heap memory, Canaries.BYTES bytes follow every slot that are nobody's, apart from the last where the
     * region ends.
     *
     * A slot that was revoked (Revocation) is at home as memory only: its old object, which may still lie in somebody's
     * magazine, is a revoked slot for ever, and whoever takes it from here gets a new object with a new view, made then.
     *
     * The tick reads `condemned` and `atHome` without the lock as well, to sort slabs: what it then does looks again under it.
     */
    private static final long HELD = -1;

    final SlotOwner pool;
    public final Region region;
    public final int sizeClass;
    final int slotSize;

    private final int gap;
    private final @Nullable Slot[] slots;
    private final BitSet free;
    private final BitSet retired;
    private int freeSlots;

    /** Its place among all slabs. */
    final IntrusiveList.Link<Slab> link = new IntrusiveList.Link<>(this);

    /** Its place among the slabs of its class. By {@link SlabLists}. */
    final IntrusiveList.Link<Slab> place = new IntrusiveList.Link<>(this);

    private boolean condemned;
    private boolean dissolved;

    /** How often a slot left or came home. */
    private long moves;

    /** What tells whether anything happened: the moves, and the states of the slots that are out. */
    private long sum = HELD;

    private long idleSince;
    private int lastHeld;

    /** Cuts {@code region} into as many slots of {@code slotSize} as fit; all of them are at home. */
    public Slab(SlotOwner pool, Region region, int sizeClass, int slotSize) {
        this.pool = pool;
        this.region = region;
        this.sizeClass = sizeClass;
        this.slotSize = slotSize;
        this.gap = pool.laysCanaries() ? Canaries.BYTES : 0;
        this.slots = new Slot[slotSize == 0 ? 1 : (region.bytes + gap) / (slotSize + gap)];
        for (int i = 0; i < slots.length; i++) {
            slots[i] = cut(i);
            if (gap > 0) {
                Canaries.lay(canaries(i));
            }
        }
        this.retired = new BitSet(slots.length);
        this.free = new BitSet(slots.length);
        free.set(0, slots.length);
        this.freeSlots = slots.length;
    }

    private Slot cut(int index) {
        return new Slot(this, index, region.view(index * (slotSize + gap), slotSize), pool.lost, pool.recyclesLeases());
    }

    /** The bytes behind a slot that nobody may write; none without guard. */
    public ByteBuffer canaries(int index) {
        int from = index * (slotSize + gap) + slotSize;
        return region.view(from, Math.min(gap, region.bytes - from));
    }

    /** The slot of the lowest address that is at home, which leaves. Null when there is none, or no heap to make its object. */
    public @Nullable Slot take() {
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

    /**
     * False when the slot was there already, or is no longer one of this slab's. {@code quietly}: nobody has used it, it was
     * only brought.
     */
    boolean giveBack(Slot slot, boolean quietly) {
        if (slots[slot.index] != slot || free.get(slot.index)) {
            return false;
        }
        markFree(slot);
        if (!quietly) {
            moves++;
        }
        return true;
    }

    private void markFree(Slot slot) {
        free.set(slot.index);
        freeSlots++;
        sum -= sum == HELD ? 0 : slot.stateVolatile();
    }

    /** A slot was revoked: its memory is at home, its object is nobody's. */
    void revoked(Slot slot) {
        if (slots[slot.index] == slot && !retired.get(slot.index)) {
            slots[slot.index] = null;
            if (!free.get(slot.index)) {
                markFree(slot);
            }
        }
    }

    /** One slot will never come home: it was lost or discarded. False when it is at home, or no longer one of this slab's. */
    boolean retire(Slot slot) {
        if (slots[slot.index] != slot || free.get(slot.index) || retired.get(slot.index)) {
            return false;
        }
        retired.set(slot.index);
        return true;
    }

    /** Whether a slot is one of this slab's and may still be used. */
    boolean has(Slot slot) {
        return !dissolved && slots[slot.index] == slot && !retired.get(slot.index);
    }

    /** Hands every slot that is neither at home nor gone to {@code each}. */
    void eachOut(Consumer<Slot> each) {
        for (int i = 0; i < slots.length; i++) {
            Slot slot = slots[i];
            if (slot != null && !free.get(i) && !retired.get(i)) {
                each.accept(slot);
            }
        }
    }

    /**
     * Whether every slot that is neither at home nor gone is on lease. Those without a view are just released, or lost, and count only if
     * they are {@code awaited}.
     */
    boolean isLeasedOut(boolean awaited) {
        boolean leased = true;
        for (int i = 0; i < slots.length; i++) {
            Slot slot = slots[i];
            if (slot != null && !free.get(i) && !retired.get(i)) {
                leased &= SlotState.isHeld(slot.stateVolatile()) || !awaited && slot.viewVolatile() == null;
            }
        }
        return leased;
    }

    int freeSlots() {
        return freeSlots;
    }

    public int retired() {
        return retired.cardinality();
    }

    int slotsOut() {
        return slots.length - freeSlots - retired();
    }

    /** From now on the slab gives out nothing, and ends once it is settled. */
    public void condemn() {
        condemned = true;
    }

    public boolean isCondemned() {
        return condemned;
    }

    /** Whether nobody but the slab has any of its slots. */
    public boolean isUnused() {
        return freeSlots == slots.length;
    }

    /** Whether no slot can still come home. */
    boolean hasNoneOut() {
        return slotsOut() == 0;
    }

    /** How full of leases the slab is, in eighths: 0 when it has one slot in eight out, or none. */
    int eighthsOut() {
        return slotsOut() * 8 / (slots.length + 1);
    }

    long carvedBytes() {
        return (long) slots.length * slotSize;
    }

    long uncarvedBytes() {
        return region.bytes - carvedBytes();
    }

    long retiredBytes() {
        return (long) retired() * slotSize;
    }

    /** Whether this slab has ended: its region was cut anew or dropped. */
    public boolean isDissolved() {
        return dissolved;
    }

    /** Makes every slot at home a revoked slot, so that nothing which still holds a slot object reaches the region. */
    void dissolve() {
        dissolved = true;
        for (int i = free.nextSetBit(0); i >= 0; i = free.nextSetBit(i + 1)) {
            Slot slot = slots[i];
            if (slot != null) {
                slot.detach();
            }
        }
    }

    /**
     * Since when, in {@link System#nanoTime} terms, no slot has come, gone or been leased, apart from being revoked or brought; to be
     * asked again and again. Looks at the slots that are out, but stops at the first that is held, and begins with the one
     * that was last time.
     */
    long idleSince(long now) {
        long next = isHeldAt(lastHeld) ? HELD : moves;
        for (int i = free.nextClearBit(0); next != HELD && i < slots.length; i = free.nextClearBit(i + 1)) {
            Slot slot = slots[i];
            if (isHeldAt(i)) {
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

    private boolean isHeldAt(int index) {
        Slot slot = slots[index];
        return slot != null && SlotState.isHeld(slot.stateVolatile());
    }
}

package dev.buffers;

import java.lang.ref.ReferenceQueue;
import java.nio.ByteBuffer;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * A region as it is cut into equal slots of one size class (Bonwick's slab, USENIX 1994): one region is one slab.
 *
 * <p>Everything mutable is guarded by the lock of {@link Slabs}.
 */
final class Slab {
    /*
     * A slot is at home when its bit is set here: then nobody but the slab has it. Slots leave in the order of their
     * addresses and come back in any order. Slots that were lost or discarded are `gone`: they never come home, and a slab
     * with such a slot is condemned: it gives out nothing more, and once every other slot is at home its region is dropped.
     *
     *   home + out + gone = slots
     */
    final SlabPool pool;
    final Region region;
    final int sizeClass;
    final int slotSize;
    final Slot[] slots;

    private final BitSet home;
    private final BitSet gone = new BitSet();
    private int atHome;

    /** Which list of {@link Slabs} this slab stands in, and its neighbours there. */
    Slabs.@Nullable Row row;

    @Nullable Slab previous;

    @Nullable Slab next;

    private boolean condemned;
    private boolean emptied;

    /** Cuts {@code region} into as many slots of {@code slotSize} as fit; all of them are at home. */
    Slab(
            SlabPool pool,
            Region region,
            int sizeClass,
            int slotSize,
            ReferenceQueue<? super ByteBuffer> lost,
            boolean recycled) {
        this.pool = pool;
        this.region = region;
        this.sizeClass = sizeClass;
        this.slotSize = slotSize;
        this.slots = new Slot[slotSize == 0 ? 1 : region.bytes / slotSize];
        for (int i = 0; i < slots.length; i++) {
            slots[i] = new Slot(this, i, region.view(i * slotSize, slotSize), lost, recycled);
        }
        this.home = new BitSet(slots.length);
        home.set(0, slots.length);
        this.atHome = slots.length;
    }

    /** The slot of the lowest address that is at home, which leaves. */
    @Nullable Slot take() {
        int index = home.nextSetBit(0);
        if (index < 0) {
            return null;
        }
        home.clear(index);
        atHome--;
        return slots[index];
    }

    /** False when the slot was there already. */
    boolean comeHome(Slot slot) {
        if (home.get(slot.index)) {
            return false;
        }
        home.set(slot.index);
        atHome++;
        return true;
    }

    /** One slot will never come home: it was lost or discarded. */
    void lose(Slot slot) {
        if (!home.get(slot.index)) { // else it was taken back meanwhile
            gone.set(slot.index);
        }
    }

    /** Whether a slot is free, on its way, and its view not yet back in it: somebody is just releasing it. */
    boolean isOnItsWay(Slot slot) {
        return !home.get(slot.index)
                && !gone.get(slot.index)
                && !Slot.isHeld(slot.stateVolatile())
                && slot.viewVolatile() == null;
    }

    int atHome() {
        return atHome;
    }

    int gone() {
        return gone.cardinality();
    }

    /** From now on the slab gives out nothing, and ends once it is settled. */
    void condemn() {
        condemned = true;
    }

    boolean isCondemned() {
        return condemned;
    }

    /** Whether nobody but the slab has any of its slots. */
    boolean isWhole() {
        return atHome == slots.length;
    }

    /** Whether no slot can still come home. */
    boolean isSettled() {
        return atHome + gone() == slots.length;
    }

    /** How full of leases the slab is, in eighths: 0 when it has one slot in eight out, or none. */
    int eighthsOut() {
        return (slots.length - atHome - gone()) * 8 / (slots.length + 1);
    }

    long carvedBytes() {
        return (long) slots.length * slotSize;
    }

    long uncarvedBytes() {
        return region.bytes - carvedBytes();
    }

    long goneBytes() {
        return (long) gone() * slotSize;
    }

    /** Whether this slab has ended: its region was cut anew or dropped. */
    boolean isEmptied() {
        return emptied;
    }

    /** Makes every slot at home a husk, so that nothing which still holds a slot object reaches the region. */
    void empty() {
        emptied = true;
        for (int i = home.nextSetBit(0); i >= 0; i = home.nextSetBit(i + 1)) {
            slots[i].forget();
        }
    }
}

package dev.buffers.internal.monitor;

import dev.buffers.internal.slab.SlabStore;
import dev.buffers.internal.slab.Slot;
import dev.buffers.internal.slab.SlotOwner;
import dev.buffers.internal.slab.SlotState;
import java.lang.ref.Reference;
import org.jspecify.annotations.Nullable;

/**
 * Takes from the collector the slots whose views no lease holds any more, though the slots were not given back.
 *
 * <p>Any thread.
 */
public final class LostLeases {
    private final SlotOwner pool;
    private final SlabStore slabs;
    private final LeakTracker leaks;
    private final @Nullable Guard guard;

    public LostLeases(SlotOwner pool, SlabStore slabs, LeakTracker leaks, @Nullable Guard guard) {
        this.pool = pool;
        this.slabs = slabs;
        this.leaks = leaks;
        this.guard = guard;
    }

    /** Retires the slots of all leases that were lost since the last time; false when there were none. */
    public boolean collect() {
        boolean any = false;
        for (Reference<?> found = pool.lost.poll(); found != null; found = pool.lost.poll()) {
            Slot slot = found instanceof Guard.LentReference lent ? lent.slot : (Slot) found;
            long state = slot.stateVolatile();
            boolean isOver =
                    found instanceof Guard.LentReference lent && !(SlotState.isHeld(state) && lent.isOf(state));
            // Held: its lease was forgotten, or never made. Free and not in its slab: its release failed (Slot, S4).
            if (!isOver && slot.viewVolatile() == null && slabs.retire(slot)) {
                pool.counters.leaked(slot.sizeClass());
                slot.clear(); // with guard, the lent view and the slot's own are found one after the other
                any = true;
                leaks.lost(slot, state);
                if (guard != null) {
                    guard.lost(slot);
                }
                slot.trace = null;
            }
        }
        return any;
    }
}

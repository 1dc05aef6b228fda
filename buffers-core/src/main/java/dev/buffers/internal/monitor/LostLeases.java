package dev.buffers.internal.monitor;

import dev.buffers.internal.slab.SlabStore;
import dev.buffers.internal.slab.Slot;
import dev.buffers.internal.slab.SlotOwner;
import dev.buffers.internal.slab.SlotState;
import java.lang.ref.Reference;
import org.jspecify.annotations.Nullable;

/**
 * Hears from the collector which views no lease holds any more, though their slots were not given back.
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
            // Held: the lease was forgotten, or never made. Free and not in its slab: its release came to no end (Slot,
            // S4).
            if (!isOver && slot.viewVolatile() == null && slabs.retire(slot)) {
                pool.counters.leaked(slot.sizeClass());
                slot.clear(); // with guard, what is lent and the slot's own view go one after the other
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

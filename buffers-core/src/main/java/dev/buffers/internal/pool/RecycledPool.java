package dev.buffers.internal.pool;

import dev.buffers.LeakReport;
import dev.buffers.PoolSettings;
import dev.buffers.internal.cache.Magazine;
import dev.buffers.internal.slab.Lease;
import dev.buffers.internal.slab.Slot;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A pool with {@code leases=recycled}: each slot has one lease object, which all its tenancies use.
 *
 * <p>Any thread. A class of its own because of rule L1 of {@link SlabPool}.
 */
final class RecycledPool extends SlabPool {

    RecycledPool(PoolSettings settings, @Nullable Consumer<LeakReport> onLeak) {
        super(settings, onLeak);
    }

    @Override
    Lease make(Slot slot, long stamp, ByteBuffer view, @Nullable Magazine home) {
        return slot.recycled().reopen(stamp, view, home);
    }
}

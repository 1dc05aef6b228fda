package dev.buffers;

import java.util.List;
import java.util.Set;

/**
 * Where and when a lease was acquired, kept for those leases that {@code leaks} or {@code guard} say.
 *
 * <p>Immutable, so that whoever finds it in a slot, in whatever race, reads it whole.
 */
class AcquireTrace {
    /** Whose frames say nothing to whoever reads a stack. */
    private static final Set<String> OURS = Set.of(
            AcquireTrace.class.getName(),
            LeakTracker.class.getName(),
            Guard.class.getName(),
            Guard.Tenancy.class.getName(),
            SlabPool.class.getName(),
            SpecialPool.class.getName());

    /** The state with which its tenancy began: what tells whether it is of the slot's present tenancy. */
    final long stamp;

    /** The bytes asked for. */
    final int size;

    final long nanoTime = System.nanoTime();
    final String thread = Thread.currentThread().getName();
    final Throwable acquired;

    AcquireTrace(long stamp, int size) {
        this.stamp = stamp;
        this.size = size;
        this.acquired = new Throwable("acquired here, by thread " + thread);
    }

    /** Where that was, from the pool's caller on. */
    List<StackTraceElement> stack() {
        List<StackTraceElement> all = List.of(acquired.getStackTrace());
        int ours = 0;
        while (ours < all.size() && OURS.contains(all.get(ours).getClassName())) {
            ours++;
        }
        return all.subList(ours, all.size());
    }

    /** Whether a slot in this state is still in the tenancy that this is about. */
    boolean isOf(long state) {
        return Slot.sameTenancy(stamp, state);
    }
}

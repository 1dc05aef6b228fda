package dev.buffers.internal.slab;

import java.util.List;

/**
 * Where and when a lease was acquired; kept for those leases that the settings {@code leaks} and {@code guard} select.
 *
 * <p>Immutable, so any thread that finds it in a slot, in whatever race, reads it completely.
 */
public class AcquireTrace {
    /** The package prefix of our own classes; their frames tell nothing to the reader of a stack. */
    private static final String OURS = "dev.buffers.internal.";

    /** The state with which its tenancy began; shows whether this trace belongs to the slot's present tenancy. */
    final long stamp;

    /** The bytes asked for. */
    public final int size;

    public final long nanoTime = System.nanoTime();
    public final String thread = Thread.currentThread().getName();
    public final Throwable acquired;

    public AcquireTrace(long stamp, int size) {
        this.stamp = stamp;
        this.size = size;
        this.acquired = new Throwable("acquired here, by thread " + thread);
    }

    /** The stack of the acquire, beginning with the pool's caller. */
    public List<StackTraceElement> stack() {
        List<StackTraceElement> all = List.of(acquired.getStackTrace());
        int ours = 0;
        while (ours < all.size() && all.get(ours).getClassName().startsWith(OURS)) {
            ours++;
        }
        return all.subList(ours, all.size());
    }

    /** Whether a slot in this state is still in the tenancy of this trace. */
    public boolean isOf(long state) {
        return SlotState.sameTenancy(stamp, state);
    }
}

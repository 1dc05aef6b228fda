package dev.buffers.internal.slab;

import java.util.List;

/**
 * Where and when a lease was acquired, kept for those leases that {@code leaks} or {@code guard} say.
 *
 * <p>Immutable, so that whoever finds it in a slot, in whatever race, reads it whole.
 */
public class AcquireTrace {
    /** What the names of our own classes start with; their frames say nothing to the reader of a stack. */
    private static final String OURS = "dev.buffers.internal.";

    /** The state with which its tenancy began: what tells whether it is of the slot's present tenancy. */
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

    /** Where that was, from the pool's caller on. */
    public List<StackTraceElement> stack() {
        List<StackTraceElement> all = List.of(acquired.getStackTrace());
        int ours = 0;
        while (ours < all.size() && all.get(ours).getClassName().startsWith(OURS)) {
            ours++;
        }
        return all.subList(ours, all.size());
    }

    /** Whether a slot in this state is still in the tenancy that this is about. */
    public boolean isOf(long state) {
        return SlotState.sameTenancy(stamp, state);
    }
}

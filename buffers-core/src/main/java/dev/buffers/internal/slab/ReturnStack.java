package dev.buffers.internal.slab;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Where the slots of one connection's leases come back to. A slot on lease refers to this, and this reaches nothing but free
 * slots: a connection that its user drops, with its read buffer in it, is reachable from no slot.
 *
 * <p>{@link #push} by any thread, all else by the thread that has the channel. No lock, no allocation.
 */
public final class ReturnStack {
    /*
     *   the channel's thread                 any thread
     *   all of it  <-- takeAll --  head  <-- push -- release of a lease that came from here
     *
     * The lane is a stack through the slots' `next`, at most MOST deep, pushed by compare-and-set and taken whole, so that
     * no slot leaves it while another is pushed upon it. CLOSED in its place turns releases away. Only the channel's
     * thread replaces CLOSED, so it needs no compare-and-set for that.
     *
     *   field   written by       mode                                       read by               mode
     *   head    releasers        compareAndSet (publishes next, the view)   releasers             acquire
     *           channel's thread getAndSet, release                         channel's thread      acquire, getAndSet
     */
    private static final int MOST = 4;
    private static final Object CLOSED = new Object();
    private static final VarHandle HEAD;

    static {
        try {
            HEAD = MethodHandles.lookup().findVarHandle(ReturnStack.class, "head", Object.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("unused") // through HEAD
    private @Nullable Object head = CLOSED;

    /** Takes a free slot in; false when it cannot stay. */
    public boolean push(Slot slot) {
        for (; ; ) {
            Object present = HEAD.getAcquire(this);
            if (present == CLOSED || depth((Slot) present) >= MOST) {
                return false;
            }
            slot.next = (Slot) present;
            if (HEAD.compareAndSet(this, present, (Object) slot)) {
                return true;
            }
        }
    }

    /** An estimate when the lane is taken meanwhile; the compare-and-set that follows fails then. */
    private static int depth(@Nullable Slot first) {
        int depth = 0;
        for (Slot slot = first; slot != null && depth < MOST; slot = slot.next) {
            depth++;
        }
        return depth;
    }

    /** All that came back, linked by `next`; null when nothing did. */
    public @Nullable Slot takeAll() {
        Object present = HEAD.getAcquire(this);
        return present == null || present == CLOSED ? null : (Slot) HEAD.getAndSet(this, (Object) null);
    }

    /** From now on releases may come back. */
    public void open() {
        if (HEAD.getAcquire(this) == CLOSED) {
            HEAD.setRelease(this, (Object) null);
        }
    }

    /** From now on releases are turned away; gives all that came back, linked by `next`. */
    public @Nullable Slot close() {
        Object returned = HEAD.getAndSet(this, CLOSED);
        return returned == CLOSED ? null : (Slot) returned;
    }
}

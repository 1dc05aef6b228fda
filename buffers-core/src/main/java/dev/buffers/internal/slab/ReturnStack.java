// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.slab;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The stack to which the slots of one connection's leases return. A leased slot refers to this stack, and the stack reaches only free
 * slots. So a connection that its user drops, with its read buffer in it, is reachable from no slot.
 *
 * <p>Any thread may call {@link #push}; only the thread that has the channel calls the other methods. No lock, no allocation.
 */
public final class ReturnStack {
    /*
     *   the channel's thread                 any thread
     *   all of it  <-- takeAll --  head  <-- push -- release of a lease that came from here
     *
     * At most DEPTH slots are linked through their field `next`. They are taken all at once, so no slot leaves the stack while another one
     * is pushed on it. When `head` is CLOSED, releases are refused. Only the channel's thread replaces CLOSED, so it needs no
     * compare-and-set for that.
     *
     *   field   written by        mode                                       read by               mode
     *   head    releasers         compareAndSet (publishes next, the view)   releasers             acquire
     *           channel's thread  getAndSet, release                         channel's thread      acquire, getAndSet
     */
    /** How many released slots wait for their channel: a request and its answer, and as much again for the next pair. */
    private static final int DEPTH = 4;

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

    /** Pushes a free slot; false when the stack is full or closed. */
    public boolean push(Slot slot) {
        for (; ; ) {
            Object present = HEAD.getAcquire(this);
            if (present == CLOSED || depth((Slot) present) >= DEPTH) {
                slot.next = null;
                return false;
            }
            slot.next = (Slot) present;
            if (HEAD.compareAndSet(this, present, (Object) slot)) {
                return true;
            }
        }
    }

    /** How many, up to DEPTH. Wrong if the stack is taken in the meantime: then the slot goes elsewhere, or the compare-and-set fails. */
    private static int depth(@Nullable Slot first) {
        int depth = 0;
        for (Slot slot = first; slot != null && depth < DEPTH; slot = slot.next) {
            depth++;
        }
        return depth;
    }

    /** Takes all slots, linked by `next`; null when there are none. */
    public @Nullable Slot takeAll() {
        Object present = HEAD.getAcquire(this);
        return present == null || present == CLOSED ? null : (Slot) HEAD.getAndSet(this, (Object) null);
    }

    public void open() {
        if (HEAD.getAcquire(this) == CLOSED) {
            HEAD.setRelease(this, (Object) null);
        }
    }

    /** Refuses releases from now on, and takes all slots, linked by `next`; null when there are none. */
    public @Nullable Slot close() {
        Object returned = HEAD.getAndSet(this, CLOSED);
        return returned == CLOSED ? null : (Slot) returned;
    }
}

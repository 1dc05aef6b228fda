package dev.buffers.io;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Who is inside a stream: one call at a time, and after a close nobody.
 *
 * <p>Any thread. Entering and leaving cost a compare-and-set each; nothing here blocks.
 */
final class Turnstile {
    /*
     *            enter                close
     *   FREE <----------> BUSY      FREE -----> CLOSING ----- ended -----> CLOSED
     *            leave                            ^  |                       ^
     *                               BUSY ---------+  +-------- leave --------+
     *                                     close
     *
     * T1  What the stream holds is touched only by whoever is inside: between enter and leave, or, having closed a free
     *     one, between close and ended. Each gives way to the next by a volatile access, so that it is plain memory.
     * T2  A close that finds a call inside leaves the holdings to that call, whose leave says so. So the memory of an I/O
     *     that is blocked in one thread is never released by another.
     */
    private static final int FREE = 0;
    private static final int BUSY = 1;
    private static final int CLOSING = 2;
    private static final int CLOSED = 3;
    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Turnstile.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile int state;

    /**
     * Lets one call in.
     *
     * @throws IOException after a close
     * @throws IllegalStateException when another call is inside
     */
    void enter() throws IOException {
        if (!STATE.compareAndSet(this, FREE, BUSY)) {
            if (state >= CLOSING) {
                throw new IOException("stream is closed");
            }
            throw new IllegalStateException("stream is in use by another call: it takes one at a time");
        }
    }

    /** False when a close came meanwhile: what the stream holds is then for this call to end. */
    boolean leave() {
        if (STATE.compareAndSet(this, BUSY, FREE)) {
            return true;
        }
        state = CLOSED;
        return false;
    }

    /** Shuts others out. True when nobody is inside: the caller ends what the stream holds, and says {@link #ended}. */
    boolean close() {
        while (state < CLOSING) {
            if (STATE.compareAndSet(this, FREE, CLOSING)) {
                return true;
            }
            STATE.compareAndSet(this, BUSY, CLOSING);
        }
        return false;
    }

    void ended() {
        state = CLOSED;
    }

    /** Whether what was held has been ended. */
    boolean isClosed() {
        return state == CLOSED;
    }
}

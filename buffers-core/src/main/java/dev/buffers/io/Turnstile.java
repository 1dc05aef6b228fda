package dev.buffers.io;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Lets one call at a time into a stream, and none after a close.
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
     * T1  Only the call that is inside touches what the stream holds: between enter and leave, or, for a close of a free stream, between
     *     close and ended. A volatile access orders each such call before the next, so that what the stream holds is plain memory.
     * T2  A close that finds a call inside leaves what the stream holds to that call, whose leave returns false. So a thread never releases
     *     the memory of an I/O that is blocked in another thread.
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

    /** False when a close came meanwhile: this call must then end what the stream holds. */
    boolean leave() {
        if (STATE.compareAndSet(this, BUSY, FREE)) {
            return true;
        }
        state = CLOSED;
        return false;
    }

    /** Keeps later calls out. True when no call is inside: the caller ends what the stream holds, and calls {@link #ended}. */
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

    /** Whether a close has ended what the stream held. */
    boolean isClosed() {
        return state == CLOSED;
    }
}

package dev.buffers.grizzly;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.glassfish.grizzly.Buffer;
import org.glassfish.grizzly.memory.ByteBufferWrapper;
import org.jspecify.annotations.Nullable;

/**
 * A buffer on a lease, alone or with others: {@code split}, {@code slice}, {@code duplicate} and {@code asReadOnlyBuffer} make further
 * ones, each of which ends on its own, and the memory goes back when all have.
 *
 * <p>As thread-safe as a {@code ByteBuffer}, but for {@link #dispose}, which takes effect once, whatever threads call it.
 */
final class GrizzlyBuffer extends ByteBufferWrapper {
    private static final VarHandle HOLD;

    static {
        try {
            HOLD = MethodHandles.lookup().findVarHandle(GrizzlyBuffer.class, "hold", SharedLease.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private @Nullable SharedLease hold;

    /** {@code hold} has counted it. */
    GrizzlyBuffer(ByteBuffer memory, SharedLease hold) {
        super(memory);
        this.hold = hold;
        // As with Grizzly's own pool: some of its code never says so of buffers that nobody else will dispose of
        // (GZipEncoder.deflate).
        this.allowBufferDispose = true;
    }

    @Override
    protected ByteBufferWrapper wrapByteBuffer(ByteBuffer part) {
        SharedLease mine = hold;
        if (mine == null || !mine.join()) {
            throw disposed();
        }
        return new GrizzlyBuffer(part, mine);
    }

    @Override
    public void dispose() {
        SharedLease mine = (SharedLease) HOLD.getAndSet(this, (SharedLease) null);
        if (mine == null) {
            throw disposed();
        }
        if (DEBUG_MODE) { // but for the 0xff, which others on the same memory would see; the pool's guard does that
            disposeStackTrace = new Exception("GrizzlyBuffer was disposed from: ");
        }
        visible = null;
        mine.leave();
    }

    /** For the add-ons, by the thread that has the buffer. */
    static void disposeIfOpen(@Nullable Buffer buffer) {
        if (buffer instanceof GrizzlyBuffer ours && ours.hold != null) {
            ours.tryDispose();
        }
    }

    private IllegalStateException disposed() {
        return new IllegalStateException("BufferWrapper has already been disposed", disposeStackTrace);
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
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

    /** Filled with single values. */
    private boolean values;

    /** Also filled in another way, or trimmed, or a part of another buffer: such a buffer is never filled again. */
    private boolean message;

    /** {@code hold} has counted it. */
    GrizzlyBuffer(ByteBuffer memory, SharedLease hold) {
        super(memory);
        this.hold = hold;
        // As in Grizzly's own pool: some of its code never sets this for buffers that no other code disposes of
        // (GZipEncoder.deflate).
        this.allowBufferDispose = true;
    }

    @Override
    protected ByteBufferWrapper wrapByteBuffer(ByteBuffer part) {
        SharedLease mine = hold;
        if (mine == null || !mine.join()) {
            throw disposed();
        }
        GrizzlyBuffer buffer = new GrizzlyBuffer(part, mine);
        buffer.message = true;
        return buffer;
    }

    /**
     * Called by a transport that has written this buffer. {@code BufferedOutput} goes on filling a buffer after its write: with single
     * values, and it never trims such a buffer.
     */
    @Override
    public boolean release() {
        return (message || !values) && super.release();
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

    @Override
    public ByteBufferWrapper put(byte value) {
        values = true;
        return super.put(value);
    }

    @Override
    public ByteBufferWrapper putChar(char value) {
        values = true;
        return super.putChar(value);
    }

    @Override
    public ByteBufferWrapper putShort(short value) {
        values = true;
        return super.putShort(value);
    }

    @Override
    public ByteBufferWrapper putInt(int value) {
        values = true;
        return super.putInt(value);
    }

    @Override
    public ByteBufferWrapper putLong(long value) {
        values = true;
        return super.putLong(value);
    }

    @Override
    public ByteBufferWrapper put(Buffer source, int position, int length) {
        message = true;
        return super.put(source, position, length);
    }

    @Override
    public Buffer put(ByteBuffer source) {
        message = true;
        return super.put(source);
    }

    @Override
    public Buffer put(ByteBuffer source, int position, int length) {
        message = true;
        return super.put(source, position, length);
    }

    @Override
    public ByteBufferWrapper put(byte[] source, int offset, int length) {
        message = true;
        return super.put(source, offset, length);
    }

    /** Also moves a message that is small for its slot to a slot that fits: a decrypted request may wait as long as its connection. */
    @Override
    public void trim() {
        message = true;
        super.trim();
        SharedLease mine = hold;
        if (mine == null) {
            return;
        }
        SharedLease smaller = mine.smaller(visible.limit());
        if (smaller == null) {
            return;
        }
        visible = smaller.memory().order(visible.order()).put(visible).flip();
        if (HOLD.compareAndSet(this, mine, smaller)) {
            mine.leave();
        } else { // another thread has disposed of it
            visible = null;
            smaller.leave();
        }
    }

    private IllegalStateException disposed() {
        return new IllegalStateException("BufferWrapper has already been disposed", disposeStackTrace);
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.guard;

import dev.buffers.PooledBuffer;
import dev.buffers.internal.failsafe.StackProbe;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A lease of a {@link GuardedPool}. Any thread. */
final class GuardedBuffer extends PooledBuffer {
    final Tenancy tenancy;
    private volatile @Nullable ByteBuffer view;

    /** The view that was lent first: null once this lease has ended. Held so that the tenancy is lost with its last lease only. */
    private final AtomicReference<@Nullable ByteBuffer> lent;

    /** Where this lease was released; null before that, and when there was no heap to say it. */
    private volatile @Nullable Throwable released;

    GuardedBuffer(Tenancy tenancy, ByteBuffer view, ByteBuffer lent) {
        this.tenancy = tenancy;
        this.view = view;
        this.lent = new AtomicReference<>(lent);
    }

    @Override
    public ByteBuffer buffer() {
        ByteBuffer mine = view;
        if (mine == null) {
            throw ended(false);
        }
        return mine;
    }

    @Override
    public int capacity() {
        return buffer().capacity();
    }

    @Override
    public PooledBuffer retain() {
        ByteBuffer mine = buffer();
        return further(
                mine.duplicate().clear().limit(mine.limit()).position(mine.position())); // clear() drops the mark
    }

    @Override
    public PooledBuffer slice(int index, int length) {
        ByteBuffer mine = buffer();
        if (index < 0 || length < 0 || index > mine.capacity() - length) {
            throw new IndexOutOfBoundsException("slice outside the buffer: index=" + index + ", length=" + length
                    + ", capacity=" + mine.capacity());
        }
        return further(mine.duplicate().clear().slice(index, length));
    }

    private PooledBuffer further(ByteBuffer its) {
        ByteBuffer first = lent.get();
        GuardedBuffer lease = first == null ? null : new GuardedBuffer(tenancy, its, first);
        if (lease == null || !tenancy.hold()) {
            throw ended(false);
        }
        return lease;
    }

    @Override
    public boolean release() {
        return end(false, true);
    }

    @Override
    public void close() {
        end(false, false);
    }

    @Override
    public void discard() {
        end(true, true);
    }

    private boolean end(boolean discard, boolean insists) {
        StackProbe.check();
        ByteBuffer first = lent.getAndSet(null);
        if (first == null) {
            if (insists) {
                throw ended(true);
            }
            return false;
        }
        view = null;
        try {
            released = new Throwable(
                    "released here, by thread " + Thread.currentThread().getName());
        } catch (OutOfMemoryError e) {
            // The error of a second release does not show it.
        }
        try {
            return tenancy.drop(discard, released);
        } finally {
            Reference.reachabilityFence(first); // the tenancy is not lost before its memory is back
        }
    }

    @Override
    public PooledBuffer touch(Object hint) {
        if (view != null) {
            try {
                tenancy.trace.touch(hint);
            } catch (OutOfMemoryError e) {
                // The hint is lost.
            }
        }
        return this;
    }

    @Override
    public boolean isOpen() {
        return view != null;
    }

    private IllegalStateException ended(boolean release) {
        return tenancy.owner.ended(tenancy, release, released);
    }

    @Override
    public String toString() {
        return isOpen()
                ? "PooledBuffer[pool=" + tenancy.owner.name() + ", capacity=" + tenancy.capacity + "]"
                : "PooledBuffer[ended]";
    }
}

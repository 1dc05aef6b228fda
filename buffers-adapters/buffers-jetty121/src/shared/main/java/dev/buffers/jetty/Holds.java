// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.jetty;

import dev.buffers.PooledBuffer;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * Counts the holders of a buffer, with the answers and exceptions of Jetty's {@code ReferenceCounter}. The count is a field of the buffer:
 * a separate counter would be two more objects for each acquire. So is the mark REMOVED, which says that the memory must not be used again.
 *
 * <p>Any thread.
 *
 * @param <T> the buffer
 */
final class Holds<T> {
    private static final int REMOVED = 1 << 30;

    private final AtomicIntegerFieldUpdater<T> field;

    /** The count is in this field, which begins with 1. */
    Holds(AtomicIntegerFieldUpdater<T> field) {
        this.field = field;
    }

    /** How many hold the buffer. */
    int count(T of) {
        return count(field.get(of));
    }

    private static int count(int holds) {
        return holds & ~REMOVED;
    }

    void retain(T of) {
        if (count(field.getAndUpdate(of, n -> count(n) == 0 ? n : n + 1)) == 0) {
            throw new IllegalStateException("released " + of);
        }
    }

    /** Ends the lease with the last release, which returns true. */
    boolean release(T of, PooledBuffer lease) {
        int before = field.getAndUpdate(of, n -> count(n) == 0 ? n : n - 1);
        if (count(before) == 0) {
            throw new IllegalStateException("already released " + of);
        }
        if (before == 1) {
            lease.release();
        } else if (before == (REMOVED | 1)) {
            lease.discard();
        } else {
            return false;
        }
        return true;
    }

    /** Marks the memory as not to be used again. The caller has still to release it. */
    void remove(T of) {
        field.getAndUpdate(of, n -> count(n) == 0 ? n : n | REMOVED);
    }

    /** Refuses a buffer whose memory another holder may have by now. */
    void checkHeld(T of) {
        if (count(of) == 0) {
            throw new IllegalStateException("released " + of);
        }
    }
}

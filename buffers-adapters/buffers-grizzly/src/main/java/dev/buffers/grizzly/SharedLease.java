// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.grizzly;

import dev.buffers.PooledBuffer;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A lease and how many Grizzly buffers are on it; the last of them releases it. Any thread. */
final class SharedLease {
    /*
     * Not the lease's own `retain`, of which there are 32,767 at most: GZipEncoder keeps one buffer forever, gives a duplicate of it to
     * every answer, and never disposes of one. Hence also a long: an int would have wrapped within days.
     */
    private static final VarHandle HOLDERS;

    static {
        try {
            HOLDERS = MethodHandles.lookup().findVarHandle(SharedLease.class, "holders", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** The buffers of TLS are larger. What sockets are read into is not, and stays where it is. */
    private static final int MOST_TO_STAY = 16 * 1024;

    private final PooledBuffer lease;
    private final Memory origin;
    private volatile long holders = 1;

    SharedLease(PooledBuffer lease, Memory origin) {
        this.lease = lease;
        this.origin = origin;
    }

    /** The lease's own view, for the first holder. */
    ByteBuffer memory() {
        return lease.buffer();
    }

    /** Memory for that many bytes, if there is some and it takes at most a quarter of this, which has one holder. Else null. */
    @Nullable SharedLease smaller(int bytes) {
        int capacity = lease.capacity();
        boolean saves = capacity > MOST_TO_STAY && bytes > 0 && bytes <= capacity / 4 && holders == 1;
        return saves ? origin.tryAcquire(bytes) : null;
    }

    /** Counts one more holder. False when the last one has gone. */
    boolean join() {
        for (; ; ) {
            long now = holders;
            if (now == 0) {
                return false;
            }
            if (HOLDERS.compareAndSet(this, now, now + 1)) {
                return true;
            }
        }
    }

    /** By each holder, once. */
    void leave() {
        if ((long) HOLDERS.getAndAdd(this, -1L) == 1) {
            int size = lease.capacity();
            if (lease.release()) {
                origin.released(size);
            }
        }
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support.channels;

import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;

/** A channel that gives so many bytes, whatever they are, or takes any number; it only counts. */
public final class Counting implements ByteChannel {
    public long counted;
    private long left;

    public Counting(long left) {
        this.left = left;
    }

    @Override
    public int read(ByteBuffer into) {
        if (left == 0) {
            return -1;
        }
        int n = (int) Math.min(left, into.remaining());
        into.position(into.position() + n);
        left -= n;
        return n;
    }

    @Override
    public int write(ByteBuffer from) {
        int n = from.remaining();
        from.position(from.limit());
        counted += n;
        return n;
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public void close() {}
}

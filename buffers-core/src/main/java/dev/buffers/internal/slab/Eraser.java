// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.slab;

import java.nio.ByteBuffer;

/** Overwrites memory with zeros, so that no holder sees the bytes of another. Any thread. Allocates nothing. */
public final class Eraser {
    private static final byte[] ZEROS = new byte[4096];

    private Eraser() {}

    /** Overwrites the entire buffer and leaves it cleared. */
    public static void erase(ByteBuffer buffer) {
        buffer.clear();
        int left = buffer.capacity();
        while (left > 0) {
            int n = Math.min(ZEROS.length, left);
            left -= n;
            buffer.put(left, ZEROS, 0, n);
        }
    }
}

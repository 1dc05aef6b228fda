package dev.buffers.internal.slab;

import java.nio.ByteBuffer;

/** Overwrites memory with zeros, so that no holder sees the bytes of another. Any thread. */
public final class Zeros {
    private static final byte[] ZEROS = new byte[4096];

    private Zeros() {}

    /** Overwrites the entire buffer and leaves it cleared. Allocates nothing. */
    public static void write(ByteBuffer view) {
        view.clear();
        for (int at = 0; at < view.capacity(); at += ZEROS.length) {
            view.put(at, ZEROS, 0, Math.min(ZEROS.length, view.capacity() - at));
        }
    }
}

package dev.buffers.internal.slab;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** The bytes with which memory that nobody uses is overwritten. Any thread. Allocates nothing. */
public enum Fill {
    /** So that no holder sees the bytes of another. */
    ZERO(0),
    /** Over the free slots of a guarded pool: a write after the release changes them. */
    POISON(0xDB),
    /** Behind the slots of a guarded heap pool, where nobody may write: a write past the end of the slot changes them. */
    CANARY(0xCA);

    @SuppressWarnings("ImmutableEnumChecker") // nobody writes it after it was filled
    private final byte[] row = new byte[4096];

    Fill(int value) {
        Arrays.fill(row, (byte) value);
    }

    /** Overwrites the entire buffer and leaves it cleared. */
    public void write(ByteBuffer buffer) {
        buffer.clear();
        for (int at = 0; at < buffer.capacity(); at += row.length) {
            buffer.put(at, row, 0, Math.min(row.length, buffer.capacity() - at));
        }
    }

    /** The offset of the first byte of a cleared buffer that was changed since; -1 for none. */
    public int firstChanged(ByteBuffer buffer) {
        for (int i = 0; i < buffer.capacity(); i++) {
            if (buffer.get(i) != row[0]) {
                return i;
            }
        }
        return -1;
    }
}

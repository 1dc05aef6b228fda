package dev.buffers.internal.slab;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** The bytes behind a slot of a guarded heap pool that nobody may write: a write past the end of the slot changes them. Any thread. */
public final class Canaries {
    /** How many lie behind each slot. */
    public static final int BYTES = 64;

    private static final byte CANARY = (byte) 0xCA;
    private static final byte[] ROW = new byte[BYTES];

    static {
        Arrays.fill(ROW, CANARY);
    }

    private Canaries() {}

    /** Writes the canaries. Allocates nothing. */
    public static void lay(ByteBuffer canaries) {
        canaries.clear();
        canaries.put(0, ROW, 0, canaries.capacity());
    }

    /** The offset of the first changed byte; -1 for none. */
    public static int firstChanged(ByteBuffer canaries) {
        for (int i = 0; i < canaries.capacity(); i++) {
            if (canaries.get(i) != CANARY) {
                return i;
            }
        }
        return -1;
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.buffers.PooledBuffer;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** The expected bytes of one slot while it is leased, the same for all of its lease holders. */
final class FuzzedMemory {
    private final byte[] bytes;
    private int open;
    private boolean discarded;

    /** Memory that was just leased, now stamped from end to end, so that another holder of any of it is seen. */
    FuzzedMemory(ByteBuffer buffer, int stamp) {
        bytes = new byte[buffer.capacity()];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (stamp + (i >> 8) * 31 + i);
        }
        buffer.duplicate().clear().put(bytes);
    }

    boolean isDiscarded() {
        return discarded;
    }

    /** One lease on a part of it. */
    final class View {
        final PooledBuffer lease;
        final boolean first;
        private final int offset;
        private final int length;

        View(PooledBuffer lease, boolean first, int offset, int length) {
            this.lease = lease;
            this.first = first;
            this.offset = offset;
            this.length = length;
            open++;
        }

        int length() {
            return length;
        }

        View again(PooledBuffer further, int from, int bytes) {
            return new View(further, false, offset + from, bytes);
        }

        FuzzedMemory memory() {
            return FuzzedMemory.this;
        }

        void write(int from, int length, int value) {
            for (int i = from; i < from + length; i++) {
                lease.buffer().duplicate().clear().put(i, (byte) value);
                bytes[offset + i] = (byte) value;
            }
        }

        void check() {
            byte[] found = new byte[length];
            assertEquals(length, lease.capacity());
            lease.buffer().duplicate().clear().get(found);
            int wrong = Arrays.mismatch(found, 0, length, bytes, offset, offset + length);
            assertEquals(-1, wrong, "a byte that nobody wrote there: capacity=" + bytes.length + ", index");
        }

        /** The lease has ended; true when it was the last. */
        boolean end(boolean discards) {
            discarded |= discards;
            return --open == 0;
        }
    }
}

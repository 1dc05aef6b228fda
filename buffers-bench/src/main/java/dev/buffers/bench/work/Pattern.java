// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.work;

/** The bytes to write and read: each follows from its index, with a period that no buffer's size is a multiple of. */
final class Pattern {
    static final int PERIOD = 251;

    private Pattern() {}

    static byte at(long index) {
        return (byte) (index % PERIOD);
    }

    /** Its first bytes. */
    static byte[] bytes(int size) {
        byte[] bytes = new byte[size];
        for (int i = 0; i < size; i++) {
            bytes[i] = at(i);
        }
        return bytes;
    }
}

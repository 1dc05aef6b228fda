// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support;

/** The bytes of a fuzzer's input, read one after the other as choices; zeros behind its end. */
final class FuzzBytes {
    private final byte[] bytes;
    private int at;

    FuzzBytes(byte[] bytes) {
        this.bytes = bytes;
    }

    boolean hasMore() {
        return at < bytes.length;
    }

    int next() {
        return at < bytes.length ? bytes[at++] & 0xFF : 0;
    }

    /** From 0 on, less than {@code bound}: of one byte, or of two where one is too small. */
    int below(int bound) {
        int value = bound <= 256 ? next() : next() << 8 | next();
        return value % bound;
    }

    boolean flag() {
        return below(2) == 1;
    }

    int of(int... choices) {
        return choices[below(choices.length)];
    }
}

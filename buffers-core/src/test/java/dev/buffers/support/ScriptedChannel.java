// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.ArrayDeque;

/** A peer whose every read gives as many bytes as the test says; the bytes are numbered through. */
public final class ScriptedChannel implements ReadableByteChannel {
    private final ArrayDeque<Integer> script = new ArrayDeque<>();
    private int sent;

    public ScriptedChannel reads(int... bytes) {
        for (int n : bytes) {
            script.add(n);
        }
        return this;
    }

    /** The rest of the buffer has the bytes that were sent from that byte on. */
    public void assertSent(ByteBuffer buffer, int from) {
        assertEquals(sent - from, buffer.remaining());
        for (int i = from; i < sent; i++) {
            assertEquals((byte) i, buffer.get());
        }
    }

    @Override
    public int read(ByteBuffer into) {
        int n = Math.min(script.remove(), into.remaining());
        for (int i = 0; i < n; i++) {
            into.put((byte) sent++);
        }
        return n;
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public void close() {}
}

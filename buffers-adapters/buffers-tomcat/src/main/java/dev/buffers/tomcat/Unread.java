// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.tomcat;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Scatters unread bytes, which Tomcat's own channels leave to their callers. */
final class Unread {
    private Unread() {}

    static long drain(ConnectionBuffers buffers, ByteBuffer[] dsts, int offset, int length) throws IOException {
        long count = 0;
        for (int i = offset; i < offset + length; i++) {
            count += buffers.drain(dsts[i]);
        }
        return count;
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.grizzly;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.glassfish.grizzly.Buffer;
import org.glassfish.grizzly.memory.Buffers;
import org.glassfish.grizzly.memory.ByteBufferWrapper;
import org.glassfish.grizzly.memory.MemoryManager;
import org.jspecify.annotations.Nullable;

/**
 * The frames of an HTTP/2 connection. Grizzly by itself keeps the buffer with the connection's preface, and the beginning of a frame that
 * is not complete, and drops both at the connection's end ({@code Http2ServerFilter.handleRead}, {@code Http2FrameCodec.parse}).
 */
final class Frames {
    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final int HEAD = 9;

    /** The most that a client may send to a server that has not allowed more, as Grizzly never does. */
    private static final int LARGEST = HEAD + (16 << 10);

    /** The beginning of a frame; no other code has this buffer. */
    private @Nullable Buffer incomplete;

    /** A frame was too large. Grizzly refuses it, or assembles it and all after it. */
    private boolean refused;

    /** Whether these are the first bytes of a connection of HTTP/2. */
    static boolean beginWith(Buffer read) {
        if (read.remaining() < PREFACE.length) {
            return false;
        }
        int at = read.position();
        for (int i = 0; i < PREFACE.length; i++) {
            if (read.get(at + i) != PREFACE[i]) {
                return false;
            }
        }
        return true;
    }

    /** As {@link #whole}, of the read that {@link #beginWith} has seen: the preface in memory that no pool counts, and the frames. */
    Buffer first(MemoryManager<?> memory, Buffer read) {
        Buffer rest = read.split(read.position() + PREFACE.length);
        read.tryDispose();
        Buffer preface = new ByteBufferWrapper(ByteBuffer.wrap(PREFACE.clone()));
        return rest.hasRemaining() ? Buffers.appendBuffers(memory, preface, whole(memory, rest), true) : preface;
    }

    /** The frames that these bytes complete; null if there is none. */
    @Nullable Buffer whole(MemoryManager<?> memory, Buffer read) {
        Buffer input = Buffers.appendBuffers(memory, incomplete, read, true);
        incomplete = null;
        int end = input.position();
        while (!refused && end < input.limit()) {
            int available = input.limit() - end;
            int length = available < HEAD ? HEAD : HEAD + (input.getInt(end) >>> 8);
            refused = length > LARGEST;
            if (length > available && !refused) {
                return withoutIncomplete(input, end);
            }
            end += length;
        }
        return input;
    }

    private @Nullable Buffer withoutIncomplete(Buffer input, int end) {
        if (end == input.position()) {
            incomplete = input;
            return null;
        }
        incomplete = input.split(end);
        return input;
    }

    /** At the connection's end. */
    void dispose() {
        if (incomplete != null) {
            incomplete.tryDispose();
            incomplete = null;
        }
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Finds the end of one request head after another in a connection's bytes, and reads each head once it is whole. Threads may share it.
 *
 * <p>Bytes may arrive in any pieces: nothing is taken out of the buffer before the head is complete. Every line must end in CR LF, so that
 * no two servers find the end of a head at different places.
 *
 * @param headLimit bytes that a head may have
 */
record RequestParser(int headLimit) {

    /**
     * Takes the next request head out of {@code in}, a buffer in drain mode.
     *
     * @return the request, or null when its head is not yet complete; then the buffer's position stands at the head's first byte
     */
    @Nullable Request next(ByteBuffer in) throws Refusal {
        skipEmptyLines(in);
        int end = findEnd(in);
        if (end < 0) {
            return null;
        }
        byte[] head = new byte[end];
        in.get(head);
        return Request.read(new String(head, 0, end - 2, StandardCharsets.ISO_8859_1));
    }

    /** Tolerates empty lines between requests, as RFC 9112 section 2.2 asks. */
    private static void skipEmptyLines(ByteBuffer in) {
        while (in.remaining() >= 2 && in.get(in.position()) == '\r' && in.get(in.position() + 1) == '\n') {
            in.position(in.position() + 2);
        }
    }

    /** The length of the head, its empty last line included, or -1 when that line has not come. */
    private int findEnd(ByteBuffer in) throws Refusal {
        int start = in.position();
        int available = Math.min(in.remaining(), headLimit);
        int lineStart = 0;
        boolean afterCr = false;
        for (int i = 0; i < available; i++) {
            byte b = in.get(start + i);
            if (b == '\n') {
                if (!afterCr) {
                    throw new Refusal(Status.BAD_REQUEST, "line feed without carriage return");
                }
                if (i - 1 == lineStart) {
                    return i + 1;
                }
                lineStart = i + 1;
            } else if (afterCr) {
                throw new Refusal(Status.BAD_REQUEST, "carriage return without line feed");
            } else if (b == 0x7f || (b >= 0 && b < ' ' && b != '\r' && b != '\t')) {
                throw new Refusal(Status.BAD_REQUEST, "control character in the head: byte=" + b);
            }
            afterCr = b == '\r';
        }
        if (available == headLimit) {
            throw lineStart == 0
                    ? new Refusal(Status.URI_TOO_LONG, "request line too long: limit=" + headLimit)
                    : new Refusal(Status.HEAD_TOO_LARGE, "head too long: limit=" + headLimit);
        }
        return -1;
    }
}

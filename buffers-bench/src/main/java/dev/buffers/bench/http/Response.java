// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** One response on its way into buffers: a head, with an error its text, then perhaps a file. */
final class Response {
    private final byte[] head;
    private final @Nullable OpenFile file;
    private final long end;
    private final boolean keepAlive;
    private long position;
    private boolean headFilled;

    private Response(String head, @Nullable OpenFile file, long end, boolean keepAlive) {
        this.head = head.getBytes(ISO_8859_1);
        this.file = file;
        this.end = end;
        this.keepAlive = keepAlive;
    }

    /** A file. */
    static Response ofFile(String date, OpenFile file, boolean withBody, boolean keepAlive) {
        String head = head(Status.OK, date, file.lines(), file.size(), keepAlive);
        return new Response(head, file, withBody ? file.size() : 0, keepAlive);
    }

    /** An error with its status as text; {@code lines} are header lines, each with its end. */
    static Response ofError(String date, Status status, String lines, boolean withBody, boolean keepAlive) {
        String text = status.text() + "\n";
        String head = head(status, date, "Content-Type: text/plain\r\n" + lines, text.length(), keepAlive);
        return new Response(withBody ? head + text : head, null, 0, keepAlive);
    }

    private static String head(Status status, String date, String lines, long length, boolean keepAlive) {
        return "HTTP/1.1 " + status.text() + "\r\nDate: " + date + "\r\n" + lines + "Content-Length: " + length
                + "\r\nConnection: " + (keepAlive ? "keep-alive" : "close") + "\r\n\r\n";
    }

    /** Puts as much into {@code out} as fits; the head always fits into an empty buffer. */
    void fill(ByteBuffer out) throws IOException {
        if (!headFilled) {
            out.put(head);
            headFilled = true;
        }
        int n = (int) Math.min(out.remaining(), end - position);
        if (file != null && n > 0) {
            int limit = out.limit();
            file.read(out.limit(out.position() + n), position);
            out.limit(limit);
        }
        position += n;
    }

    boolean isFilled() {
        return headFilled && position == end;
    }

    boolean keepAlive() {
        return keepAlive;
    }
}

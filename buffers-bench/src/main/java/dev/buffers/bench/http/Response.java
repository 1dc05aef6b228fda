package dev.buffers.bench.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** One response on its way into buffers: a head, then a part of a file or a line of text. */
final class Response implements AutoCloseable {
    private static final byte[] KEEP_ALIVE = Ascii.bytes("\r\nConnection: keep-alive\r\n\r\n");
    private static final byte[] CLOSE = Ascii.bytes("\r\nConnection: close\r\n\r\n");
    private static final byte[] CONTENT_LENGTH = Ascii.bytes("Content-Length: ");
    private static final byte[] TEXT = Ascii.bytes("Content-Type: text/plain\r\n");
    private static final byte[] NOTHING = {};

    private final Status status;
    private final byte[] lines;
    private final byte[] extraLines;
    private final byte[] text;
    private final @Nullable OpenFile file;
    private final long length;
    private final boolean keepAlive;
    private final long end;
    private long position;
    private boolean headFilled;

    private Response(
            Status status,
            byte[] lines,
            byte[] extraLines,
            byte[] text,
            @Nullable OpenFile file,
            ByteRange part,
            boolean withBody,
            boolean keepAlive) {
        this.status = status;
        this.lines = lines;
        this.extraLines = extraLines;
        this.text = text;
        this.file = file;
        this.length = part.end() - part.start();
        this.keepAlive = keepAlive;
        this.position = part.start();
        this.end = withBody ? part.end() : part.start();
    }

    /** A file, or the part of it that {@code range} names. Releases the file when closed. */
    static Response ofFile(OpenFile file, @Nullable ByteRange range, boolean withBody, boolean keepAlive) {
        if (range == null) {
            ByteRange whole = new ByteRange(0, file.size());
            return new Response(Status.OK, file.lines(), NOTHING, NOTHING, file, whole, withBody, keepAlive);
        }
        String line = "Content-Range: bytes " + range.start() + "-" + (range.end() - 1) + "/" + file.size();
        return new Response(
                Status.PARTIAL_CONTENT,
                file.lines(),
                Ascii.bytes(line + "\r\n"),
                NOTHING,
                file,
                range,
                withBody,
                keepAlive);
    }

    /** An error with its status as text; {@code extraLines} are header lines, each with its end. */
    static Response ofError(Status status, String extraLines, boolean withBody, boolean keepAlive) {
        byte[] text = Ascii.bytes(status.text() + "\n");
        ByteRange whole = new ByteRange(0, text.length);
        byte[] extra = Ascii.bytes(extraLines);
        return new Response(status, TEXT, extra, text, null, whole, withBody, keepAlive);
    }

    /** Puts as much into {@code out} as fits; the head always fits into an empty buffer. */
    void fill(ByteBuffer out, HttpDate date) throws IOException {
        if (!headFilled) {
            out.put(status.line()).put(date.line()).put(lines).put(extraLines);
            out.put(CONTENT_LENGTH).put(Ascii.bytes(Long.toString(length)));
            out.put(keepAlive ? KEEP_ALIVE : CLOSE);
            headFilled = true;
        }
        int n = (int) Math.min(out.remaining(), end - position);
        if (file == null) {
            out.put(text, (int) position, n);
        } else if (n > 0) {
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

    @Override
    public void close() {
        if (file != null) {
            file.release();
        }
    }
}

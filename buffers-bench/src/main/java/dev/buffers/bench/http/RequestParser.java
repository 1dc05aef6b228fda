package dev.buffers.bench.http;

import dev.buffers.bench.http.Request.Method;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the end of one request head after another in a connection's bytes and reads each head once it is whole.
 *
 * <p>Used by one connection. Bytes may arrive in any pieces: the parser remembers how far it has looked, and takes nothing out of
 * the buffer before the head is complete. It is strict where leniency would let two servers read one stream differently: every
 * line ends in CR LF, no folding, no space before a colon, one Host, at most one Content-Length, no Transfer-Encoding.
 */
final class RequestParser {
    private final int headLimit;

    /** Bytes of the current head already looked at, counted from the buffer's position. */
    private int seen;

    /** Where the line being looked at starts, counted likewise. */
    private int lineStart;

    RequestParser(int headLimit) {
        this.headLimit = headLimit;
    }

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
        int start = in.position();
        in.position(start + end);
        seen = 0;
        lineStart = 0;
        return read(in, start, start + end - 2);
    }

    /** Tolerates empty lines between requests, as RFC 9112 section 2.2 asks. */
    private void skipEmptyLines(ByteBuffer in) {
        while (seen <= 1 && in.remaining() >= 2 && in.get(in.position()) == '\r' && in.get(in.position() + 1) == '\n') {
            in.position(in.position() + 2);
            seen = 0;
        }
    }

    /** The length of the head, its empty last line included, or -1 when that line has not come. */
    private int findEnd(ByteBuffer in) throws Refusal {
        int start = in.position();
        int available = Math.min(in.remaining(), headLimit);
        boolean afterCr = seen > 0 && in.get(start + seen - 1) == '\r';
        for (int i = seen; i < available; i++) {
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
        seen = available;
        if (available == headLimit) {
            throw lineStart == 0
                    ? new Refusal(Status.URI_TOO_LONG, "request line too long: limit=" + headLimit)
                    : new Refusal(Status.HEAD_TOO_LARGE, "head too long: limit=" + headLimit);
        }
        return -1;
    }

    /** Reads a whole head between {@code from} and {@code to}, which is where its empty last line starts. */
    private static Request read(ByteBuffer in, int from, int to) throws Refusal {
        int lineEnd = Ascii.indexOf(in, '\r', from, to);
        RequestLine line = RequestLine.read(in, from, lineEnd);
        HeaderFields fields = new HeaderFields();
        int at = lineEnd + 2;
        while (at < to) {
            lineEnd = Ascii.indexOf(in, '\r', at, to);
            fields.add(in, at, lineEnd);
            at = lineEnd + 2;
        }
        fields.check(line.minorVersion());
        return new Request(
                line.method(),
                line.target(),
                fields.keepAlive(line.minorVersion()),
                fields.contentLength(),
                fields.expects(),
                fields.range(),
                fields.ifRange());
    }

    /** The first line of a head. */
    private record RequestLine(Method method, String target, int minorVersion) {

        private static final byte[] GET = Ascii.bytes("GET");
        private static final byte[] HEAD = Ascii.bytes("HEAD");
        private static final byte[] VERSION = Ascii.bytes("HTTP/");

        static RequestLine read(ByteBuffer in, int from, int to) throws Refusal {
            int methodEnd = Ascii.indexOf(in, ' ', from, to);
            if (methodEnd < 0 || !Ascii.isToken(in, from, methodEnd)) {
                throw new Refusal(Status.BAD_REQUEST, "no method");
            }
            int targetEnd = Ascii.indexOf(in, ' ', methodEnd + 1, to);
            if (targetEnd <= methodEnd + 1 || !Ascii.isVisible(in, methodEnd + 1, targetEnd)) {
                throw new Refusal(Status.BAD_REQUEST, "no request target");
            }
            int minor = minorVersion(in, targetEnd + 1, to);
            Method method = Ascii.equal(in, from, methodEnd, GET)
                    ? Method.GET
                    : Ascii.equal(in, from, methodEnd, HEAD) ? Method.HEAD : Method.OTHER;
            return new RequestLine(method, Ascii.string(in, methodEnd + 1, targetEnd), minor);
        }

        private static int minorVersion(ByteBuffer in, int from, int to) throws Refusal {
            if (to - from != VERSION.length + 3
                    || !Ascii.equal(in, from, from + VERSION.length, VERSION)
                    || !Ascii.isDigit(in.get(to - 3))
                    || in.get(to - 2) != '.'
                    || !Ascii.isDigit(in.get(to - 1))) {
                throw new Refusal(Status.BAD_REQUEST, "malformed version");
            }
            if (in.get(to - 3) != '1') {
                throw new Refusal(Status.VERSION_NOT_SUPPORTED, "major version: " + (char) in.get(to - 3));
            }
            return in.get(to - 1) - '0';
        }
    }
}

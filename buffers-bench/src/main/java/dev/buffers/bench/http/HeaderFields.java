package dev.buffers.bench.http;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The header fields of one request that the server acts on, with the rules that keep a request from being two. */
final class HeaderFields {
    private static final byte[] HOST = Ascii.bytes("host");
    private static final byte[] CONNECTION = Ascii.bytes("connection");
    private static final byte[] CONTENT_LENGTH = Ascii.bytes("content-length");
    private static final byte[] TRANSFER_ENCODING = Ascii.bytes("transfer-encoding");
    private static final byte[] EXPECT = Ascii.bytes("expect");
    private static final byte[] RANGE = Ascii.bytes("range");
    private static final byte[] IF_RANGE = Ascii.bytes("if-range");
    private static final byte[] CLOSE = Ascii.bytes("close");
    private static final byte[] KEEP_ALIVE = Ascii.bytes("keep-alive");

    /** More digits than any body has bytes, and few enough for a long. */
    private static final int MAX_LENGTH_DIGITS = 18;

    private int hosts;
    private int ranges;
    private long contentLength = -1;
    private boolean transferEncoding;
    private boolean close;
    private boolean keepAlive;
    private boolean expects;
    private @Nullable String range;
    private @Nullable String ifRange;

    /** Takes in the line between {@code from} and {@code to}. */
    void add(ByteBuffer in, int from, int to) throws Refusal {
        if (Ascii.isBlank(in.get(from))) {
            throw new Refusal(Status.BAD_REQUEST, "folded header line");
        }
        int colon = Ascii.indexOf(in, ':', from, to);
        if (colon < 0 || !Ascii.isToken(in, from, colon)) {
            throw new Refusal(Status.BAD_REQUEST, "malformed header name");
        }
        int start = colon + 1;
        int end = to;
        while (start < end && Ascii.isBlank(in.get(start))) {
            start++;
        }
        while (end > start && Ascii.isBlank(in.get(end - 1))) {
            end--;
        }
        if (Ascii.equalIgnoringCase(in, from, colon, HOST)) {
            host(in, start, end);
        } else if (Ascii.equalIgnoringCase(in, from, colon, CONNECTION)) {
            connection(in, start, end);
        } else if (Ascii.equalIgnoringCase(in, from, colon, CONTENT_LENGTH)) {
            length(in, start, end);
        } else if (Ascii.equalIgnoringCase(in, from, colon, TRANSFER_ENCODING)) {
            transferEncoding = true;
        } else if (Ascii.equalIgnoringCase(in, from, colon, EXPECT)) {
            expects = true;
        } else if (Ascii.equalIgnoringCase(in, from, colon, RANGE)) {
            ranges++;
            range = Ascii.string(in, start, end);
        } else if (Ascii.equalIgnoringCase(in, from, colon, IF_RANGE)) {
            ifRange = Ascii.string(in, start, end);
        }
    }

    private void host(ByteBuffer in, int from, int to) throws Refusal {
        if (++hosts > 1) {
            throw new Refusal(Status.BAD_REQUEST, "more than one Host");
        }
        for (int i = from; i < to; i++) {
            byte b = in.get(i);
            if (b <= ' ' || b == ',' || b == '/' || b == '\\' || b == '@' || b == '?' || b == '#') {
                throw new Refusal(Status.BAD_REQUEST, "malformed Host");
            }
        }
    }

    private void length(ByteBuffer in, int from, int to) throws Refusal {
        if (contentLength >= 0) {
            throw new Refusal(Status.BAD_REQUEST, "more than one Content-Length");
        }
        if (from == to || to - from > MAX_LENGTH_DIGITS) {
            throw new Refusal(Status.BAD_REQUEST, "malformed Content-Length");
        }
        long length = 0;
        for (int i = from; i < to; i++) {
            if (!Ascii.isDigit(in.get(i))) {
                throw new Refusal(Status.BAD_REQUEST, "malformed Content-Length");
            }
            length = length * 10 + in.get(i) - '0';
        }
        contentLength = length;
    }

    /** Reads a list of options, separated by commas. */
    private void connection(ByteBuffer in, int from, int to) {
        int at = from;
        while (at < to) {
            int comma = Ascii.indexOf(in, ',', at, to);
            int end = comma < 0 ? to : comma;
            int next = end + 1;
            while (at < end && Ascii.isBlank(in.get(at))) {
                at++;
            }
            while (end > at && Ascii.isBlank(in.get(end - 1))) {
                end--;
            }
            close |= Ascii.equalIgnoringCase(in, at, end, CLOSE);
            keepAlive |= Ascii.equalIgnoringCase(in, at, end, KEEP_ALIVE);
            at = next;
        }
    }

    /** Rules that need all the fields. */
    void check(int minorVersion) throws Refusal {
        if (transferEncoding) {
            boolean smuggling = contentLength >= 0 || minorVersion == 0;
            throw new Refusal(smuggling ? Status.BAD_REQUEST : Status.NOT_IMPLEMENTED, "Transfer-Encoding");
        }
        if (hosts == 0 && minorVersion > 0) {
            throw new Refusal(Status.BAD_REQUEST, "no Host");
        }
    }

    boolean keepAlive(int minorVersion) {
        return !close && (keepAlive || minorVersion > 0);
    }

    long contentLength() {
        return Math.max(0, contentLength);
    }

    boolean expects() {
        return expects;
    }

    /** The range asked for; null when there is none or, which no sane client sends, several. */
    @Nullable String range() {
        return ranges == 1 ? range : null;
    }

    @Nullable String ifRange() {
        return ifRange;
    }
}

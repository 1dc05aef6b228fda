package dev.buffers.bench.http;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The part of a file that a response carries: the bytes from {@code start}, inclusive, to {@code end}, exclusive. */
record ByteRange(long start, long end) {
    static final ByteRange NOTHING = new ByteRange(0, 0);

    private static final Pattern SINGLE = Pattern.compile("(?i:bytes)=[ \\t]*(\\d{0,18})-(\\d{0,18})[ \\t]*");

    /**
     * Reads a Range field's value (RFC 9110 section 14.2).
     *
     * @return the part of a file of {@code size} bytes, or null when the field is to be ignored: it is malformed, in another unit, or
     *     asks for several parts, which a server may decline to split
     */
    static @Nullable ByteRange of(String value, long size) throws Refusal {
        Matcher matcher = SINGLE.matcher(value);
        if (!matcher.matches() || matcher.group(1).isEmpty() && matcher.group(2).isEmpty()) {
            return null;
        }
        if (matcher.group(1).isEmpty()) {
            long suffix = Long.parseLong(matcher.group(2));
            return satisfiable(Math.max(0, size - suffix), size, size);
        }
        long first = Long.parseLong(matcher.group(1));
        long last = matcher.group(2).isEmpty() ? Long.MAX_VALUE - 1 : Long.parseLong(matcher.group(2));
        return last < first ? null : satisfiable(first, Math.min(size, last + 1), size);
    }

    private static ByteRange satisfiable(long start, long end, long size) throws Refusal {
        if (start >= size || start >= end) {
            throw new Refusal(Status.RANGE_NOT_SATISFIABLE, "range outside of the file: size=" + size);
        }
        return new ByteRange(start, end);
    }
}

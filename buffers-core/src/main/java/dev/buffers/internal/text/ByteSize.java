// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.text;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Numbers of bytes as settings spell them: {@code 65536}, {@code 64k}, {@code 1m}, {@code 2g}. The units are binary, whatever follows their
 * letter: {@code 64m}, {@code 64M}, {@code 64MB} (Spring's {@code DataSize}), {@code 64Mi} (Kubernetes) and {@code 64MiB} are the same.
 */
public final class ByteSize {

    public static final long KIB = 1L << 10;
    public static final long MIB = 1L << 20;
    public static final long GIB = 1L << 30;

    private static final Pattern SPELLING =
            Pattern.compile("([0-9]+)(?:([kmg])i?)?b?", Pattern.CASE_INSENSITIVE); // of ASCII letters

    /** Each unit is 1,024 of the one before. */
    private static final List<String> UNITS = List.of("", "k", "m", "g");

    private ByteSize() {}

    /** Reads a number of bytes in this range. */
    public static long parse(String text, long least, long most) {
        Matcher matcher = SPELLING.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(complaint(text));
        }
        String letter = matcher.group(2);
        long unit = letter == null ? 1 : 1L << 10 * UNITS.indexOf(letter.toLowerCase(Locale.ROOT));
        long bytes;
        try {
            bytes = Math.multiplyExact(Long.parseLong(matcher.group(1)), unit);
        } catch (NumberFormatException | ArithmeticException e) {
            throw new IllegalArgumentException("is larger than " + Long.MAX_VALUE + " bytes", e);
        }
        if (bytes < least || bytes > most) {
            throw new IllegalArgumentException(bytes < least ? "is too small" : "is too large");
        }
        return bytes;
    }

    private static String complaint(String text) {
        if (text.startsWith("-")) {
            return "is negative";
        }
        return text.endsWith("%") ? "is a percentage, which only buffers.max may be" : "is not a number of bytes";
    }

    /** The shortest exact spelling that {@link #parse} can read. */
    public static String text(long bytes) {
        int unit = bytes == 0 ? 0 : Math.min(Long.numberOfTrailingZeros(bytes) / 10, UNITS.size() - 1);
        return (bytes >> 10 * unit) + UNITS.get(unit);
    }
}

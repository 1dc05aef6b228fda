package dev.buffers.internal.text;

import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Numbers of bytes as settings spell them: {@code 65536}, {@code 64k}, {@code 1m}, {@code 2g}; binary units. */
public final class ByteSize {

    public static final long KIB = 1L << 10;
    public static final long MIB = 1L << 20;
    public static final long GIB = 1L << 30;

    private static final Pattern SPELLING = Pattern.compile("([0-9]+)([kKmMgG]?)");

    private ByteSize() {}

    /** Reads a number of bytes; 0 is allowed. */
    static long parse(String text) {
        Matcher matcher = SPELLING.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(complaint(text));
        }
        try {
            return Math.multiplyExact(Long.parseLong(matcher.group(1)), unit(matcher.group(2)));
        } catch (NumberFormatException | ArithmeticException e) {
            throw new IllegalArgumentException("is larger than " + Long.MAX_VALUE + " bytes", e);
        }
    }

    /** A reader that refuses values out of range. */
    public static Function<String, Long> between(long least, long most) {
        return text -> {
            long bytes = parse(text);
            if (bytes < least) {
                throw new IllegalArgumentException("is too small");
            }
            if (bytes > most) {
                throw new IllegalArgumentException("is too large");
            }
            return bytes;
        };
    }

    /** The shortest exact spelling that {@link #parse} can read. */
    public static String text(long bytes) {
        if (bytes == 0 || bytes % KIB != 0) {
            return Long.toString(bytes);
        }
        if (bytes % MIB != 0) {
            return bytes / KIB + "k";
        }
        return bytes % GIB != 0 ? bytes / MIB + "m" : bytes / GIB + "g";
    }

    private static String complaint(String text) {
        if (text.startsWith("-")) {
            return "is negative";
        }
        return text.endsWith("%") ? "is a percentage, which only buffers.max may be" : "is not a number of bytes";
    }

    private static long unit(String letter) {
        return switch (letter) {
            case "k", "K" -> KIB;
            case "m", "M" -> MIB;
            case "g", "G" -> GIB;
            default -> 1;
        };
    }
}

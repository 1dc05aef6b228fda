package dev.buffers.bench.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Questions about the ASCII text between two indexes of a buffer, answered without making a string of it. */
final class Ascii {
    private static final String TOKEN_MARKS = "!#$%&'*+-.^_`|~";
    private static final boolean[] TOKEN = new boolean[128];

    static {
        for (char c = 0; c < 128; c++) {
            TOKEN[c] = (c >= '0' && c <= '9')
                    || (c >= 'A' && c <= 'Z')
                    || (c >= 'a' && c <= 'z')
                    || TOKEN_MARKS.indexOf(c) >= 0;
        }
    }

    private Ascii() {}

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    static String string(ByteBuffer in, int from, int to) {
        byte[] bytes = new byte[to - from];
        in.get(from, bytes);
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /** The index of {@code wanted}, or -1. */
    static int indexOf(ByteBuffer in, char wanted, int from, int to) {
        for (int i = from; i < to; i++) {
            if (in.get(i) == wanted) {
                return i;
            }
        }
        return -1;
    }

    static boolean equal(ByteBuffer in, int from, int to, byte[] wanted) {
        if (to - from != wanted.length) {
            return false;
        }
        for (int i = 0; i < wanted.length; i++) {
            if (in.get(from + i) != wanted[i]) {
                return false;
            }
        }
        return true;
    }

    /** Whether the text equals {@code wanted}, which is in lower case, when letters' case is ignored. */
    static boolean equalIgnoringCase(ByteBuffer in, int from, int to, byte[] wanted) {
        if (to - from != wanted.length) {
            return false;
        }
        for (int i = 0; i < wanted.length; i++) {
            if (lower(in.get(from + i)) != wanted[i]) {
                return false;
            }
        }
        return true;
    }

    static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }

    /** Whether the text is a token (RFC 9110 section 5.6.2). */
    static boolean isToken(ByteBuffer in, int from, int to) {
        for (int i = from; i < to; i++) {
            byte b = in.get(i);
            if (b < 0 || !TOKEN[b]) {
                return false;
            }
        }
        return to > from;
    }

    static boolean isVisible(ByteBuffer in, int from, int to) {
        for (int i = from; i < to; i++) {
            if (in.get(i) <= ' ' || in.get(i) == 0x7f) {
                return false;
            }
        }
        return true;
    }

    static boolean isBlank(byte b) {
        return b == ' ' || b == '\t';
    }

    private static int lower(byte b) {
        return b >= 'A' && b <= 'Z' ? b + ('a' - 'A') : b;
    }
}

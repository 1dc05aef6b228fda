// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.load;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/** One response being received: takes the bytes as they come and checks them against the document asked for. */
final class Answer {
    private static final String OK = "HTTP/1.1 200 ";
    private static final String LENGTH = "\r\nContent-Length: ";
    private static final String CLOSE = "\r\nConnection: close\r\n";

    private final byte[] head = new byte[2048];
    private final CRC32C checksum = new CRC32C();
    private Document expected;
    private int headLength;
    private boolean inBody;
    private long missing;
    private boolean closing;

    Answer(Document expected) {
        this.expected = expected;
    }

    void expect(Document document) {
        expected = document;
        headLength = 0;
        inBody = false;
        closing = false;
        checksum.reset();
    }

    /** Takes in some bytes; true when the answer is complete, and right. */
    boolean take(ByteBuffer in) throws WrongAnswer {
        if (!inBody && !takeHead(in)) {
            return false;
        }
        int limit = in.limit();
        int n = (int) Math.min(missing, in.remaining());
        in.limit(in.position() + n);
        checksum.update(in);
        in.limit(limit);
        missing -= n;
        if (missing > 0) {
            return false;
        }
        if (in.hasRemaining()) {
            throw new WrongAnswer("more bytes than announced: " + expected.target());
        }
        if (checksum.getValue() != expected.checksum()) {
            throw new WrongAnswer("wrong checksum: " + expected.target());
        }
        return true;
    }

    /** Bytes of the body. */
    long size() {
        return expected.size();
    }

    /** Whether the server said that it closes the connection. */
    boolean isClosing() {
        return closing;
    }

    private boolean takeHead(ByteBuffer in) throws WrongAnswer {
        while (in.hasRemaining()) {
            if (headLength == head.length) {
                throw new WrongAnswer("endless head: " + expected.target());
            }
            byte b = in.get();
            head[headLength++] = b;
            if (b == '\n' && headLength >= 4 && head[headLength - 2] == '\r' && head[headLength - 3] == '\n') {
                readHead(new String(head, 0, headLength, StandardCharsets.ISO_8859_1));
                return true;
            }
        }
        return false;
    }

    private void readHead(String text) throws WrongAnswer {
        int length = text.indexOf(LENGTH) + LENGTH.length();
        if (!text.startsWith(OK) || length < LENGTH.length()) {
            throw new WrongAnswer(
                    "for " + expected.target() + ": " + text.lines().findFirst().orElse(""));
        }
        missing = Long.parseLong(text.substring(length, text.indexOf('\r', length)));
        if (missing != expected.size()) {
            throw new WrongAnswer(
                    "wrong length: " + expected.target() + ", length=" + missing + ", expected=" + expected.size());
        }
        closing = text.contains(CLOSE);
        inBody = true;
    }
}

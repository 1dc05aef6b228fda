// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.adapters;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** What a client of HTTP/2 writes that is too rude for the JDK's: frames of RFC 9113, heads by the static table of RFC 7541. */
final class Http2Frames {
    static final byte DATA = 0;
    static final byte HEADERS = 1;
    static final byte RST_STREAM = 3;
    static final byte SETTINGS = 4;
    static final byte PING = 6;
    static final byte GOAWAY = 7;
    static final byte END_STREAM = 1;
    private static final byte END_HEADERS = 4;
    private static final byte WINDOW_UPDATE = 8;

    private Http2Frames() {}

    /** What a connection begins with. No setting is changed: a stream's window is 65,535 bytes. */
    static byte[] preface() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        out.writeBytes(frame(SETTINGS, 0, 0, new byte[0]));
        return out.toByteArray();
    }

    /** A whole request. */
    static byte[] get(int stream, String path) {
        return frame(HEADERS, END_STREAM | END_HEADERS, stream, head(false, path));
    }

    /** The head of a request, and the three bytes of its body that are ever written. */
    static byte[] post(int stream, String path) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(frame(HEADERS, END_HEADERS, stream, head(true, path)));
        out.writeBytes(frame(DATA, 0, stream, "abc".getBytes(StandardCharsets.US_ASCII)));
        return out.toByteArray();
    }

    /** The head of a request with a body. */
    static byte[] head(int stream, String path) {
        return frame(HEADERS, END_HEADERS, stream, head(true, path));
    }

    /** A part of a body. */
    static byte[] data(int stream, byte[] bytes, boolean last) {
        return frame(DATA, last ? END_STREAM : 0, stream, bytes);
    }

    /** Says that the settings of the other end are applied. */
    static byte[] settingsApplied() {
        return frame(SETTINGS, 1, 0, new byte[0]);
    }

    /** The answer to a ping. */
    static byte[] pong(byte[] ping) {
        return frame(PING, 1, 0, ping);
    }

    /** Lets the other end send so many bytes more: over a stream, or with 0 over the connection. */
    static byte[] window(int stream, int bytes) {
        return frame(
                WINDOW_UPDATE, 0, stream, ByteBuffer.allocate(4).putInt(bytes).array());
    }

    /** A head that another frame would have to end. */
    static byte[] halfHead(int stream, String path) {
        return frame(HEADERS, END_STREAM, stream, head(false, path));
    }

    static byte[] reset(int stream) {
        return frame(RST_STREAM, 0, stream, new byte[] {0, 0, 0, 8}); // CANCEL
    }

    /** A frame with an answer. */
    static byte[] ping() {
        return frame(PING, 0, 0, new byte[8]);
    }

    static byte[] goAway() {
        return frame(GOAWAY, 0, 0, new byte[8]); // NO_ERROR
    }

    private static byte[] frame(byte type, int flags, int stream, byte[] payload) {
        return ByteBuffer.allocate(9 + payload.length)
                .putInt(payload.length << 8 | type)
                .put((byte) flags)
                .putInt(stream)
                .put(payload)
                .array();
    }

    private static byte[] head(boolean post, String path) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(post ? 0x83 : 0x82); // :method
        out.write(0x87); // :scheme https
        literal(out, 1, "h"); // :authority
        literal(out, 4, path); // :path
        return out.toByteArray();
    }

    /** A header without indexing, its name from the table. */
    private static void literal(ByteArrayOutputStream out, int name, String value) {
        out.write(name);
        out.write(value.length()); // less than 127, and no Huffman code
        out.writeBytes(value.getBytes(StandardCharsets.US_ASCII));
    }
}

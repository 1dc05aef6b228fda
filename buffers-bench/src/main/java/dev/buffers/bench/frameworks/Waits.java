// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.frameworks;

import dev.buffers.bench.frameworks.Waiters.Count;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** A client's part of each way to wait: up to the moment from which it waits, and from the end of the wait on. */
abstract class Waits {
    /** A client that stalls has sent so many bytes of its body, of twice as many. */
    static final int HALF = 10_000;

    /** The protocol that a handshake of TLS agrees on. */
    String protocol() {
        return "http/1.1";
    }

    /** Whether all of these connections wait, as far as the server knows. */
    boolean areWaiting(Count count, int connections) {
        return true;
    }

    /** Goes on until it waits. */
    abstract void begin(Wire wire) throws IOException;

    /** After the server has published: the wait ends as it should, or this fails. */
    abstract void end(Wire wire) throws IOException;

    static Waits of(Way way) {
        return switch (way) {
            case KEEP_ALIVE -> new KeepAlive();
            case WEBSOCKET -> new Socket(false);
            case WEBSOCKET_DEFLATE -> new Socket(true);
            case SSE -> new Events();
            case LONG_POLL -> new Poll();
            case UPLOAD, UPLOAD_BLOCKING -> new Upload();
            case DOWNLOAD -> new Download();
            case HTTP2 -> new Http2(false);
            case HTTP2_SSE -> new Http2(true);
        };
    }

    static void same(String expected, String found) throws IOException {
        if (!expected.equals(found)) {
            throw new IOException("expected=" + expected + ", found=" + found);
        }
    }

    private static final class KeepAlive extends Waits {
        @Override
        void begin(Wire wire) throws IOException {
            wire.request("GET", Waiters.SMALL, "");
            same(new String(Waiters.ANSWER, StandardCharsets.US_ASCII), wire.readAnswer());
        }

        @Override
        void end(Wire wire) throws IOException {
            begin(wire);
        }
    }

    private static final class Events extends Waits {
        @Override
        boolean areWaiting(Count count, int connections) {
            return count.waiting() == connections;
        }

        @Override
        void begin(Wire wire) throws IOException {
            wire.request("GET", Waiters.EVENTS, "Accept: text/event-stream\r\n");
            wire.readHead(200);
            wire.readTo(Waiters.FIRST + "\n");
        }

        @Override
        void end(Wire wire) throws IOException {
            wire.readTo(Waiters.LAST + "\n");
        }
    }

    private static final class Poll extends Waits {
        @Override
        boolean areWaiting(Count count, int connections) {
            return count.waiting() == connections;
        }

        @Override
        void begin(Wire wire) throws IOException {
            wire.request("GET", Waiters.POLL, "");
        }

        @Override
        void end(Wire wire) throws IOException {
            same(Waiters.LAST, wire.readAnswer());
        }
    }

    private static final class Upload extends Waits {
        @Override
        boolean areWaiting(Count count, int connections) {
            return count.received() == (long) connections * HALF;
        }

        @Override
        void begin(Wire wire) throws IOException {
            wire.request("POST", Waiters.UPLOAD, "Content-Length: " + 2 * HALF + "\r\n");
            wire.send(new byte[HALF]);
        }

        @Override
        void end(Wire wire) throws IOException {
            wire.send(new byte[HALF]);
            same(new String(Waiters.ANSWER, StandardCharsets.US_ASCII), wire.readAnswer());
        }
    }

    private static final class Download extends Waits {
        /** The others read a little further: small windows make a whole body take a second. */
        private static final int TO_THE_END = 3;

        private static final int FURTHER = 4 << 10;

        private int length;
        private int ended;

        @Override
        boolean areWaiting(Count count, int connections) {
            return count.downloads() == connections || count.downloads() < 0;
        }

        @Override
        void begin(Wire wire) throws IOException {
            wire.request("GET", Waiters.LARGE, "");
            length = Wire.length(wire.readHead(200));
        }

        @Override
        void end(Wire wire) throws IOException {
            wire.skip(ended++ < TO_THE_END ? length : FURTHER);
        }
    }

    /** HTTP/2 (RFC 9113) with the fewest frames: a request's head is one frame, without compression. */
    private static final class Http2 extends Waits {
        private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        private static final int DATA = 0;
        private static final int HEADERS = 1;
        private static final int SETTINGS = 4;
        private static final int PING = 6;
        private static final int WINDOW_UPDATE = 8;
        private static final int ACK = 1;
        private static final int END_OF_STREAM_AND_HEADERS = 5;
        private static final byte[] NOTHING = {};

        private final boolean events;

        Http2(boolean events) {
            this.events = events;
        }

        @Override
        String protocol() {
            return "h2";
        }

        @Override
        boolean areWaiting(Count count, int connections) {
            return !events || count.waiting() == connections;
        }

        @Override
        void begin(Wire wire) throws IOException {
            wire.send(PREFACE);
            send(wire, SETTINGS, 0, 0, NOTHING);
            get(wire, 1);
            readTo(wire, 1, events ? Waiters.FIRST : new String(Waiters.ANSWER, StandardCharsets.US_ASCII));
        }

        @Override
        void end(Wire wire) throws IOException {
            if (events) {
                readTo(wire, 1, Waiters.LAST);
            } else {
                get(wire, 3);
                readTo(wire, 3, new String(Waiters.ANSWER, StandardCharsets.US_ASCII));
            }
        }

        private void get(Wire wire, int stream) throws IOException {
            byte[] path = (events ? Waiters.EVENTS : Waiters.SMALL).getBytes(StandardCharsets.US_ASCII);
            byte[] host = "localhost".getBytes(StandardCharsets.US_ASCII);
            ByteArrayOutputStream head = new ByteArrayOutputStream();
            head.write(0x82); // :method GET
            head.write(wire.isSecure() ? 0x87 : 0x86); // :scheme
            head.write(0x04); // :path
            head.write(path.length);
            head.writeBytes(path);
            head.write(0x01); // :authority
            head.write(host.length);
            head.writeBytes(host);
            send(wire, HEADERS, END_OF_STREAM_AND_HEADERS, stream, head.toByteArray());
        }

        private static void send(Wire wire, int type, int flags, int stream, byte[] payload) throws IOException {
            wire.send(ByteBuffer.allocate(9 + payload.length)
                    .put((byte) 0)
                    .putShort((short) payload.length)
                    .put((byte) type)
                    .put((byte) flags)
                    .putInt(stream)
                    .put(payload)
                    .array());
        }

        /** Reads frames until a stream's data have had such a text. */
        private static void readTo(Wire wire, int stream, String text) throws IOException {
            StringBuilder data = new StringBuilder();
            while (data.indexOf(text) < 0) {
                int length = wire.read() << 16 | wire.read() << 8 | wire.read();
                int type = wire.read();
                int flags = wire.read();
                int its = ByteBuffer.wrap(wire.read(4)).getInt();
                byte[] payload = wire.read(length);
                switch (type) {
                    case DATA -> data.append(its == stream ? new String(payload, StandardCharsets.US_ASCII) : "");
                    case SETTINGS, PING -> {
                        if ((flags & ACK) == 0) {
                            send(wire, type, ACK, 0, type == PING ? payload : NOTHING);
                        }
                    }
                    case HEADERS, WINDOW_UPDATE -> {}
                    default ->
                        throw new IOException("no such frame was expected: type=" + type + ", "
                                + new String(payload, StandardCharsets.US_ASCII));
                }
            }
        }
    }

    /** A text of one frame there and back (RFC 6455), or compressed (RFC 7692). */
    private static final class Socket extends Waits {
        private static final int FINAL_TEXT = 0x81;
        private static final int COMPRESSED = 0x40;
        private static final int MASKED = 0x80;
        private static final byte[] END_OF_BLOCK = {0, 0, (byte) 0xff, (byte) 0xff};
        private static final String MESSAGE = "a message that comes back, a message that comes back";

        private final boolean deflated;

        Socket(boolean deflated) {
            this.deflated = deflated;
        }

        @Override
        void begin(Wire wire) throws IOException {
            wire.request(
                    "GET",
                    Waiters.SOCKET,
                    "Upgrade: websocket\r\n"
                            + "Connection: Upgrade\r\n"
                            + "Sec-WebSocket-Version: 13\r\n"
                            + "Origin: http://localhost\r\n"
                            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                            + (deflated ? "Sec-WebSocket-Extensions: permessage-deflate\r\n" : ""));
            String head = wire.readHead(101);
            if (head.contains("permessage-deflate") != deflated) {
                throw new IOException("deflated=" + deflated + ": " + head);
            }
            exchange(wire, new byte[0]);
        }

        /** The server may compress a message with references to the one before; the client does not. */
        private void exchange(Wire wire, byte[] before) throws IOException {
            byte[] payload = MESSAGE.getBytes(StandardCharsets.US_ASCII);
            byte[] sent = deflated ? deflate(payload) : payload;
            ByteArrayOutputStream frame = new ByteArrayOutputStream();
            frame.write(FINAL_TEXT | (deflated ? COMPRESSED : 0));
            frame.write(MASKED | sent.length);
            frame.writeBytes(new byte[4]); // a mask that changes nothing
            frame.writeBytes(sent);
            wire.send(frame.toByteArray());
            int first = wire.read();
            byte[] echo = wire.read(wire.read());
            if ((first | (deflated ? COMPRESSED : 0)) != (FINAL_TEXT | (deflated ? COMPRESSED : 0))) {
                throw new IOException("no text: first=" + first);
            }
            byte[] text = first == FINAL_TEXT ? echo : inflate(echo, before);
            same(MESSAGE, new String(text, StandardCharsets.US_ASCII));
        }

        private static byte[] deflate(byte[] text) {
            Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
            try {
                deflater.setInput(text);
                byte[] out = new byte[2 * text.length];
                int length = deflater.deflate(out, 0, out.length, Deflater.SYNC_FLUSH);
                return Arrays.copyOf(out, length - END_OF_BLOCK.length);
            } finally {
                deflater.end();
            }
        }

        private static byte[] inflate(byte[] deflated, byte[] before) throws IOException {
            Inflater inflater = new Inflater(true);
            try {
                inflater.setDictionary(before);
                ByteArrayOutputStream in = new ByteArrayOutputStream();
                in.writeBytes(deflated);
                in.writeBytes(END_OF_BLOCK);
                inflater.setInput(in.toByteArray());
                byte[] out = new byte[2 * MESSAGE.length()];
                return Arrays.copyOf(out, inflater.inflate(out));
            } catch (DataFormatException e) {
                throw new IOException(e);
            } finally {
                inflater.end();
            }
        }

        @Override
        void end(Wire wire) throws IOException {
            exchange(wire, MESSAGE.getBytes(StandardCharsets.US_ASCII));
        }
    }
}

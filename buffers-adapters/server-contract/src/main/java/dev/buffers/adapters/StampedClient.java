// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.adapters;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.zip.DataFormatException;
import org.jspecify.annotations.Nullable;

/**
 * A client whose connections wait in every {@link Stamps.Way}, and end anywhere: after the answer, in the middle of a request, of an
 * answer, of a record of TLS; politely or with a reset. It checks each byte of what it reads. One thread.
 */
final class StampedClient {
    private static final int PATIENCE = 10_000;
    private static final int ACK = 1;

    private final Client client;
    private final Stamps stamps;
    private final List<Protocol> protocols;
    private final Function<Protocol, List<Stamps.Way>> ways;
    private final boolean goesAway;
    private final boolean tellsRequestsApart;
    private final Random random;
    private byte last;

    StampedClient(
            Client client,
            Stamps stamps,
            List<Protocol> protocols,
            Function<Protocol, List<Stamps.Way>> ways,
            boolean goesAway,
            boolean tellsRequestsApart,
            Random random) {
        this.client = client;
        this.stamps = stamps;
        this.protocols = protocols;
        this.ways = ways;
        this.goesAway = goesAway;
        this.tellsRequestsApart = tellsRequestsApart;
        this.random = random;
    }

    /** Goes on until this time, in {@link System#nanoTime} terms. */
    Void until(long end) throws Exception {
        while (System.nanoTime() - end < 0) {
            converse();
        }
        return null;
    }

    private void converse() throws Exception {
        Protocol protocol = protocols.get(random.nextInt(protocols.size()));
        try (Connection connection = client.connect(protocol, PATIENCE)) {
            try {
                if (protocol == Protocol.HTTP2) {
                    streams(connection);
                } else {
                    converse(connection, protocol);
                }
            } finally {
                if (random.nextInt(3) != 0) {
                    connection.vanish();
                }
            }
        } catch (IOException e) {
            // refused, or ended by the server at its cap: no byte was wrong
        }
    }

    private void converse(Connection connection, Protocol protocol) throws Exception {
        last = stamps.next();
        Stamps.Way way = anyWay(protocol);
        if (way.isWebSocket()) { // only as the first request: see WhatTomcatLosesTest
            webSocket(connection, way);
            return;
        }
        int requests = 1 + random.nextInt(4);
        while (requests-- > 0 && !way.isWebSocket()) {
            boolean goesOn = way == Stamps.Way.ECHO ? echoes(connection) : request(connection, way);
            if (!goesOn) {
                return;
            }
            way = anyWay(protocol);
        }
    }

    /** Of the next request over HTTP/1.1. */
    private byte next() {
        last = tellsRequestsApart ? stamps.next() : last;
        return last;
    }

    private Stamps.Way anyWay(Protocol protocol) {
        List<Stamps.Way> possible = ways.apply(protocol);
        return possible.get(random.nextInt(possible.size()));
    }

    /** One request, whose answer may not be read to its end; whether it was. */
    private boolean request(Connection connection, Stamps.Way way) throws Exception {
        byte stamp = next();
        boolean uploads = way == Stamps.Way.UPLOAD || way == Stamps.Way.BLOCKING_UPLOAD;
        byte[] request = uploads ? upload(way, stamp, random.nextInt(Stamps.UPLOAD)) : get(way, stamp);
        return send(connection, request) && answer(connection, way, stamp);
    }

    /** Some requests in one write. */
    private boolean echoes(Connection connection) throws Exception {
        byte[] those = new byte[1 + random.nextInt(3)];
        ByteArrayOutputStream requests = new ByteArrayOutputStream();
        for (int i = 0; i < those.length; i++) {
            those[i] = next();
            requests.writeBytes(upload(Stamps.Way.ECHO, those[i], random.nextInt(12_000)));
        }
        if (!send(connection, requests.toByteArray())) {
            return false;
        }
        for (byte stamp : those) {
            if (!answer(connection, Stamps.Way.ECHO, stamp)) {
                return false;
            }
        }
        return true;
    }

    private static byte[] get(Stamps.Way way, byte stamp) {
        return Connection.get(way.path(stamp)).getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] upload(Stamps.Way way, byte stamp, int length) {
        String head = "POST " + way.path(stamp) + " HTTP/1.1\r\nHost: h\r\nContent-Length: " + length + "\r\n\r\n";
        return with(head, stamped(stamp, length));
    }

    private static byte[] with(String head, byte[] body) {
        byte[] first = head.getBytes(StandardCharsets.US_ASCII);
        byte[] all = Arrays.copyOf(first, first.length + body.length);
        System.arraycopy(body, 0, all, first.length, body.length);
        return all;
    }

    private static byte[] stamped(byte stamp, int length) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, stamp);
        return bytes;
    }

    /** Sends at once, in two parts with a wait between, or not all of it; whether it sent all. */
    private boolean send(Connection connection, byte[] bytes) throws Exception {
        int kind = random.nextInt(12);
        int part = random.nextInt(bytes.length);
        if (kind == 0) {
            connection.cutAfter(part);
        }
        if (kind > 5) {
            connection.write(bytes);
            return true;
        }
        connection.write(kind == 0 ? bytes : Arrays.copyOf(bytes, part));
        pause();
        if (kind > 1) {
            connection.write(Arrays.copyOfRange(bytes, part, bytes.length));
        }
        return kind > 1;
    }

    private void pause() throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(random.nextInt(30));
    }

    /** Reads an answer, perhaps to its end; whether it did, and the next one may follow. */
    private boolean answer(Connection connection, Stamps.Way way, byte stamp) throws Exception {
        String status = connection.line();
        int length = -1;
        boolean chunked = false;
        boolean closes = false;
        for (String header = connection.line(); !header.isEmpty(); header = connection.line()) {
            String lower = header.toLowerCase(Locale.ROOT);
            length = lower.startsWith("content-length:")
                    ? Integer.parseInt(lower.substring(15).trim())
                    : length;
            chunked |= lower.equals("transfer-encoding: chunked");
            closes |= lower.equals("connection: close");
        }
        if (!status.startsWith("HTTP/1.1 ")) {
            stamps.odd("no status, way=" + way + ": " + status);
        }
        if (!status.startsWith("HTTP/1.1 200")) {
            return false; // refused, or its time was over
        }
        long most = random.nextInt(3) == 0 ? random.nextInt(Stamps.DOWNLOAD) : Long.MAX_VALUE;
        boolean whole = chunked
                ? chunks(connection, stamp, way, most)
                : read(connection, stamp, way, length < 0 ? Integer.MAX_VALUE : length, most);
        if (whole) {
            stamps.whole(way);
        }
        return whole && !closes;
    }

    private boolean chunks(Connection connection, byte stamp, Stamps.Way way, long most) throws Exception {
        long left = most;
        while (left > 0) {
            String size = connection.line();
            int length;
            try {
                length = Integer.parseInt(size, 16);
            } catch (NumberFormatException e) {
                stamps.odd("no size of a chunk, way=" + way + ": " + size);
                return false;
            }
            if (!read(connection, stamp, way, length, left)) {
                return false;
            }
            String end = connection.line();
            if (!end.isEmpty()) {
                stamps.odd("no end of a chunk, way=" + way + ": " + end);
                return false;
            }
            if (length == 0) {
                return true;
            }
            left -= length;
        }
        return false;
    }

    private boolean read(Connection connection, byte stamp, Stamps.Way way, int length, long most) throws Exception {
        byte[] some = new byte[10_000];
        int left = (int) Math.min(length, most);
        while (left > 0) {
            int n = connection.in().read(some, 0, Math.min(left, some.length));
            if (n < 0) {
                throw new EOFException("the server hung up");
            }
            stamps.check(stamp, some, 0, n, "answer, way=" + way + ",");
            left -= n;
            if (random.nextInt(40) == 0) {
                pause();
            }
        }
        return length <= most;
    }

    /** Some messages there and back (RFC 6455), the first of which may come with the request. */
    private void webSocket(Connection connection, Stamps.Way way) throws Exception {
        try (PerMessageDeflate deflate = way == Stamps.Way.WEB_SOCKET ? null : new PerMessageDeflate(random)) {
            webSocket(connection, way, stamps.next(), deflate);
        }
    }

    private void webSocket(Connection connection, Stamps.Way way, byte stamp, @Nullable PerMessageDeflate deflate)
            throws Exception {
        String request = String.join(
                "\r\n",
                "GET /ws HTTP/1.1",
                "Host: h",
                "Upgrade: websocket",
                "Connection: Upgrade",
                "Sec-WebSocket-Version: 13",
                "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
                deflate == null ? "" : deflate.offer() + "\r\n",
                "");
        boolean together = random.nextBoolean();
        if (!send(connection, with(request, together ? message(stamp, deflate) : new byte[0]))) {
            return;
        }
        String status = connection.line();
        StringBuilder head = new StringBuilder();
        for (String header = connection.line(); !header.isEmpty(); header = connection.line()) {
            head.append(header).append('\n');
        }
        if (!status.startsWith("HTTP/1.1 101")) {
            return;
        }
        if (deflate != null && !deflate.isAccepted(head.toString())) {
            stamps.odd("not compressed: " + head);
            return;
        }
        for (int i = random.nextInt(4) + (together ? 0 : 1); i > 0; i--) {
            pause();
            if (!send(connection, message(stamp, deflate))) {
                return;
            }
            echo(connection, stamp, deflate);
        }
        if (together) {
            echo(connection, stamp, deflate);
        }
        stamps.whole(way);
    }

    /** A binary message of one or two frames, masked with zeros, and perhaps a ping between them. */
    private byte[] message(byte stamp, @Nullable PerMessageDeflate deflate) {
        byte[] payload = stamped(stamp, 1 + random.nextInt(20_000));
        payload = deflate == null ? payload : deflate.deflate(payload);
        int kind = deflate == null ? 0x02 : 0x42;
        int first = random.nextBoolean() ? payload.length : random.nextInt(payload.length);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        frame(out, first == payload.length ? 0x80 | kind : kind, Arrays.copyOf(payload, first));
        if (first < payload.length) {
            boolean pings = deflate == null || deflate.refers(); // else Jetty loses bytes: see JettyInflaterTest
            if (pings && random.nextBoolean()) {
                frame(out, 0x89, stamped(stamp, 20));
            }
            frame(out, 0x80, Arrays.copyOfRange(payload, first, payload.length));
        }
        return out.toByteArray();
    }

    private static void frame(ByteArrayOutputStream out, int first, byte[] payload) {
        out.write(first);
        if (payload.length < 126) {
            out.write(0x80 | payload.length);
        } else {
            out.write(0x80 | 126);
            out.write(payload.length >> 8);
            out.write(payload.length);
        }
        out.writeBytes(new byte[4]);
        out.writeBytes(payload);
    }

    /** Reads up to the end of a message. */
    private void echo(Connection connection, byte stamp, @Nullable PerMessageDeflate deflate) throws Exception {
        DataInputStream in = connection.in();
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        boolean last = false;
        while (!last) {
            int first = in.readUnsignedByte();
            int length = in.readUnsignedByte();
            long bytes = length == 126 ? in.readUnsignedShort() : length == 127 ? in.readLong() : length;
            int opcode = first & 0x0F;
            if (opcode == 8) {
                throw new EOFException("the server closes");
            }
            int bits = deflate != null && opcode == 2 ? 0x40 : 0;
            if ((first & 0x70) != bits || opcode > 2 && opcode != 9 && opcode != 10 || bytes > 100_000) {
                stamps.odd("no frame of a web socket: " + first + ", " + length + ", " + bytes);
                throw new EOFException("no frame");
            }
            if (deflate != null && opcode < 3) {
                byte[] part = new byte[(int) bytes];
                in.readFully(part);
                compressed.writeBytes(part);
            } else {
                read(connection, stamp, Stamps.Way.WEB_SOCKET, (int) bytes, Long.MAX_VALUE);
            }
            last = opcode < 3 && (first & 0x80) != 0;
        }
        if (deflate != null) {
            inflate(deflate, compressed.toByteArray(), stamp);
        }
    }

    private void inflate(PerMessageDeflate deflate, byte[] compressed, byte stamp) throws EOFException {
        try {
            byte[] message = deflate.inflate(compressed);
            stamps.check(stamp, message, 0, message.length, "compressed message");
        } catch (DataFormatException e) {
            stamps.odd("no compressed message of " + compressed.length + " bytes: " + e);
            throw new EOFException("no message");
        }
    }

    /** Some streams of HTTP/2 at once. */
    private void streams(Connection connection) throws Exception {
        Map<Integer, Byte> open = new HashMap<>();
        Map<Integer, Stamps.Way> its = new HashMap<>();
        int streams = 1 + random.nextInt(4);
        for (int i = 0; i < streams; i++) {
            int stream = 2 * i + 1;
            byte stamp = stamps.next();
            Stamps.Way way = anyWay(Protocol.HTTP2);
            way = way.isWebSocket() ? Stamps.Way.EVENTS : way;
            boolean body = way == Stamps.Way.ECHO || way == Stamps.Way.UPLOAD || way == Stamps.Way.BLOCKING_UPLOAD;
            open.put(stream, stamp);
            its.put(stream, way);
            byte[] head = body ? Http2Frames.head(stream, way.path(stamp)) : Http2Frames.get(stream, way.path(stamp));
            if (!send(connection, head)) {
                return;
            }
            if (body && !send(connection, Http2Frames.data(stream, stamped(stamp, 9_000), random.nextInt(6) != 0))) {
                return;
            }
        }
        int frames = random.nextInt(3) == 0 ? random.nextInt(30) : Integer.MAX_VALUE;
        while (!open.isEmpty() && frames-- > 0) {
            readFrame(connection, open, its);
            if (random.nextInt(40) == 0 && !open.isEmpty()) {
                int stream = open.keySet().iterator().next();
                connection.write(Http2Frames.reset(stream));
                its.remove(stream);
                open.remove(stream);
            }
        }
        if (goesAway && random.nextBoolean()) {
            connection.write(Http2Frames.goAway());
        }
    }

    private void readFrame(Connection connection, Map<Integer, Byte> open, Map<Integer, Stamps.Way> its)
            throws Exception {
        DataInputStream in = connection.in();
        int lengthAndType = in.readInt();
        int flags = in.readUnsignedByte();
        int stream = in.readInt();
        byte[] payload = new byte[lengthAndType >>> 8];
        in.readFully(payload);
        Byte stamp = open.get(stream);
        switch ((byte) lengthAndType) {
            case Http2Frames.DATA -> {
                if (stamp != null && its.containsKey(stream)) {
                    stamps.check(stamp, payload, 0, payload.length, "HTTP/2, way=" + its.get(stream) + ",");
                }
                if (payload.length > 0 && random.nextInt(30) == 0) {
                    pause();
                }
                if (payload.length > 0) {
                    connection.write(Http2Frames.window(0, payload.length));
                    if ((flags & Http2Frames.END_STREAM) == 0) {
                        connection.write(Http2Frames.window(stream, payload.length));
                    }
                }
            }
            case Http2Frames.HEADERS -> {
                if (!isOk(payload)) {
                    its.remove(stream);
                }
            }
            case Http2Frames.SETTINGS -> {
                if ((flags & ACK) == 0) {
                    connection.write(Http2Frames.settingsApplied());
                }
            }
            case Http2Frames.PING -> {
                if ((flags & ACK) == 0) {
                    connection.write(Http2Frames.pong(payload));
                }
            }
            case Http2Frames.RST_STREAM -> open.remove(stream);
            case Http2Frames.GOAWAY -> throw new EOFException("the server closes");
            default -> {
                if ((lengthAndType & 0xFF) > 9) {
                    stamps.odd("no frame of HTTP/2: " + Integer.toHexString(lengthAndType));
                    throw new EOFException("no frame");
                }
            }
        }
        boolean ends = (byte) lengthAndType == Http2Frames.DATA || (byte) lengthAndType == Http2Frames.HEADERS;
        if (ends && (flags & Http2Frames.END_STREAM) != 0) {
            open.remove(stream);
            Stamps.Way way = its.remove(stream);
            if (way != null) {
                stamps.whole(way);
            }
        }
    }

    /** Whether a head begins with the status 200, which HPACK has in its table; a change of the table's size may come first. */
    private static boolean isOk(byte[] head) {
        int at = 0;
        while (at < head.length && (head[at] & 0xE0) == 0x20) {
            boolean more = (head[at++] & 0x1F) == 0x1F;
            while (more && at < head.length) {
                more = (head[at++] & 0x80) != 0;
            }
        }
        return at < head.length && (head[at] & 0xFF) == 0x88;
    }
}

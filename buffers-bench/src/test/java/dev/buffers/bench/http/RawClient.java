// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.http;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** A socket to the server, for requests that no well-behaved client would send. */
final class RawClient implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 60_000;

    private static final int SMALL_WINDOW = 32_768;

    private final Socket socket;
    private final InputStream in;

    RawClient(int port) throws IOException {
        this(port, new Socket());
    }

    private RawClient(int port, Socket socket) throws IOException {
        this.socket = socket;
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        in = socket.getInputStream();
    }

    /** A small receive window, so that the server soon cannot write. */
    static RawClient slow(int port) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(SMALL_WINDOW);
        return new RawClient(port, socket);
    }

    RawClient send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        return this;
    }

    RawClient get(String target) throws IOException {
        return send("GET " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    }

    /** Reads a response with its body. */
    Reply reply() throws IOException {
        return reply(true);
    }

    /** Reads a response to HEAD. */
    Reply replyWithoutBody() throws IOException {
        return reply(false);
    }

    private Reply reply(boolean withBody) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
            head.write(read());
        }
        Reply reply = new Reply(head.toString(StandardCharsets.ISO_8859_1), new byte[0]);
        byte[] body = withBody ? in.readNBytes(Integer.parseInt(reply.header("Content-Length"))) : new byte[0];
        return new Reply(reply.head(), body);
    }

    int read() throws IOException {
        int b = in.read();
        if (b < 0) {
            throw new EOFException("the server closed the connection");
        }
        return b;
    }

    /** Whether the server has closed the connection, and sent nothing before that. */
    boolean isAtEnd() throws IOException {
        return in.read() < 0;
    }

    /** Reads to the end, and says how many bytes that were. */
    long drain() throws IOException {
        return in.transferTo(OutputStream.nullOutputStream());
    }

    /** Closes with a reset instead of an orderly end. */
    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    /** A response. */
    record Reply(String head, byte[] body) {
        int status() {
            return Integer.parseInt(head.substring(9, 12));
        }

        /** A header's value, or an empty string. */
        String header(String name) {
            return head.lines()
                    .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(name.toLowerCase(Locale.ROOT) + ":"))
                    .map(line -> line.substring(name.length() + 1).strip())
                    .findFirst()
                    .orElse("");
        }

        boolean closes() {
            return header("Connection").equals("close");
        }
    }
}

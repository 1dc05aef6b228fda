// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.adapters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/** One connection of a client that writes its own HTTP/1.1, or {@link Http2Frames}, and may leave without a word. */
final class Connection implements AutoCloseable {
    private final Wire wire;
    private final Socket socket;
    private final DataInputStream in;

    private Connection(Wire wire, Socket socket) throws IOException {
        this.wire = wire;
        this.socket = socket;
        this.in = new DataInputStream(socket.getInputStream());
    }

    /** Waits for the server so many milliseconds at most, whatever it is about to say. Over HTTP/2 it has written the preface. */
    static Connection open(Protocol protocol, URI server, SSLSocketFactory tls, int patience) throws IOException {
        Wire wire = new Wire();
        wire.setReceiveBufferSize(256 * 1024); // fixed, so that it does not grow until a large answer fits
        wire.setSoTimeout(patience);
        wire.setTcpNoDelay(true);
        wire.connect(new InetSocketAddress(InetAddress.getByName(server.getHost()), server.getPort()));
        if (!protocol.tls()) {
            return new Connection(wire, wire);
        }
        SSLSocket socket = (SSLSocket) tls.createSocket(wire, server.getHost(), server.getPort(), true);
        Connection connection = new Connection(wire, socket);
        if (protocol == Protocol.HTTP2) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setApplicationProtocols(new String[] {"h2"});
            socket.setSSLParameters(parameters);
            connection.write(Http2Frames.preface());
            assertEquals("h2", socket.getApplicationProtocol());
        }
        return connection;
    }

    static String get(String path) {
        return "GET " + path + " HTTP/1.1\r\nHost: h\r\n\r\n";
    }

    /** The head of a request to {@link Reply#DIGEST} with a body of that length. */
    static String post(int length) {
        return "POST " + Reply.DIGEST.path() + " HTTP/1.1\r\nHost: h\r\nContent-Length: " + length + "\r\n\r\n";
    }

    /** The same with a body in chunks. */
    static String postChunked() {
        return "POST " + Reply.DIGEST.path() + " HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n";
    }

    void write(String text) throws IOException {
        write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    void write(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
    }

    int read() throws IOException {
        return in.read();
    }

    /** The rest of a body that has a length, or of another protocol. */
    DataInputStream in() {
        return in;
    }

    /** Of the next answer, of which nothing more is read; -1 when the server hangs up instead. */
    int readStatus() throws IOException {
        String status;
        try {
            status = line();
        } catch (EOFException | SocketException e) {
            return -1;
        }
        assertTrue(status.startsWith("HTTP/1.1 "), status);
        return Integer.parseInt(status.substring(9, 12));
    }

    /** The body of the next answer, whose status must be 200. */
    byte[] readAnswer() throws IOException {
        String status = line();
        assertTrue(status.startsWith("HTTP/1.1 200"), status);
        int length = -1;
        for (String header = line(); !header.isEmpty(); header = line()) {
            String lower = header.toLowerCase(Locale.ROOT);
            if (lower.startsWith("content-length:")) {
                length =
                        Integer.parseInt(lower.substring(lower.indexOf(':') + 1).trim());
            }
        }
        return length >= 0 ? exactly(length) : chunks();
    }

    private byte[] chunks() throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        while (true) {
            byte[] chunk = exactly(Integer.parseInt(line(), 16));
            body.writeBytes(chunk);
            String end = line();
            assertTrue(end.isEmpty(), end);
            if (chunk.length == 0) {
                return body.toByteArray();
            }
        }
    }

    private byte[] exactly(int length) throws IOException {
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        return bytes;
    }

    String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new EOFException("the server hung up after: " + line);
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    /** From now on only so many bytes go out, as if a cable were cut: with TLS mostly in the middle of a record. */
    void cutAfter(int bytes) {
        wire.left = bytes;
    }

    /** Closes with a reset; with TLS no close_notify is sent before it. */
    void vanish() throws IOException {
        wire.setSoLinger(true, 0);
        wire.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    /** A socket whose output ends silently. */
    private static final class Wire extends Socket {
        private int left = Integer.MAX_VALUE;

        @Override
        public OutputStream getOutputStream() throws IOException {
            return new FilterOutputStream(super.getOutputStream()) {
                @Override
                public void write(byte[] bytes, int offset, int length) throws IOException {
                    int most = Math.min(length, left);
                    out.write(bytes, offset, most);
                    left -= left == Integer.MAX_VALUE ? 0 : most;
                }

                @Override
                public void write(int one) throws IOException {
                    write(new byte[] {(byte) one}, 0, 1);
                }
            };
        }
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.frameworks;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/** A client's connection, and the texts of HTTP/1.1 on it. It has no buffer, since a client has thousands of them. */
final class Wire implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 30_000;

    /** What the system takes for a client that does not read. */
    private static final int RECEIVE_BUFFER = 64 << 10;

    private static final byte[] HALF_A_HEAD = {23, 3, 3};

    private final Socket socket;
    private final Socket plain;

    private Wire(Socket socket, Socket plain) {
        this.socket = socket;
        this.plain = plain;
    }

    /** Connects, with TLS where there is a factory; the protocol is chosen in its handshake. */
    static Wire connect(int port, @Nullable SSLSocketFactory tls, String protocol) throws IOException {
        Socket plain = new Socket();
        try {
            plain.setReceiveBufferSize(RECEIVE_BUFFER);
            plain.setTcpNoDelay(true); // or a handshake's last record and the request wait for each other
            plain.setSoTimeout(PATIENCE_MILLIS);
            plain.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PATIENCE_MILLIS);
            if (tls == null) {
                return new Wire(plain, plain);
            }
            SSLSocket secure = (SSLSocket) tls.createSocket(plain, "localhost", port, true);
            SSLParameters parameters = secure.getSSLParameters();
            parameters.setApplicationProtocols(new String[] {protocol});
            secure.setSSLParameters(parameters);
            secure.startHandshake();
            return new Wire(secure, plain);
        } catch (IOException e) {
            plain.close();
            throw e;
        }
    }

    boolean isSecure() {
        return socket instanceof SSLSocket;
    }

    void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    void send(String ascii) throws IOException {
        send(ascii.getBytes(StandardCharsets.US_ASCII));
    }

    /** A request without a body; each of the headers ends with a line break. */
    void request(String method, String path, String headers) throws IOException {
        send(method + " " + path + " HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n");
    }

    int read() throws IOException {
        int next = socket.getInputStream().read();
        if (next < 0) {
            throw new EOFException("the server has closed the connection");
        }
        return next;
    }

    byte[] read(int count) throws IOException {
        byte[] bytes = socket.getInputStream().readNBytes(count);
        if (bytes.length < count) {
            throw new EOFException("the server has closed the connection");
        }
        return bytes;
    }

    void skip(long count) throws IOException {
        byte[] some = new byte[1 << 14];
        for (long left = count; left > 0; ) {
            int n = socket.getInputStream().read(some, 0, (int) Math.min(left, some.length));
            if (n < 0) {
                throw new EOFException("the server has closed the connection: missing=" + left);
            }
            left -= n;
        }
    }

    /** Reads up to the end of such a text. */
    String readTo(String end) throws IOException {
        StringBuilder text = new StringBuilder();
        while (text.length() < end.length()
                || !text.substring(text.length() - end.length()).equals(end)) {
            text.append((char) read());
        }
        return text.toString();
    }

    /** The head of an answer, in lower case; another status is an error. */
    String readHead(int status) throws IOException {
        String head = readTo("\r\n\r\n").toLowerCase(Locale.ROOT);
        if (!head.startsWith("http/1.1 " + status)) {
            throw new IOException("not the status " + status + ": " + head);
        }
        return head;
    }

    /** The length that a head gives. */
    static int length(String head) throws IOException {
        int at = head.indexOf("content-length:");
        if (at < 0) {
            throw new IOException("no answer with a length: " + head);
        }
        return Integer.parseInt(head.substring(at + 15, head.indexOf('\r', at)).trim());
    }

    /** A whole answer's body, with a length. */
    String readAnswer() throws IOException {
        return new String(read(length(readHead(200))), StandardCharsets.US_ASCII);
    }

    /** Ends without a word: the server gets a reset. */
    void reset() throws IOException {
        plain.setSoLinger(true, 0);
        plain.close();
    }

    /** Ends in the middle of a record's head. */
    void cut() throws IOException {
        plain.getOutputStream().write(HALF_A_HEAD);
        plain.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

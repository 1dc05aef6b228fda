// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.tomcat;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.adapters.Certificate;
import dev.buffers.adapters.StampedServlet;
import dev.buffers.adapters.Stamps;
import java.io.BufferedInputStream;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Tomcat loses on its own buffers too. If a test fails, Tomcat has fixed that, and {@code StampedClient} may do it again. */
@Tag("full")
class WhatTomcatLosesTest {
    private static final byte[] FRAME = {(byte) 0x82, (byte) 0x84, 0, 0, 0, 0, 1, 2, 3, 4};
    private static final byte[] ECHO = {(byte) 0x82, 4, 1, 2, 3, 4};

    @TempDir
    Path folder;

    /**
     * The upgrade is then processed in the event of the write. {@code AbstractProtocol.ConnectionHandler.process} does not register a
     * connection for reads after such an event, so Tomcat never reads from the web socket, nor notices that its client leaves.
     */
    @Test
    void webSocketBehindAnswerOfWriteListenerIsNeverRead() throws Exception {
        try (Stamps stamps = new Stamps();
                TomcatServer server = new TomcatServer(
                        folder, Certificate.context(), settings -> settings, Optional.empty(), false)) {
            server.add(Stamps.PREFIX + "*", new StampedServlet(stamps));
            server.start();
            assertTrue(isEchoed(server, Stamps.Way.POLL));
            assertThrows(SocketTimeoutException.class, () -> isEchoed(server, Stamps.Way.DOWNLOAD));
        }
    }

    /** Sends a request, and behind it an upgrade with its first message; whether that comes back. */
    private static boolean isEchoed(TomcatServer server, Stamps.Way first) throws Exception {
        try (Socket socket = new Socket(server.http().getHost(), server.http().getPort())) {
            socket.setSoTimeout(3_000);
            byte[] heads = ("GET " + Stamps.PREFIX + first + "/7 HTTP/1.1\r\nHost: h\r\n\r\n"
                            + "GET /ws HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                            + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII);
            byte[] all = Arrays.copyOf(heads, heads.length + FRAME.length);
            System.arraycopy(FRAME, 0, all, heads.length, FRAME.length);
            socket.getOutputStream().write(all);
            InputStream in = new BufferedInputStream(socket.getInputStream());
            byte[] last = new byte[ECHO.length];
            while (!Arrays.equals(ECHO, last)) {
                int next = in.read();
                if (next < 0) {
                    return false;
                }
                System.arraycopy(last, 1, last, 0, last.length - 1);
                last[last.length - 1] = (byte) next;
            }
            return true;
        }
    }
}

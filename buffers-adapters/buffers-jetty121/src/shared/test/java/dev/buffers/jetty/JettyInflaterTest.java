// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.jetty;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.adapters.Certificate;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.Inflater;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What Jetty does on its own buffers too: without context takeover, a ping between two frames of a compressed message ends the message for
 * its inflater ({@code PerMessageDeflateExtension.nextIncomingFrame} does so after every last frame, and a ping is one). If this test fails,
 * Jetty has fixed that, and {@code StampedClient} may send such pings again.
 */
class JettyInflaterTest {
    private static final byte[] MESSAGE = {1, 2, 3, 0};

    /** Half of the message, stored; the other half alone says that no more bytes follow. */
    private static final byte[] FIRST_FRAME = {0x42, (byte) 0x87, 0, 0, 0, 0, 0, 4, 0, (byte) 0xFB, (byte) 0xFF, 1, 2};

    private static final byte[] PING = {(byte) 0x89, (byte) 0x80, 0, 0, 0, 0};
    private static final byte[] LAST_FRAME = {(byte) 0x80, (byte) 0x83, 0, 0, 0, 0, 3, 0, 0};
    private static final byte[] NOTHING = {};

    @TempDir
    Path folder;

    @Test
    void pingWithinCompressedMessageLosesItsSecondHalf() throws Exception {
        JettyServer server =
                new JettyServer(null, new QueuedThreadPool(), new Handler.Wrapper(), folder, Certificate.context());
        try {
            assertArrayEquals(MESSAGE, echo(server, "", PING));
            assertArrayEquals(MESSAGE, echo(server, ";client_no_context_takeover", NOTHING));
            assertArrayEquals(
                    Arrays.copyOf(MESSAGE, MESSAGE.length / 2), echo(server, ";client_no_context_takeover", PING));
        } finally {
            server.stop();
        }
    }

    private static byte[] echo(JettyServer server, String parameter, byte[] between) throws Exception {
        try (Socket socket = new Socket(server.http().getHost(), server.http().getPort())) {
            socket.setSoTimeout(300_000);
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            out.writeBytes(("GET /ws HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                            + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
                            + "Sec-WebSocket-Extensions: permessage-deflate" + parameter + "\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            out.writeBytes(FIRST_FRAME);
            out.writeBytes(between);
            out.writeBytes(LAST_FRAME);
            socket.getOutputStream().write(out.toByteArray());
            DataInputStream in = new DataInputStream(socket.getInputStream());
            StringBuilder head = new StringBuilder();
            while (head.indexOf("\r\n\r\n") < 0) {
                head.append((char) in.readUnsignedByte());
            }
            assertTrue(head.indexOf("permessage-deflate" + parameter) > 0, head::toString);
            int first = in.readUnsignedByte();
            byte[] payload = in.readNBytes(in.readUnsignedByte());
            if (between.length > 0) {
                assertEquals(0x8A, first); // the pong
                first = in.readUnsignedByte();
                payload = in.readNBytes(in.readUnsignedByte());
            }
            assertEquals(0xC2, first);
            return inflate(payload);
        }
    }

    private static byte[] inflate(byte[] payload) throws Exception {
        Inflater inflater = new Inflater(true);
        try {
            inflater.setInput(payload);
            byte[] message = new byte[100];
            return Arrays.copyOf(message, inflater.inflate(message));
        } finally {
            inflater.end();
        }
    }
}

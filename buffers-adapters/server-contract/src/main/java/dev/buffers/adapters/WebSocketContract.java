// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.adapters;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An endpoint at {@code /ws} that sends every message back, text and binary, of up to a megabyte. */
public interface WebSocketContract {
    /** {@link ServerContract}'s. */
    Client client();

    @Test
    default void webSocketMessagesComeBack() throws Exception {
        exchange();
    }

    private void exchange() throws Exception {
        for (Protocol protocol : new Protocol[] {Protocol.HTTP, Protocol.HTTPS}) {
            Messages messages = new Messages();
            WebSocket socket = open(protocol, messages);
            for (int length : new int[] {5, 0, 125, 126, 65_535, 65_536, Payload.FILE.length}) {
                String text = new String(Payload.TEXT, 0, length, StandardCharsets.US_ASCII);
                socket.sendText(text, true).get(300, TimeUnit.SECONDS);
                assertEquals(text, new String(messages.next(), StandardCharsets.UTF_8));
                byte[] bytes = Arrays.copyOf(Payload.FILE, length);
                socket.sendBinary(ByteBuffer.wrap(bytes, 0, length / 2), false).get(300, TimeUnit.SECONDS);
                socket.sendBinary(ByteBuffer.wrap(bytes, length / 2, length - length / 2), true)
                        .get(300, TimeUnit.SECONDS);
                assertArrayEquals(bytes, messages.next());
            }
            socket.sendClose(WebSocket.NORMAL_CLOSURE, "").get(300, TimeUnit.SECONDS);
            messages.closed();
        }
    }

    @Tag("full")
    @Test
    default void webSocketClientsThatVanish() throws Exception {
        for (Protocol protocol : new Protocol[] {Protocol.HTTP, Protocol.HTTPS}) {
            for (int i = 0; i < 20; i++) {
                WebSocket socket = open(protocol, new Messages());
                socket.sendBinary(ByteBuffer.wrap(Payload.FILE), i % 2 == 0).get(300, TimeUnit.SECONDS);
                socket.abort();
            }
        }
        exchange();
    }

    private WebSocket open(Protocol protocol, Messages messages) throws Exception {
        URI http = client().uri(protocol, "/ws");
        URI uri = URI.create(http.toString().replaceFirst("http", "ws"));
        return client().http().newWebSocketBuilder().buildAsync(uri, messages).get(300, TimeUnit.SECONDS);
    }
}

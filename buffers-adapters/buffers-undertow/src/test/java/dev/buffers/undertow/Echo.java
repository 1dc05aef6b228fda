// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.undertow;

import io.undertow.websockets.core.AbstractReceiveListener;
import io.undertow.websockets.core.BufferedBinaryMessage;
import io.undertow.websockets.core.BufferedTextMessage;
import io.undertow.websockets.core.StreamSourceFrameChannel;
import io.undertow.websockets.core.WebSocketCallback;
import io.undertow.websockets.core.WebSocketChannel;
import io.undertow.websockets.core.WebSockets;
import java.nio.ByteBuffer;
import org.xnio.Pooled;

/** Sends each message back. */
final class Echo extends AbstractReceiveListener {
    private volatile BufferedBinaryMessage incoming = new BufferedBinaryMessage(true);

    private Echo() {}

    /**
     * Undertow forgets the buffers of a binary message whose sender vanishes halfway, whatever pool they are from: {@link
     * UndertowsOwnPoolTest} shows it. So we keep the message ourselves and give its buffers back when the connection ends.
     */
    static void on(WebSocketChannel channel) {
        Echo echo = new Echo();
        channel.addCloseTask(closed -> echo.incoming.getData().free());
        channel.getReceiveSetter().set(echo);
        channel.resumeReceives();
    }

    @Override
    protected void onFullTextMessage(WebSocketChannel channel, BufferedTextMessage message) {
        WebSockets.sendText(message.getData(), channel, null);
    }

    @Override
    protected void onBinary(WebSocketChannel channel, StreamSourceFrameChannel frames) {
        BufferedBinaryMessage message = new BufferedBinaryMessage(true);
        incoming = message;
        message.read(frames, new WebSocketCallback<>() {
            @Override
            public void complete(WebSocketChannel of, BufferedBinaryMessage whole) {
                send(whole.getData(), of);
            }

            @Override
            public void onError(WebSocketChannel of, BufferedBinaryMessage part, Throwable error) {
                part.getData().free();
                Echo.this.onError(of, error);
            }
        });
    }

    /** Undertow sends what it is given later, so the buffers go back when it has. */
    @SuppressWarnings("deprecation") // what Undertow's messages are made of
    private static void send(Pooled<ByteBuffer[]> data, WebSocketChannel channel) {
        WebSockets.sendBinary(data.getResource(), channel, new WebSocketCallback<>() {
            @Override
            public void complete(WebSocketChannel of, Void nothing) {
                data.free();
            }

            @Override
            public void onError(WebSocketChannel of, Void nothing, Throwable error) {
                data.free();
            }
        });
    }
}

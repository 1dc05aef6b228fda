// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.adapters;

import java.io.ByteArrayOutputStream;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The messages received over a web socket, each put together from its parts; text as UTF-8. */
public final class Messages implements WebSocket.Listener {
    private final ByteArrayOutputStream parts = new ByteArrayOutputStream();
    private final BlockingQueue<byte[]> whole = new LinkedBlockingQueue<>();
    private final CompletableFuture<Integer> closed = new CompletableFuture<>();

    /** The next whole message. */
    public byte[] next() throws Exception {
        byte[] message = whole.poll(300, TimeUnit.SECONDS);
        if (message == null) {
            throw new TimeoutException("no message, closed=" + closed);
        }
        return message;
    }

    /** Waits until the server has closed the web socket. */
    void closed() throws Exception {
        closed.get(300, TimeUnit.SECONDS);
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
        return add(socket, data.toString().getBytes(StandardCharsets.UTF_8), last);
    }

    @Override
    public @Nullable CompletionStage<?> onBinary(WebSocket socket, ByteBuffer data, boolean last) {
        byte[] bytes = new byte[data.remaining()];
        data.get(bytes);
        return add(socket, bytes, last);
    }

    private @Nullable CompletionStage<?> add(WebSocket socket, byte[] bytes, boolean last) {
        parts.writeBytes(bytes);
        if (last) {
            whole.add(parts.toByteArray());
            parts.reset();
        }
        socket.request(1);
        return null;
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket socket, int status, String reason) {
        closed.complete(status);
        return null;
    }

    @Override
    public void onError(WebSocket socket, Throwable error) {
        closed.completeExceptionally(error);
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.tlschannel;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.SocketChannel;

/** The layer between a client's TLS and its socket: it can keep written bytes, to send a part of them. */
final class Wire implements ByteChannel {

    /** Makes a wire, or any other channel. */
    @FunctionalInterface
    interface Maker {
        ByteChannel over(SocketChannel socket);
    }

    private final SocketChannel socket;
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private boolean keeps;

    Wire(SocketChannel socket) {
        this.socket = socket;
    }

    /** From now on nothing is sent but by {@link #send}. */
    void keep() {
        keeps = true;
    }

    int kept() {
        return kept.size();
    }

    /** Sends the first of the kept bytes. */
    void send(int count) throws IOException {
        byte[] all = kept.toByteArray();
        ByteBuffer part = ByteBuffer.wrap(all, 0, count);
        while (part.hasRemaining()) {
            socket.write(part);
        }
        kept.reset();
        kept.write(all, count, all.length - count);
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        return socket.read(into);
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        if (!keeps) {
            return socket.write(from);
        }
        int count = from.remaining();
        while (from.hasRemaining()) {
            kept.write(from.get());
        }
        return count;
    }

    @Override
    public boolean isOpen() {
        return socket.isOpen();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

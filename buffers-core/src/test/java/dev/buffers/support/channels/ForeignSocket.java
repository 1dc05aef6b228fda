// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support.channels;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** An asynchronous socket that is not the JDK's own, over one that is. */
public final class ForeignSocket extends AsynchronousSocketChannel {
    private final AsynchronousSocketChannel real;

    public ForeignSocket(AsynchronousSocketChannel real) {
        super(real.provider());
        this.real = real;
    }

    @Override
    public <A> void read(
            ByteBuffer into, long timeout, TimeUnit unit, A attachment, CompletionHandler<Integer, ? super A> handler) {
        real.read(into, timeout, unit, attachment, handler);
    }

    @Override
    public <A> void write(
            ByteBuffer from, long timeout, TimeUnit unit, A attachment, CompletionHandler<Integer, ? super A> handler) {
        real.write(from, timeout, unit, attachment, handler);
    }

    @Override
    public <A> void read(
            ByteBuffer[] into,
            int offset,
            int length,
            long timeout,
            TimeUnit unit,
            A attachment,
            CompletionHandler<Long, ? super A> handler) {
        real.read(into, offset, length, timeout, unit, attachment, handler);
    }

    @Override
    public <A> void write(
            ByteBuffer[] from,
            int offset,
            int length,
            long timeout,
            TimeUnit unit,
            A attachment,
            CompletionHandler<Long, ? super A> handler) {
        real.write(from, offset, length, timeout, unit, attachment, handler);
    }

    @Override
    public Future<Integer> read(ByteBuffer into) {
        return real.read(into);
    }

    @Override
    public Future<Integer> write(ByteBuffer from) {
        return real.write(from);
    }

    @Override
    public boolean isOpen() {
        return real.isOpen();
    }

    @Override
    public void close() throws IOException {
        real.close();
    }

    @Override
    public AsynchronousSocketChannel bind(SocketAddress local) throws IOException {
        real.bind(local);
        return this;
    }

    @Override
    public <T> AsynchronousSocketChannel setOption(SocketOption<T> name, T value) throws IOException {
        real.setOption(name, value);
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> name) throws IOException {
        return real.getOption(name);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return real.supportedOptions();
    }

    @Override
    public AsynchronousSocketChannel shutdownInput() throws IOException {
        real.shutdownInput();
        return this;
    }

    @Override
    public AsynchronousSocketChannel shutdownOutput() throws IOException {
        real.shutdownOutput();
        return this;
    }

    @Override
    public SocketAddress getRemoteAddress() throws IOException {
        return real.getRemoteAddress();
    }

    @Override
    public SocketAddress getLocalAddress() throws IOException {
        return real.getLocalAddress();
    }

    @Override
    public <A> void connect(SocketAddress remote, A attachment, CompletionHandler<Void, ? super A> handler) {
        real.connect(remote, attachment, handler);
    }

    @Override
    public Future<Void> connect(SocketAddress remote) {
        return real.connect(remote);
    }
}

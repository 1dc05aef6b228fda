// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.tomcat;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.NioEndpoint.NioSocketWrapper;

/** Copies to and from a connection's buffers, so that Tomcat's wrapper does not: it would hold a view while another thread closes. */
final class PooledSocketWrapper extends NioSocketWrapper {
    private final ConnectionBuffers buffers;

    PooledSocketWrapper(NioChannel channel, ConnectionBuffers buffers, NioEndpoint endpoint) {
        super(channel, endpoint);
        this.buffers = buffers;
    }

    @Override
    public boolean isReadyForRead() throws IOException {
        if (buffers.unreadBytes() > 0) {
            return true;
        }
        int count = getSocket().read(buffers.getReadBuffer());
        if (count < 0) {
            throw new EOFException();
        }
        return count > 0;
    }

    @Override
    public int read(boolean block, byte[] bytes, int offset, int length) throws IOException {
        return read(block, ByteBuffer.wrap(bytes, offset, length));
    }

    @Override
    protected int populateReadBuffer(byte[] bytes, int offset, int length) {
        return populateReadBuffer(ByteBuffer.wrap(bytes, offset, length));
    }

    @Override
    protected int populateReadBuffer(ByteBuffer to) {
        if (buffers.unreadBytes() == 0) {
            return 0;
        }
        try {
            return buffers.drain(to);
        } catch (ClosedChannelException e) {
            return 0; // the read that follows says so
        }
    }

    /** {@inheritDoc} Closes the connection when there is no buffer for them. */
    @Override
    public void unRead(ByteBuffer returned) {
        try {
            super.unRead(returned);
        } catch (UncheckedIOException e) {
            setError(e.getCause());
            close();
        }
    }

    @Override
    protected void writeBlocking(byte[] bytes, int offset, int length) throws IOException {
        writeBlocking(ByteBuffer.wrap(bytes, offset, length));
    }

    /** {@inheritDoc} From inside, so that all of it goes through one lease. */
    @Override
    protected void writeBlocking(ByteBuffer from) throws IOException {
        buffers.enterWrite();
        try {
            while (from.hasRemaining()) {
                buffers.append(from);
                if (from.hasRemaining()) {
                    doWrite(true);
                }
            }
        } finally {
            buffers.exitWrite();
        }
    }

    @Override
    protected void writeNonBlocking(byte[] bytes, int offset, int length) throws IOException {
        writeNonBlocking(ByteBuffer.wrap(bytes, offset, length));
    }

    @Override
    protected void writeNonBlockingInternal(ByteBuffer from) throws IOException {
        buffers.enterWrite();
        try {
            buffers.append(from);
            while (from.hasRemaining()) {
                doWrite(false);
                if (!buffers.isWriteBufferWritable()) {
                    return;
                }
                buffers.append(from);
            }
        } finally {
            buffers.exitWrite();
        }
    }

    /** {@inheritDoc} From inside, so that what Tomcat holds in its loop stays this connection's until the loop ends. */
    @Override
    protected void doWrite(boolean block) throws IOException {
        buffers.enterWrite();
        try {
            doWrite(block, buffers.toSend());
        } finally {
            buffers.exitWrite();
        }
    }

    @Override
    protected void doClose() {
        try {
            super.doClose();
        } finally {
            buffers.close();
        }
    }
}

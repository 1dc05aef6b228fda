// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.tomcat;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.tomcat.util.net.NioChannel;

/** A connection without TLS. What Tomcat reads into and writes from its own buffers needs no lease. */
final class PooledNioChannel extends NioChannel {
    private final ConnectionBuffers buffers;

    PooledNioChannel(ConnectionBuffers buffers) {
        super(buffers);
        this.buffers = buffers;
    }

    @Override
    public int read(ByteBuffer dst) throws IOException {
        if (!buffers.isReadPlaceholder(dst)) {
            return super.read(dst);
        }
        buffers.enterRead();
        try {
            return super.read(buffers.toFill());
        } finally {
            buffers.exitRead();
        }
    }

    @Override
    public long read(ByteBuffer[] dsts, int offset, int length) throws IOException {
        return buffers.unreadBytes() == 0
                ? super.read(dsts, offset, length)
                : Unread.drain(buffers, dsts, offset, length);
    }

    @Override
    public int write(ByteBuffer src) throws IOException {
        if (src != ConnectionBuffers.UNSENT) {
            return super.write(src);
        }
        buffers.enterWrite();
        try {
            return super.write(buffers.toSend());
        } finally {
            buffers.exitWrite();
        }
    }

    @Override
    public void close(boolean force) throws IOException {
        try {
            super.close(force);
        } finally {
            buffers.close();
        }
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.tomcat;

import dev.buffers.PooledBuffer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.SecureNioChannel;
import org.jspecify.annotations.Nullable;

/**
 * A connection with TLS. Between a thread's {@code enter} and {@code exit} the fields {@code netInBuffer} and {@code netOutBuffer} hold
 * leases, or larger buffers that Tomcat has put there; otherwise they hold what a thread left in them, or {@link ConnectionBuffers#NONE}.
 *
 * <p>What lies between position and limit of {@code netOutBuffer} may be sent, so it must be this connection's and not what the memory's
 * last holder left there. Tomcat clears the buffer before JSSE fills it. So one thread at a time uses it, by {@code outgoingLock}: one that
 * writes, one that reads and must answer a handshake, or one that closes. It is held for as long as JSSE and a write that does not block
 * take, in a handshake also for JSSE's tasks; a thread that closes does not wait for it. When JSSE fails halfway the buffer is emptied.
 */
final class PooledSecureNioChannel extends SecureNioChannel implements ConnectionBuffers.RecordBuffers {
    /** A TLS record at its largest, as JSSE wants room for it; the pool has a size class of just that. */
    private static final int TLS_RECORD = 16_896;

    private final ConnectionBuffers buffers;
    private final ReentrantLock outgoingLock = new ReentrantLock();
    private int recordSize = TLS_RECORD;
    private @Nullable PooledBuffer incoming;
    private @Nullable PooledBuffer outgoing;

    PooledSecureNioChannel(ConnectionBuffers buffers, NioEndpoint endpoint) {
        super(buffers, endpoint);
        this.buffers = buffers;
        netInBuffer = ConnectionBuffers.NONE; // in the place of two arrays that Tomcat's constructor makes
        netOutBuffer = ConnectionBuffers.NONE;
        buffers.setRecords(this);
    }

    @Override
    public @Nullable PooledBuffer takeIncoming(boolean closed) {
        PooledBuffer lease = incoming;
        boolean replaced = lease == null || lease.buffer() != netInBuffer;
        if (replaced) {
            recordSize = Math.max(recordSize, netInBuffer.capacity());
        }
        boolean done = closed || netInBuffer.position() == 0;
        if (done) {
            netInBuffer = ConnectionBuffers.NONE;
        } else if (!replaced) {
            return null;
        }
        incoming = null;
        return lease;
    }

    @Override
    public @Nullable PooledBuffer takeOutgoing(boolean closed) {
        PooledBuffer lease = outgoing;
        boolean replaced = lease == null || lease.buffer() != netOutBuffer;
        boolean done = closed || !netOutBuffer.hasRemaining();
        if (done) {
            netOutBuffer = ConnectionBuffers.NONE;
        } else if (!replaced) {
            return null;
        }
        outgoing = null;
        return lease;
    }

    /** Makes sure that there is room for an incoming record; only inside reads. */
    private void lendIncoming() throws IOException {
        if (netInBuffer != ConnectionBuffers.NONE) {
            return;
        }
        PooledBuffer lease = buffers.acquire(recordSize);
        synchronized (buffers) {
            if (netInBuffer == ConnectionBuffers.NONE) {
                incoming = lease;
                netInBuffer = lease.buffer();
                return;
            }
        }
        lease.release();
    }

    /** The same for an outgoing one; only inside writes, with the lock. */
    private void lendOutgoing() throws IOException {
        if (netOutBuffer != ConnectionBuffers.NONE) {
            return;
        }
        PooledBuffer lease = buffers.acquire(recordSize);
        synchronized (buffers) {
            if (netOutBuffer == ConnectionBuffers.NONE) {
                outgoing = lease;
                netOutBuffer = lease.buffer().limit(0);
                return;
            }
        }
        lease.release();
    }

    /** JSSE has failed between {@code clear} and {@code flip}: most of the buffer is what its last holder left there. */
    private void emptyOutgoing() {
        netOutBuffer.position(0).limit(0);
    }

    @Override
    public int handshake(boolean read, boolean write) throws IOException {
        if (isHandshakeComplete()) {
            return 0;
        }
        buffers.enterRead();
        try {
            buffers.enterWrite();
            outgoingLock.lock();
            try {
                lendIncoming();
                lendOutgoing();
                return super.handshake(read, write);
            } catch (UncheckedIOException e) {
                throw e.getCause();
            } finally {
                outgoingLock.unlock();
                buffers.exitWrite();
            }
        } finally {
            buffers.exitRead();
        }
    }

    /** {@inheritDoc} After the handshake it is left to the next write when a record is still to be sent. */
    @Override
    protected SSLEngineResult handshakeWrap(boolean doWrite) throws IOException {
        buffers.enterWrite();
        outgoingLock.lock();
        try {
            if (isHandshakeComplete() && netOutBuffer.hasRemaining()) {
                needHandshakeWrap = true;
                return new SSLEngineResult(SSLEngineResult.Status.OK, sslEngine.getHandshakeStatus(), 0, 0);
            }
            lendOutgoing();
            return super.handshakeWrap(doWrite);
        } catch (SSLException | RuntimeException | Error e) {
            emptyOutgoing();
            throw e;
        } finally {
            outgoingLock.unlock();
            buffers.exitWrite();
        }
    }

    /** {@inheritDoc} It waits for the client in the meantime, without the lock. */
    @Override
    public void rehandshake(long timeout) throws IOException {
        buffers.enterRead();
        try {
            lendIncoming();
            buffers.lendTo(Thread.currentThread());
            super.rehandshake(timeout);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } finally {
            buffers.lendTo(null);
            buffers.exitRead();
        }
    }

    @Override
    public int read(ByteBuffer dst) throws IOException {
        if (isClosing()) {
            return -1;
        }
        buffers.enterRead();
        try {
            lendIncoming();
            if (!buffers.isReadPlaceholder(dst)) {
                return super.read(dst);
            }
            buffers.lendTo(
                    Thread.currentThread()); // Tomcat asks whether it is this buffer, to replace it by a larger one
            try {
                return super.read(buffers.toFill());
            } finally {
                buffers.lendTo(null);
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } finally {
            buffers.exitRead();
        }
    }

    @Override
    public long read(ByteBuffer[] dsts, int offset, int length) throws IOException {
        if (isClosing()) {
            return -1;
        }
        if (buffers.unreadBytes() > 0) {
            return Unread.drain(buffers, dsts, offset, length);
        }
        buffers.enterRead();
        try {
            lendIncoming();
            buffers.lendTo(Thread.currentThread()); // Tomcat unwraps the overflow of the others into it
            return super.read(dsts, offset, length);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } finally {
            buffers.lendTo(null);
            buffers.exitRead();
        }
    }

    @Override
    public int write(ByteBuffer src) throws IOException {
        buffers.enterWrite();
        outgoingLock.lock();
        try {
            ByteBuffer from = src == ConnectionBuffers.UNSENT ? buffers.toSend() : src;
            if (from.hasRemaining()) {
                lendOutgoing();
            }
            return super.write(from);
        } catch (SSLException | RuntimeException | Error e) {
            emptyOutgoing();
            throw e;
        } finally {
            outgoingLock.unlock();
            buffers.exitWrite();
        }
    }

    @Override
    public long write(ByteBuffer[] srcs, int offset, int length) throws IOException {
        buffers.enterWrite();
        outgoingLock.lock();
        try {
            lendOutgoing();
            return super.write(srcs, offset, length);
        } catch (SSLException | RuntimeException | Error e) {
            emptyOutgoing();
            throw e;
        } finally {
            outgoingLock.unlock();
            buffers.exitWrite();
        }
    }

    /** {@inheritDoc} A hint while another thread writes. */
    @Override
    public int getOutboundRemaining() {
        synchronized (buffers) {
            return netOutBuffer.remaining();
        }
    }

    @Override
    public boolean flushOutbound() throws IOException {
        buffers.enterWrite();
        outgoingLock.lock();
        try {
            return super.flushOutbound();
        } finally {
            outgoingLock.unlock();
            buffers.exitWrite();
        }
    }

    /** {@inheritDoc} Not to a client whose connection another thread is just writing to. */
    @Override
    public void close() throws IOException {
        if (isClosing()) {
            return;
        }
        if (sslEngine == null || !outgoingLock.tryLock()) { // nothing has been said, or not all of a record
            closing = true;
            closed = true;
            return;
        }
        try {
            closeTls();
        } finally {
            outgoingLock.unlock();
        }
    }

    private void closeTls() throws IOException {
        buffers.enterWrite();
        try {
            lendOutgoing();
            super.close();
        } catch (SSLException | RuntimeException | Error e) {
            emptyOutgoing();
            throw e;
        } finally {
            buffers.exitWrite();
        }
    }

    @Override
    public void close(boolean force) throws IOException {
        try {
            super.close(force);
        } finally {
            if (force || !isOpen()) {
                buffers.close();
            }
        }
    }

    /** {@inheritDoc} Not more: Tomcat would free the memory of direct buffers. */
    @Override
    public void free() {
        buffers.close();
    }
}

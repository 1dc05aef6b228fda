// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.http;

import dev.buffers.BufferPool;
import dev.buffers.bench.http.Connection.Next;
import dev.buffers.tlschannel.TlsChannelBuffers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import tlschannel.NeedsReadException;
import tlschannel.NeedsWriteException;
import tlschannel.ServerTlsChannel;
import tlschannel.TlsChannel;

/**
 * TLS over a socket. Where the socket is not ready it reads and writes 0 bytes, as a socket does, and says what it waits for. At the cap of
 * its pool it fails.
 */
final class SecureChannel implements ByteChannel, GatheringByteChannel {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final TlsChannel tls;
    private Next next = Next.INPUT;

    private SecureChannel(TlsChannel tls) {
        this.tls = tls;
    }

    /** With TLS Channel's own buffers when there is no pool. */
    static SecureChannel over(SocketChannel socket, SSLContext context, Optional<BufferPool> pool) {
        ServerTlsChannel.Builder tls = ServerTlsChannel.newBuilder(socket, context);
        pool.ifPresent(buffers -> TlsChannelBuffers.use(tls, buffers));
        return new SecureChannel(tls.build());
    }

    private interface Step {
        long run() throws IOException;
    }

    private long attempt(Step step) throws IOException {
        next = Next.ANOTHER_TURN; // also after the end: bytes may be left inside
        try {
            return step.run();
        } catch (NeedsReadException e) {
            next = Next.INPUT;
        } catch (NeedsWriteException e) {
            next = Next.OUTPUT;
        }
        return 0;
    }

    /** What the last operation waits for; {@link Next#ANOTHER_TURN} if it did not have to wait. */
    Next next() {
        return next;
    }

    /** Writes the encrypted bytes that the socket has not taken: false when some are left. */
    boolean flush() throws IOException {
        if (next == Next.OUTPUT) {
            attempt(() -> tls.write(NOTHING));
            return next == Next.ANOTHER_TURN;
        }
        return true;
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        return (int) attempt(() -> tls.read(into));
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        return (int) write(new ByteBuffer[] {source}, 0, 1);
    }

    @Override
    public long write(ByteBuffer[] sources) throws IOException {
        return write(sources, 0, sources.length);
    }

    /** Encrypts also where the socket is not ready. */
    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        long before = remaining(sources, offset, length);
        attempt(() -> tls.write(sources, offset, length));
        return before - remaining(sources, offset, length);
    }

    private static long remaining(ByteBuffer[] sources, int offset, int length) {
        long bytes = 0;
        for (int i = offset; i < offset + length; i++) {
            bytes += sources[i].remaining();
        }
        return bytes;
    }

    /** Says to the client that this is the end, once nothing is left to flush. */
    void shutdownOutput() throws IOException {
        attempt(() -> tls.shutdown() ? 1 : 0);
    }

    @Override
    public boolean isOpen() {
        return tls.isOpen();
    }

    /** Closes the socket too. */
    @Override
    public void close() throws IOException {
        tls.close();
    }
}

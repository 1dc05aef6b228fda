// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.tlschannel;

import dev.buffers.BufferPool;
import java.util.Objects;
import tlschannel.TlsChannelBuilder;

/**
 * Puts a connection of the library TLS Channel on a {@link BufferPool}: {@code
 * TlsChannelBuffers.use(ServerTlsChannel.newBuilder(socket, context), pool).build()}, and the same with a {@code ClientTlsChannel}.
 *
 * <p>A {@code TlsChannel} is a {@code ByteChannel} over any other one, with TLS between them, blocking or not. It has up to three buffers,
 * and each of them is a lease while bytes are in it or an operation works on it:
 *
 * <ul>
 *   <li>received bytes that are no whole record yet,
 *   <li>decrypted bytes, or bytes about to be decrypted, that do not fit into the reader's buffer: none if that has room for a record,
 *       which is 16 KiB at most,
 *   <li>encrypted bytes that the socket has not taken yet.
 * </ul>
 *
 * <p>So an idle connection holds no lease. A blocking read holds one while it waits for bytes. Closing the channel ends all of them. A
 * connection that is dropped unclosed loses its leases, and the pool finds that out as it does for any lease.
 *
 * <p><b>At the cap</b> {@code read}, {@code write} and {@code handshake} throw {@link dev.buffers.PoolExhaustedException}. No byte is lost:
 * the same call may be made again. {@code shutdown} throws it too, but does not try again: the peer is then not notified of the end before
 * the connection is closed. {@code close} closes the connection in any case.
 *
 * <p><b>The end.</b> {@code read} returns -1 when the peer has announced the end, and also when its connection has ended without that,
 * which may be a truncation attack: {@code shutdownReceived()} tells which. <b>Bytes</b> in the clear stay in a released buffer until its
 * next holder, as with any user of the pool: set {@code zero=release} where that matters.
 *
 * <p><b>Threads.</b> Any thread; the channel's own rules are TLS Channel's. One rule comes on top: a thread that ends another thread's
 * handshake of a blocking server channel with a choice by name (SNI) closes the socket first, and then the channel. TLS Channel frees the
 * buffer of that first read before it closes the socket. <b>Cost.</b> An acquire, a release and one small object for
 * each buffer that an operation needs. <b>Source.</b> TLS Channel 0.10, {@code tlschannel.BufferAllocator}.
 */
public final class TlsChannelBuffers {
    private TlsChannelBuffers() {}

    /**
     * Sets the allocators of a builder, which must make one channel only, and lets it give buffers back as soon as they are empty.
     *
     * @param builder of a server's or a client's channel
     * @param pool where its buffers come from; with a {@code max-size} below 20 KiB each large one gets a separate region
     * @param <T> the builder's type
     * @return the same builder
     */
    public static <T extends TlsChannelBuilder<T>> T use(T builder, BufferPool pool) {
        Leases leases = new Leases(Objects.requireNonNull(pool, "pool"));
        return builder.withEncryptedBufferAllocator(leases)
                .withPlainBufferAllocator(new PlainLeases(leases))
                .withReleaseBuffers(true);
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.docs;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.ChannelBuffers;
import dev.buffers.PoolStats;
import dev.buffers.PooledBuffer;
import dev.buffers.io.BufferChain;
import dev.buffers.io.PooledInputStream;
import dev.buffers.io.PooledOutputStream;
import dev.buffers.io.Transfers;
import dev.buffers.support.Conservation;
import dev.buffers.support.channels.Sockets;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples in the Javadoc of core. {@link DocCodeTest} compares them. */
class JavadocTest {
    private final byte[] message = "0123456789abcdef and more".getBytes(US_ASCII);
    private final BufferPool pool = BufferPool.create("examples");
    private SocketChannel socket;
    private SocketChannel peer;

    @BeforeEach
    void connect() throws IOException {
        Sockets<SocketChannel> sockets = Sockets.connect();
        socket = sockets.far();
        peer = sockets.near();
    }

    @AfterEach
    void nothingIsOut() throws IOException {
        socket.close();
        peer.close();
        Conservation.check(pool);
        pool.close();
    }

    @Test
    void leaseIsReleasedAtEndOfBlock() throws IOException {
        SocketChannel channel = socket;
        // tag::javadoc-lease
        BufferPool pool = BufferPool.create("web"); // -Dbuffers.web.max=64m is its cap

        try (PooledBuffer lease = pool.acquire(1024)) {
            channel.write(lease.buffer().put(message).flip());
        } // released, exactly once
        // end::javadoc-lease
        try (pool) {
            assertEquals(message.length, peer.read(ByteBuffer.allocate(100)));
            Conservation.check(pool);
        }
    }

    @Test
    void memoryGoesBackWithLastLease() {
        // tag::javadoc-slice
        PooledBuffer lease = pool.acquire(1024);
        lease.buffer().put(message);
        PooledBuffer head = lease.slice(0, 16); // another lease, on the first 16 bytes
        lease.release(); // false: the memory is still leased
        head.release(); // true: it goes back to the pool
        // end::javadoc-slice
        assertTrue(!lease.isOpen() && !head.isOpen());
    }

    @Test
    void inputKeepsUnreadBytes() throws IOException {
        peer.write(ByteBuffer.wrap(message));
        // tag::javadoc-input
        ChannelBuffers buffers = pool.channel(); // for one connection

        buffers.readFrom(socket); // into the input, which grows when it is full
        ByteBuffer input = buffers.input().flip();
        parse(input);
        input.compact(); // keeps the unread bytes
        buffers.idle(); // gives back the input if all its bytes are read
        // end::javadoc-input
        assertEquals(0, pool.stats().leases());
        buffers.close();
    }

    private void parse(ByteBuffer input) {
        assertEquals(message[0], input.get());
        input.position(input.limit());
    }

    @Test
    void chainReleasesWrittenLease() throws IOException {
        // tag::javadoc-chain
        BufferChain unsent = new BufferChain();

        PooledBuffer answer = pool.acquire(1024);
        answer.buffer().put(message).flip();
        unsent.add(answer); // the chain releases it
        boolean done = unsent.writeTo(socket); // if false, call it again when the socket is writable
        // end::javadoc-chain
        assertTrue(done);
        assertEquals(message.length, peer.read(ByteBuffer.allocate(100)));
    }

    @Test
    void statsShowLeasedBytes() {
        // tag::javadoc-stats
        PoolStats stats = pool.stats();
        String line = stats.leasedBytes() + " of " + stats.maxBytes() + " bytes are leased";
        // end::javadoc-stats
        assertTrue(line.startsWith("0 of "), line);
    }

    @Test
    void inputStreamReadsFirstByte() throws IOException {
        peer.write(ByteBuffer.wrap(message));
        // tag::javadoc-in
        try (PooledInputStream in = PooledInputStream.from(socket, pool)) {
            int first = in.read(); // without a buffer until a byte has come
        }
        // end::javadoc-in
    }

    @Test
    void outputStreamHoldsNothingAfterFlush() throws IOException {
        // tag::javadoc-out
        try (PooledOutputStream out = PooledOutputStream.to(socket, pool)) {
            out.write(message); // gathers in a buffer
            out.flush(); // sends it, and holds no buffer any more
        }
        // end::javadoc-out
        assertEquals(message.length, peer.read(ByteBuffer.allocate(100)));
    }

    @Test
    void fileIsTransferred(@TempDir Path folder) throws IOException {
        try (FileChannel file = FileChannel.open(Files.write(folder.resolve("file"), message))) {
            // tag::javadoc-transfers
            Transfers transfers = new Transfers(pool);
            long bytes = transfers.transfer(file, socket);
            // end::javadoc-transfers
            assertEquals(message.length, bytes);
        }
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.docs;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.ChannelBuffers;
import dev.buffers.PooledBuffer;
import dev.buffers.io.BufferChain;
import dev.buffers.support.Conservation;
import dev.buffers.support.DirectRoom;
import dev.buffers.support.Manual;
import dev.buffers.support.channels.Sockets;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SocketChannel;
import java.nio.channels.WritableByteChannel;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The README's code runs; that it shows this code and no other is DocCodeTest's. */
class ReadmeTest {

    @BeforeEach
    void room() {
        DirectRoom.make();
    }

    @Test
    void aLeaseIsAcquiredAndReleased() throws IOException {
        byte[] message = "hello".getBytes(US_ASCII);
        Pipe pipe = Pipe.open();
        try (WritableByteChannel channel = pipe.sink();
                Pipe.SourceChannel source = pipe.source()) {
            // tag::lease
            BufferPool pool = BufferPool.create(); // one for the server

            try (PooledBuffer lease = pool.acquire(1024)) {
                ByteBuffer buffer = lease.buffer(); // position 0, limit 1024
                buffer.put(message).flip();
                channel.write(buffer);
            } // released, exactly once
            // end::lease
            try (pool) {
                assertEquals("default", pool.settings().name());
                ByteBuffer received = ByteBuffer.allocate(100);
                assertEquals(message.length, source.read(received));
                assertEquals(ByteBuffer.wrap(message), received.flip());
                Conservation.check(pool);
            }
        }
    }

    @Test
    void aConnectionKeepsItsBuffers() throws Exception {
        byte[] message = new byte[5_000];
        new Random(1).nextBytes(message);
        try (BufferPool pool = BufferPool.create("echo");
                Sockets<SocketChannel> sockets = Sockets.connect()) {
            SocketChannel socket = sockets.far();
            sockets.near().write(ByteBuffer.wrap(message));
            // tag::channel
            ChannelBuffers buffers = pool.channel(); // one for each connection
            BufferChain unsent = new BufferChain();

            // when its socket is readable
            if (buffers.readFrom(socket) > 0) {
                unsent.add(buffers.handOffInput()); // a lease, not a copy
            }
            // when its socket is writable
            if (unsent.writeTo(socket)) { // releases what it has sent
                buffers.idle(); // holds no memory until the next event
            }
            // when it ends
            unsent.close();
            buffers.close();
            // end::channel
            Conservation.check(pool);
            socket.shutdownOutput();
            byte[] back = sockets.near().socket().getInputStream().readAllBytes();
            assertTrue(back.length > 0);
            assertArrayEquals(Arrays.copyOf(message, back.length), back);
        }
    }

    @Test
    void readmeIsShort() throws IOException {
        int words = Manual.page("README.md").replaceAll("<[^>]*>", "").split("\\s+").length;
        assertTrue(words < 800, () -> "words: " + words);
    }
}

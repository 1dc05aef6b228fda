// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.docs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import dev.buffers.BufferPool;
import dev.buffers.ChannelBuffers;
import dev.buffers.PooledBuffer;
import dev.buffers.support.Conservation;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The page on migrating shows each loop twice: both copy the same bytes. */
class MigratingTest {
    private byte[] bytes = new byte[100_000];
    private final ByteArrayOutputStream sink = new ByteArrayOutputStream();
    private final WritableByteChannel out = Channels.newChannel(sink);
    private ReadableByteChannel in;

    private void fill() {
        new Random(1).nextBytes(bytes);
        in = Channels.newChannel(new ByteArrayInputStream(bytes));
    }

    @Test
    void before() throws IOException {
        fill();
        // tag::before
        ByteBuffer buffer = ByteBuffer.allocateDirect(8192);
        while (in.read(buffer.clear()) >= 0) {
            out.write(buffer.flip());
        }
        // end::before
        assertArrayEquals(bytes, sink.toByteArray());
    }

    @Test
    void after() throws IOException {
        fill();
        try (BufferPool pool = BufferPool.create("migrated")) {
            // tag::after
            try (PooledBuffer lease = pool.acquire(8192)) {
                ByteBuffer buffer = lease.buffer();
                while (in.read(buffer.clear()) >= 0) {
                    out.write(buffer.flip());
                }
            }
            // end::after
            Conservation.check(pool);
        }
        assertArrayEquals(bytes, sink.toByteArray());
    }

    @Test
    void aFieldOfEachConnectionTakesMessagesOfAnySize() throws IOException {
        in = messages();
        // tag::field
        ByteBuffer input = ByteBuffer.allocateDirect(65_536); // a field of the connection

        while (in.read(input) >= 0) {
            parse(input.flip());
            input.compact();
        }
        // end::field
        assertArrayEquals(bytes, sink.toByteArray());
    }

    @Test
    void theInputOfAConnectionTakesTheSame() throws IOException {
        in = messages();
        try (BufferPool pool = BufferPool.create("migrated")) {
            // tag::input
            ChannelBuffers buffers = pool.channel(); // a field of the connection, closed with it

            while (buffers.readFrom(in) >= 0) {
                ByteBuffer input = buffers.input();
                parse(input.flip());
                input.compact();
            }
            // end::input
            buffers.close();
            Conservation.check(pool);
        }
        assertArrayEquals(bytes, sink.toByteArray());
    }

    /** A random sequence of many small messages and a few large ones, each with its length before it, as one stream. */
    private ReadableByteChannel messages() throws IOException {
        Random random = new Random(7);
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (int i = 0; i < 300; i++) {
            byte[] message = new byte[random.nextInt(i % 7 == 0 ? 65_000 : 200)];
            random.nextBytes(message);
            stream.write(ByteBuffer.allocate(4).putInt(message.length).array());
            stream.write(message);
            content.write(message);
        }
        bytes = content.toByteArray();
        return Channels.newChannel(new ByteArrayInputStream(stream.toByteArray()));
    }

    /** Takes the complete messages that the input begins with. */
    private void parse(ByteBuffer input) throws IOException {
        while (input.remaining() >= 4 && input.remaining() - 4 >= input.getInt(input.position())) {
            int length = input.getInt();
            out.write(input.slice(input.position(), length));
            input.position(input.position() + length);
        }
    }
}

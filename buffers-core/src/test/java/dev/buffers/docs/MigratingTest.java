// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.docs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import dev.buffers.BufferPool;
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

/** The page on migrating shows the same loop twice: both copy the same bytes. */
class MigratingTest {
    private final byte[] bytes = new byte[100_000];
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
}

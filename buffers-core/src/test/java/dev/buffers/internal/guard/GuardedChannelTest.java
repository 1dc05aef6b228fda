// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.ChannelBuffers;
import dev.buffers.PooledBuffer;
import dev.buffers.support.Conservation;
import dev.buffers.support.Kind;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GuardedChannelTest {
    private final BufferPool pool =
            new Kind("heap-view").builder("guarded-channel").guard(true).build();
    private final ChannelBuffers channel = pool.channel();

    @AfterEach
    void close() {
        channel.close();
        Conservation.check(pool);
        pool.close();
    }

    private int read(int bytes) throws IOException {
        return channel.readFrom(Channels.newChannel(new ByteArrayInputStream(new byte[bytes])));
    }

    @Test
    void inputGrowsByCopying() {
        channel.input().put((byte) 7);
        ByteBuffer larger = channel.input(20_000);
        assertTrue(larger.remaining() >= 20_000);
        assertEquals(7, larger.flip().get());
        assertEquals(1, pool.stats().leases());
    }

    @Test
    void nextInputDoublesAfterFullReadAndHalvesAfterSmallReads() throws IOException {
        read(8192);
        channel.handOffInput().release();
        assertEquals(16_384, channel.input().capacity());
        for (int i = 0; i < 2; i++) {
            read(10);
            channel.input().clear();
        }
        channel.idle();
        assertEquals(8192, channel.input().capacity());
    }

    @Test
    void fullInputGrows() throws IOException {
        read(8192);
        read(1);
        assertEquals(16_384, channel.input().capacity());
        assertEquals(8193, channel.input().position());
        channel.input().clear();
    }

    @Test
    void handOffOfAPartKeepsTheRest() {
        channel.input().put(new byte[] {1, 2, 3});
        PooledBuffer part = channel.handOffInput(2);
        assertEquals(2, part.buffer().remaining());
        assertEquals(3, channel.input().flip().get());
        channel.input().clear();
        part.release();
        assertThrows(IllegalArgumentException.class, () -> channel.handOffInput(1));
        assertThrows(IllegalStateException.class, channel::handOffInput);
    }

    @Test
    void idleKeepsUnreadBytes() {
        ByteBuffer input = channel.input().put((byte) 1);
        channel.idle();
        assertSame(input, channel.input());
        input.clear();
        channel.idle();
        assertEquals(0, pool.stats().leases());
    }

    @Test
    void closedChannelGivesNothing() {
        channel.input().put((byte) 1);
        channel.close();
        assertEquals(0, pool.stats().leases());
        assertThrows(IllegalStateException.class, channel::input);
        assertThrows(IllegalStateException.class, () -> channel.acquire(1));
        channel.close();
    }
}

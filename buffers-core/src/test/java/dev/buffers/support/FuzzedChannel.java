// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.ChannelBuffers;
import dev.buffers.PooledBuffer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.Arrays;

/** A channel's buffers beside the bytes that they must hold unread. A refusal by the pool leaves both as they were. */
final class FuzzedChannel {
    private final ChannelBuffers channel;
    private final int maxSize;
    private final int maxInput;
    private byte[] unread = {};
    private boolean holdsInput;
    private int stamp;

    FuzzedChannel(ChannelBuffers channel, int maxSize, int maxInput) {
        this.channel = channel;
        this.maxSize = maxSize;
        this.maxInput = maxInput;
    }

    boolean holdsInput() {
        return holdsInput;
    }

    PooledBuffer acquire(int size) {
        return channel.acquire(size);
    }

    /** Puts bytes behind the unread bytes, after asking for room. */
    void fill(int room, int bytes) {
        boolean fits = unread.length + room <= maxSize;
        ByteBuffer input;
        try {
            input = channel.input(room);
        } catch (IllegalArgumentException e) {
            assertTrue(!fits, e.getMessage());
            return;
        }
        holdsInput = true;
        assertTrue(input.remaining() >= room, "room=" + room);
        check();
        byte[] more = numbered(Math.min(bytes, input.remaining()));
        input.put(more);
        append(more, more.length);
    }

    void consume(int bytes) {
        if (unread.length > 0) {
            byte[] taken = new byte[1 + bytes % unread.length];
            ByteBuffer input = channel.input().flip();
            input.get(taken).compact();
            assertArrayEquals(Arrays.copyOf(unread, taken.length), taken);
            unread = Arrays.copyOfRange(unread, taken.length, unread.length);
            check();
        }
    }

    void read(int bytes) {
        if (holdsInput && !channel.input().hasRemaining() && channel.input().capacity() >= maxInput) {
            assertThrows(IllegalStateException.class, () -> channel.readFrom(null));
            return;
        }
        byte[] sent = numbered(bytes);
        try {
            int n = channel.readFrom(Channels.newChannel(new ByteArrayInputStream(sent)));
            holdsInput = true;
            append(sent, Math.max(0, n));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        check();
    }

    /** The first {@code n} unread bytes, or all of them, as a lease; null when there are none. */
    PooledBuffer handOff(int n) {
        if (unread.length == 0) {
            assertThrows(IllegalStateException.class, channel::handOffInput);
            assertThrows(IllegalArgumentException.class, () -> channel.handOffInput(n));
            return null;
        }
        int bytes = Math.min(n, unread.length);
        PooledBuffer lease = bytes == 0 ? channel.handOffInput() : channel.handOffInput(bytes);
        bytes = bytes == 0 ? unread.length : bytes;
        holdsInput = bytes < unread.length;
        byte[] handed = new byte[bytes];
        assertEquals(0, lease.buffer().position());
        assertEquals(bytes, lease.buffer().limit());
        lease.buffer().duplicate().get(handed);
        assertArrayEquals(Arrays.copyOf(unread, bytes), handed);
        unread = Arrays.copyOfRange(unread, bytes, unread.length);
        check();
        return lease;
    }

    void idle() {
        channel.idle();
        holdsInput &= unread.length > 0;
        check();
    }

    /** Twice, as an error path and the one that follows it do. */
    void close() {
        channel.close();
        channel.close();
        unread = new byte[0];
        holdsInput = false;
        assertThrows(IllegalStateException.class, channel::input);
    }

    void check() {
        if (holdsInput) {
            ByteBuffer input = channel.input();
            assertEquals(unread.length, input.position());
            assertEquals(input.capacity(), input.limit());
            byte[] found = new byte[unread.length];
            input.duplicate().flip().get(found);
            assertArrayEquals(unread, found);
        }
    }

    private byte[] numbered(int bytes) {
        byte[] numbered = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            numbered[i] = (byte) stamp++;
        }
        return numbered;
    }

    private void append(byte[] more, int bytes) {
        int before = unread.length;
        unread = Arrays.copyOf(unread, before + bytes);
        System.arraycopy(more, 0, unread, before, bytes);
    }
}

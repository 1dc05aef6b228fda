// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.ChannelBuffers;
import dev.buffers.PooledBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/** The operations of a {@link ModelRun} on channel buffers. */
final class ModelChannels {
    private static final int FIRST_INPUT = 8192;

    private final ModelWorld world;
    private final ModelLeases leases;
    private final Channel[] channels = new Channel[ModelOp.CHANNELS];

    ModelChannels(ModelWorld world, ModelLeases leases) {
        this.world = world;
        this.leases = leases;
        Arrays.setAll(channels, i -> new Channel(world.pool.channel()));
        tell();
    }

    /** Channel buffers, and the model of them: the input, whose first bytes are unread. */
    private static final class Channel {
        final ChannelBuffers real;
        boolean closed;
        ByteBuffer input;
        ReferenceModel.Tenancy of;
        int unread;

        Channel(ChannelBuffers real) {
            this.real = real;
        }

        int room() {
            return input == null ? -1 : of.bytes.length - unread;
        }
    }

    /** A peer that sends the given bytes, or fails. */
    private record Peer(byte[] bytes) implements ReadableByteChannel {
        static final byte[] END = {};

        @Override
        public int read(ByteBuffer into) throws IOException {
            if (bytes == null) {
                throw new IOException("scripted");
            } else if (bytes == END) {
                return -1;
            }
            int n = Math.min(bytes.length, into.remaining());
            into.put(bytes, 0, n);
            return n;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }

    private void tell() {
        world.channels = Arrays.stream(channels).map(channel -> channel.real).toList();
    }

    void renew(int at) {
        if (world.closed) {
            assertThrowsExactly(IllegalStateException.class, world.pool::channel);
        } else if (channels[at].closed) {
            channels[at] = new Channel(world.pool.channel());
            tell();
        }
    }

    void input(int at) {
        input(channels[at], 0, channels[at].real::input);
    }

    void room(int at, int room) {
        Channel channel = channels[at];
        input(channel, room, () -> channel.real.input(room));
    }

    private void input(Channel channel, int room, Supplier<ByteBuffer> call) {
        int most = world.model.maxSize();
        if (room < 0 || room > channel.room() && room > most - channel.unread) {
            assertThrowsExactly(IllegalArgumentException.class, call::get);
        } else if (room <= channel.room()) {
            assertSame(channel.input, call.get());
        } else if (channel.closed || world.closed) {
            assertThrowsExactly(IllegalStateException.class, call::get);
        } else {
            int size = channel.input == null ? Math.max(room, first()) : channel.unread + room;
            ByteBuffer got = world.attempt(ModelWorld.How.BY_CHANNEL, size, channel.real, call);
            if (got != null) {
                assertNotSame(channel.input, got);
                assertTrue(got.remaining() >= room, () -> "room=" + room + ", has " + got.remaining());
                replaced(channel, got, channel.unread, 0);
            }
        }
        check(channel);
    }

    /** The input is another one, whose first bytes are those that were unread; {@code added} more were read into it since. */
    private void replaced(Channel channel, ByteBuffer input, int unread, int added) {
        int passed = world.waits ? 0 : world.acquired() - 1;
        if (channel.input != null) {
            world.model.ended(channel.of); // first: it is not in the pool's figures any more
        }
        ReferenceModel.Tenancy of = world.begin(input, unread + added, passed);
        if (channel.input != null) {
            assertTrue(Arrays.equals(channel.of.bytes, 0, unread, of.bytes, 0, unread), "what was unread is lost");
        }
        channel.input = input;
        channel.of = of;
        channel.unread = unread;
    }

    /** The size of the first input. */
    private int first() {
        return Math.min(FIRST_INPUT, world.pool.settings().maxInput());
    }

    void receive(int at, int length) {
        read(channels[at], length < 0 ? Peer.END : world.stamped(length));
    }

    void fail(int at) {
        read(channels[at], null);
    }

    private void read(Channel channel, byte[] bytes) {
        boolean grows = channel.room() == 0
                && channel.of.bytes.length < world.pool.settings().maxInput();
        boolean opens = channel.input == null || grows;
        if (channel.room() == 0 && !grows || opens && (channel.closed || world.closed)) {
            assertThrowsExactly(IllegalStateException.class, () -> channel.real.readFrom(new Peer(bytes)));
            return;
        } else if (opens && world.waits) {
            return; // it may acquire twice, which looks like acquires of the waiting thread
        }
        int size = grows ? channel.of.bytes.length + 1 : first();
        Supplier<Integer> call = () -> {
            try {
                return channel.real.readFrom(new Peer(bytes));
            } catch (IOException e) {
                assertNull(bytes);
                return 0;
            }
        };
        Integer n;
        try {
            n = opens ? world.attempt(ModelWorld.How.BY_CHANNEL, size, channel.real, call) : call.get();
        } catch (IllegalStateException e) {
            assertTrue(world.closed && channel.unread == 0, () -> "refused: " + e); // it needed a larger one
            return;
        }
        if (n != null) {
            int read = Math.max(0, n);
            ByteBuffer input = channel.real.input();
            int room = input.capacity() - channel.unread;
            int expected = bytes == null ? 0 : bytes == Peer.END ? -1 : Math.min(bytes.length, room);
            assertEquals(expected, n);
            if (input != channel.input) {
                assertEquals(grows, channel.unread > 0);
                replaced(channel, input, channel.unread, read);
            }
            System.arraycopy(bytes == null ? Peer.END : bytes, 0, channel.of.bytes, channel.unread, read);
            channel.unread += read;
        }
        check(channel);
    }

    /** As a user parses: flips, takes some, compacts. */
    void consume(int at, int length) {
        Channel channel = channels[at];
        if (channel.input != null) {
            int n = Math.max(0, length) % (channel.unread + 1);
            int left = channel.unread - n;
            channel.input.flip().position(n);
            channel.input.compact();
            System.arraycopy(channel.of.bytes, n, channel.of.bytes, 0, left);
            channel.unread = left;
            check(channel);
        }
    }

    void handOff(int at, int register) {
        Channel channel = channels[at];
        if (!leases.isFree(register)) {
            return;
        } else if (channel.unread == 0) {
            assertThrowsExactly(IllegalStateException.class, channel.real::handOffInput);
        } else {
            handedOff(channel, register, channel.real.handOffInput(), channel.unread);
            channel.input = null;
            channel.unread = 0;
        }
    }

    void handOff(int at, int register, int length) {
        Channel channel = channels[at];
        int n = length > 0 && channel.unread > 0 && length % 5 != 0 ? 1 + length % channel.unread : length;
        if (!leases.isFree(register)) {
            return;
        } else if (n < 1 || n > channel.unread) {
            assertThrowsExactly(IllegalArgumentException.class, () -> channel.real.handOffInput(n));
            return;
        } else if (n == channel.unread) {
            handOff(at, register);
            return;
        } else if (world.closed) {
            assertThrowsExactly(IllegalStateException.class, () -> channel.real.handOffInput(n));
            return;
        }
        int capacity = channel.of.bytes.length;
        Supplier<PooledBuffer> call = () -> channel.real.handOffInput(n);
        PooledBuffer lease = world.attempt(ModelWorld.How.BY_CHANNEL, capacity, channel.real, call);
        if (lease != null) {
            byte[] rest = Arrays.copyOfRange(channel.of.bytes, n, channel.unread);
            ByteBuffer next = channel.real.input();
            ReferenceModel.Tenancy of = world.begin(next, rest.length, 0);
            assertTrue(Arrays.equals(rest, 0, rest.length, of.bytes, 0, rest.length), "what was unread is lost");
            handedOff(channel, register, lease, n);
            channel.input = next;
            channel.of = of;
            channel.unread = rest.length;
        }
        check(channel);
    }

    private void handedOff(Channel channel, int register, PooledBuffer lease, int length) {
        int capacity = channel.of.bytes.length;
        leases.put(register, lease, new ReferenceModel.Lease(channel.of, 0, capacity, 0, length));
    }

    void acquire(int at, int register, int size) {
        Channel channel = channels[at];
        if (!leases.isFree(register)) {
            return;
        } else if (channel.closed || world.closed) {
            assertThrowsExactly(IllegalStateException.class, () -> channel.real.acquire(size));
        } else if (size < 0) {
            assertThrowsExactly(IllegalArgumentException.class, () -> channel.real.acquire(size));
        } else {
            Supplier<PooledBuffer> call = () -> channel.real.acquire(size);
            PooledBuffer lease = world.attempt(ModelWorld.How.PLAINLY, size, channel.real, call);
            if (lease != null) {
                leases.acquired(register, lease, size, true);
            }
        }
    }

    void idle(int at) {
        Channel channel = channels[at];
        channel.real.idle();
        assertEquals(List.of(), Peek.kept(channel.real), "kept by an idle channel");
        if (channel.unread == 0) {
            end(channel);
        }
        check(channel);
    }

    void close(int at) {
        Channel channel = channels[at];
        check(channel);
        channel.real.close();
        assertEquals(List.of(), Peek.kept(channel.real), "kept by a closed channel");
        channel.closed = true;
        end(channel);
    }

    private void end(Channel channel) {
        if (channel.input != null) {
            world.model.ended(channel.of);
        }
        channel.input = null;
        channel.of = null;
        channel.unread = 0;
    }

    private static void check(Channel channel) {
        if (channel.input != null) {
            ByteBuffer input = channel.real.input();
            assertSame(channel.input, input);
            assertEquals(
                    channel.unread + ".." + channel.of.bytes.length + " of " + channel.of.bytes.length,
                    input.position() + ".." + input.limit() + " of " + input.capacity());
            ByteBuffer expected = ByteBuffer.wrap(channel.of.bytes);
            assertEquals(
                    -1, expected.mismatch(input.duplicate().clear()), "somebody else has written into the input, at");
        }
    }

    void checkAll() {
        Arrays.stream(channels).forEach(ModelChannels::check);
    }

    void closeAll() {
        for (int at = 0; at < channels.length; at++) {
            close(at);
        }
    }
}

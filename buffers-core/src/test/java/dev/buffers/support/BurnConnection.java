// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support;

import dev.buffers.BufferPool;
import dev.buffers.ChannelBuffers;
import dev.buffers.PooledBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.random.RandomGenerator;

/**
 * One connection of a burn: its channel buffers, and a peer that sends one number over and over. Each part in the input, or handed off,
 * must go on where the last part ended.
 *
 * <p>One thread at a time, as channel buffers are.
 */
public final class BurnConnection implements ReadableByteChannel {
    private final ChannelBuffers channel;
    private final long stamp;
    private final int largest;
    private final int maxInput;
    private final BurnLedger ledger;
    private long sent;
    private long taken;
    private int burst;

    /** No read or room makes it hold more than {@code largest} bytes. */
    public BurnConnection(BufferPool pool, long stamp, int largest, BurnLedger ledger) {
        this.channel = pool.channel();
        this.stamp = stamp;
        this.largest = largest;
        this.maxInput = pool.settings().maxInput();
        this.ledger = ledger;
        ledger.channels.increment();
    }

    public int unread() {
        return (int) (sent - taken);
    }

    /** The number as it reads where the unread bytes begin. */
    private long head() {
        return Stamped.after(stamp, taken);
    }

    /** One read of up to so many bytes. */
    public void read(int bytes) throws IOException {
        burst = bytes;
        int most = channel.input().capacity();
        if (unread() == most && most >= maxInput) {
            parse(unread());
        }
        channel.readFrom(this);
        input();
    }

    /** The input, with the unread bytes in it. */
    private ByteBuffer input() {
        ByteBuffer input = channel.input();
        check(input);
        return input;
    }

    private void check(ByteBuffer input) {
        if (input.position() != unread()) {
            throw new AssertionError("unread bytes were lost or made up: " + input + ", expected " + unread());
        }
    }

    /** Asks for room, for which the unread bytes may be copied. */
    void grow(RandomGenerator random) {
        check(channel.input(random.nextInt(largest - Math.min(largest - 1, unread()))));
    }

    /** Consumes the first of the unread bytes in place. */
    public void parse(int bytes) {
        if (unread() > 0) {
            ByteBuffer input = input().flip();
            Stamped.check(input, input.limit(), head());
            ledger.checks.increment();
            ledger.checkedBytes.add(input.limit());
            input.position(bytes).compact();
            taken += bytes;
        }
    }

    /** All that is unread, for a worker. */
    Stamped handOff() {
        return given(channel.handOffInput(), unread());
    }

    /** The first of the unread bytes, for a worker. */
    public Stamped handOff(int bytes) {
        return given(channel.handOffInput(bytes), bytes);
    }

    private Stamped given(PooledBuffer lease, int bytes) {
        long its = head();
        taken += bytes;
        ledger.handOffs.increment();
        return Stamped.filled(lease, bytes, its, ledger);
    }

    PooledBuffer acquire(int size) {
        return channel.acquire(size);
    }

    /** Keeps a buffer only for unread bytes. */
    public void idle() {
        channel.idle();
    }

    /** Gives up the unread bytes. */
    @Override
    public void close() {
        channel.close();
        taken = sent;
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    /** The bytes that the peer sends. */
    @Override
    public int read(ByteBuffer into) {
        int n = Math.min(burst, into.remaining());
        for (int i = 0; i < n; i++) {
            into.put((byte) (stamp >>> 56 - 8 * (int) (sent + i & 7)));
        }
        sent += n;
        return n;
    }
}

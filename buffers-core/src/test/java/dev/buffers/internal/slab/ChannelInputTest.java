// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.slab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.PooledBuffer;
import dev.buffers.internal.signals.PlacedSettings;
import dev.buffers.support.Leases;
import dev.buffers.support.ScriptedChannel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ChannelInputTest {
    private static final int MAX_SIZE = 64 << 10;
    private static final int MAX_INPUT = 40_000;

    private final BufferPool pool = BufferPool.builder("channel-input")
            .policy("heap-view")
            .maxSize(MAX_SIZE)
            .max(1 << 20)
            .build();
    private final Input channel = new Input();
    private final ScriptedChannel peer = new ScriptedChannel();

    /** Takes leases of the pool, and remembers which sizes were asked for. */
    private final class Input extends ChannelInput {
        final List<String> asked = new ArrayList<>();
        boolean atCap;
        boolean overflows;

        /** Called once, by the next search for a lease, as a wake-up may be. */
        Runnable wakeUp = () -> {};

        Input() {
            super(MAX_SIZE, MAX_INPUT);
        }

        @Override
        protected PlacedSettings settings() {
            return (PlacedSettings) pool.settings();
        }

        @Override
        protected PooledBuffer find(int size) {
            checkOpen();
            asked.add("find " + size);
            callWakeUp();
            return atCap ? null : pool.acquire(size);
        }

        @Override
        protected PooledBuffer acquireOpen(int size) {
            checkOpen();
            asked.add("acquire " + size);
            callWakeUp();
            return pool.acquire(size);
        }

        private void callWakeUp() {
            Runnable due = wakeUp;
            wakeUp = () -> {};
            due.run();
        }

        @Override
        protected void handOff(PooledBuffer lease) {
            if (overflows) {
                throw new StackOverflowError("in the hand-off");
            }
        }

        @Override
        public PooledBuffer acquire(int size) {
            return acquireOpen(size);
        }

        @Override
        public void idle() {
            endInput(false);
        }

        @Override
        public void close() {
            endInput(true);
        }
    }

    @AfterEach
    void close() {
        channel.close();
        assertEquals(0, pool.stats().leases());
        pool.close();
    }

    private void read(int bytes) throws IOException {
        channel.readFrom(peer.reads(bytes));
    }

    /** The caller has no lease then. */
    @Test
    void handOffThatOverflowsKeepsInput() throws IOException {
        read(100);
        channel.overflows = true;
        assertThrows(StackOverflowError.class, channel::handOffInput);
        channel.overflows = false;
        try (PooledBuffer lease = channel.handOffInput()) {
            assertEquals(100, lease.buffer().remaining());
        }
    }

    private void assertAsked(String... sizes) {
        assertEquals(List.of(sizes), channel.asked);
        channel.asked.clear();
    }

    @Test
    void nextSizeServesWhereTwiceTheSizeDoesNotFit() throws IOException {
        read(8192);
        channel.atCap = true;
        read(1);
        assertAsked("acquire 8192", "find 16384", "acquire 8193");
        peer.assertSent(channel.input().duplicate().flip(), 0);
    }

    @Test
    void bytesOfAnIncompleteMessageAreNoSmallRead() throws IOException {
        for (int i = 0; i < 3; i++) {
            read(3000);
        }
        channel.input().clear();
        channel.idle();
        channel.input();
        assertAsked("acquire 8192", "find 16384");
    }

    // ---------------------------------------------------------------- used by a wake-up within a call

    enum Call {
        INPUT,
        ROOM,
        READ_INTO_FULL,
        READ_INTO_SMALL,
        HAND_OFF
    }

    /** Prepares an input, if the call needs one, so that the call takes a lease. */
    private void prepare(Call call) throws IOException {
        if (call == Call.READ_INTO_FULL || call == Call.READ_INTO_SMALL) {
            read(8192);
        }
        if (call == Call.READ_INTO_SMALL) {
            channel.input().clear();
        }
        if (call == Call.ROOM || call == Call.HAND_OFF) {
            read(5000);
        }
    }

    private void make(Call call) throws IOException {
        switch (call) {
            case INPUT -> channel.input();
            case ROOM -> channel.input(4000);
            case READ_INTO_FULL, READ_INTO_SMALL -> read(10);
            case HAND_OFF -> channel.handOffInput(4000).release();
        }
    }

    @ParameterizedTest
    @EnumSource(Call.class)
    void wakeUpMayCloseChannelWithinCall(Call call) throws IOException {
        prepare(call);
        PooledBuffer[] others = new PooledBuffer[2];
        channel.wakeUp = () -> {
            channel.close();
            for (int i = 0; i < others.length; i++) {
                others[i] = pool.acquire(8192);
                others[i].buffer().put(new byte[33]);
            }
        };
        assertThrows(IllegalStateException.class, () -> make(call));
        for (PooledBuffer other : others) {
            assertEquals(33, other.buffer().position());
            assertEquals(8192, other.buffer().limit());
            other.release();
        }
        assertEquals(0, pool.stats().leases(), "a closed channel holds nothing");
    }

    @ParameterizedTest
    @EnumSource(Call.class)
    void closeWithinSearchAtTheCapEndsCall(Call call) throws IOException {
        prepare(call);
        channel.atCap = true;
        channel.wakeUp = channel::close;
        assertThrows(IllegalStateException.class, () -> make(call));
        assertEquals(0, pool.stats().leases());
    }

    /** All bytes that the peer has sent are unread, or were handed off, in their order. */
    @ParameterizedTest
    @EnumSource(Call.class)
    void wakeUpMayReadWithinCall(Call call) throws IOException {
        prepare(call);
        channel.wakeUp = () -> {
            try {
                read(Integer.MAX_VALUE);
                read(100);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
        make(call);
        int from = call == Call.READ_INTO_SMALL ? 8192 : call == Call.HAND_OFF ? 4000 : 0;
        peer.assertSent(channel.input().duplicate().flip(), from);
        assertEquals(1, pool.stats().leases());
    }

    @ParameterizedTest
    @EnumSource(Call.class)
    void wakeUpMayReplaceInputWithinCall(Call call) throws IOException {
        prepare(call);
        channel.wakeUp = () -> {
            if (channel.input().position() > 0) {
                channel.handOffInput().release();
            }
            channel.idle();
            channel.input(5000).put(new byte[4500]);
        };
        make(call);
        int unread = channel.input().position();
        assertEquals(call == Call.HAND_OFF ? 500 : 4500, unread / 100 * 100);
        assertEquals(1, pool.stats().leases());
    }

    /** The end of the lease of the smaller input calls the wake-up; a larger one is held by then. */
    @Test
    void wakeUpMayCloseChannelWhoseInputHasGrown() throws IOException {
        read(8000);
        List<PooledBuffer> leases = Leases.all(pool, 12_000);
        leases.addAll(Leases.all(pool, 8192));
        leases.remove(0).release(); // of 12,000 bytes, in a slab that others use
        pool.whenAvailable(8192, channel::close);
        assertThrows(IllegalStateException.class, () -> channel.input(4000));
        assertTrue(channel.closed);
        leases.forEach(PooledBuffer::release);
    }
}

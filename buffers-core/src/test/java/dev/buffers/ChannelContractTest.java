// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Conservation;
import dev.buffers.support.Leases;
import dev.buffers.support.PoolContract;
import dev.buffers.support.Refusal;
import dev.buffers.support.ScriptedChannel;
import dev.buffers.support.Threads;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The buffers that one connection keeps. */
@ParameterizedClass
@MethodSource("dev.buffers.support.Kind#chosen")
class ChannelContractTest extends PoolContract {
    private BufferPool pool;
    private ChannelBuffers channel;

    @BeforeEach
    void open() {
        open(kind.builder("contract"));
    }

    private void open(BufferPool.Builder builder) {
        pool = pool(builder);
        channel = pool.channel();
    }

    @AfterEach
    void close() {
        channel.close();
    }

    @Test
    void inputIsInFillModeAndStays() {
        ByteBuffer input = channel.input();
        assertEquals(0, input.position());
        assertEquals(input.capacity(), input.limit());
        assertTrue(input.capacity() >= 8192);
        input.put(new byte[] {1, 2, 3, 4, 5});
        assertSame(input, channel.input());
        assertEquals(1, input.flip().get());
        input.compact();
        assertSame(input, channel.input());
        assertEquals(4, input.position());
        assertEquals(2, input.get(0));
        Conservation.check(pool, 1);
    }

    @Test
    void growingInputKeepsUnreadBytes() {
        ByteBuffer small = channel.input();
        fill(small, 5000);
        assertSame(small, channel.input(10));
        ByteBuffer large = channel.input(50_000);
        assertNotSame(small, large);
        assertEquals(5000, large.position());
        assertTrue(large.remaining() >= 50_000);
        assertHolds(large.duplicate().flip(), 0, 5000);
        assertSame(large, channel.input());
        Conservation.check(pool, 1);
        try (ChannelBuffers other = pool.channel()) {
            assertTrue(other.input(100_000).remaining() >= 100_000);
            assertSame(other.input(), other.input(0));
        }
    }

    @Test
    void moreRoomThanMaxSizeIsRefused() {
        Refusal.of(() -> channel.input(-1), "room must not be negative: room=-1");
        Refusal.of(() -> channel.input(MAX_SIZE + 1), "room=" + (MAX_SIZE + 1), "unread=0", "max-size=" + MAX_SIZE);
        fill(channel.input(), 100);
        Refusal.of(() -> channel.input(MAX_SIZE - 99), "unread=100");
        Refusal.of(() -> channel.input(Integer.MAX_VALUE), "unread=100");
        assertHolds(channel.input().duplicate().flip(), 0, 100);
        assertEquals(MAX_SIZE, channel.input(MAX_SIZE - 100).capacity());
    }

    @Test
    void readFromFillsInputUntilEndOfStream() throws IOException {
        ScriptedChannel peer = new ScriptedChannel().reads(10, 0, 500, -1);
        assertEquals(10, channel.readFrom(peer));
        assertEquals(0, channel.readFrom(peer));
        assertEquals(500, channel.readFrom(peer));
        assertEquals(-1, channel.readFrom(peer));
        assertEquals(510, channel.input().position());
        peer.assertSent(channel.input().duplicate().flip(), 0);
    }

    @Test
    void fullInputGrowsUpToMaxInputAndIsThenAnError() throws IOException {
        channel = pool.channel(20_000);
        ScriptedChannel peer = new ScriptedChannel();
        int before = 0;
        while (channel.input().capacity() < 20_000) {
            assertTrue(channel.readFrom(peer.reads(Integer.MAX_VALUE)) > 0);
            assertTrue(channel.input().position() > before);
            before = channel.input().position();
        }
        while (channel.input().hasRemaining()) {
            channel.readFrom(peer.reads(3000));
        }
        int unread = channel.input().capacity();
        assertEquals(
                "input is full: unread=" + unread + ", max-input=20000, pool=contract; parse and compact, hand off,"
                        + " or raise -Dbuffers.contract.max-input",
                Refusal.of(IllegalStateException.class, () -> channel.readFrom(peer.reads(1))));
        peer.assertSent(channel.input().duplicate().flip(), 0);
        channel.input(100);
        assertEquals(7, channel.readFrom(new ScriptedChannel().reads(7)));
    }

    @Test
    void inputThatIsNotInFillModeIsAnError() throws IOException {
        channel.readFrom(new ScriptedChannel().reads(10));
        channel.input().flip().position(4);
        assertThrows(IllegalStateException.class, () -> channel.readFrom(new ScriptedChannel().reads(1)));
        assertEquals(6, channel.input().remaining(), "the unread bytes are here");
        channel.input().position(10);
        assertEquals(
                "input is not in fill mode: position=10, limit=10, capacity="
                        + channel.input().capacity(),
                Refusal.of(IllegalStateException.class, () -> channel.readFrom(new ScriptedChannel().reads(1))));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, MAX_SIZE + 1, Integer.MAX_VALUE})
    void limitOfOneChannelIsWithinMaxSize(int wrong) {
        Refusal.of(() -> pool.channel(wrong), "max-input=" + wrong, "max-size=" + MAX_SIZE);
    }

    /** Messages on one connection, each with its length in front, which arrive in bursts of any size. */
    @Test
    void messageMayBeAsLargeAsMaxInputWhateverCameBefore() throws IOException {
        Random random = new Random(7);
        int maxInput = pool.settings().maxInput();
        for (int small = 0; small < 300; small++) {
            int length = small % 7 == 0 ? random.nextInt(maxInput - 3) : random.nextInt(200);
            byte[] body = new byte[length];
            random.nextBytes(body);
            byte[] sent =
                    ByteBuffer.allocate(4 + length).putInt(length).put(body).array();
            int at = 0;
            while (at < sent.length) {
                int burst = Math.min(sent.length - at, 1 + random.nextInt(random.nextBoolean() ? 1460 : 70_000));
                int n = channel.readFrom(Channels.newChannel(new ByteArrayInputStream(sent, at, burst)));
                assertTrue(n > 0);
                at += n;
            }
            ByteBuffer input = channel.input().flip();
            byte[] received = new byte[input.getInt()];
            input.get(received).compact();
            assertArrayEquals(body, received);
            if (random.nextBoolean()) {
                channel.idle();
            }
        }
    }

    @Test
    void theInputGrowsWithFullReadsAndShrinksWithSmallOnes() throws IOException {
        channel = pool.channel(MAX_SIZE);
        int first = channel.input().capacity();
        int before = first;
        for (int i = 0; i < 10; i++) {
            channel.readFrom(new ScriptedChannel().reads(Integer.MAX_VALUE));
            channel.input().clear();
        }
        channel.idle();
        int grown = channel.input().capacity();
        assertEquals(MAX_SIZE, grown);
        for (int i = 0; i < 40; i++) {
            channel.readFrom(new ScriptedChannel().reads(1));
            channel.input().clear();
            channel.idle();
            assertTrue(channel.input().capacity() <= grown);
            grown = channel.input().capacity();
        }
        assertTrue(grown < before, "shrunk to " + grown);
        assertTrue(grown >= 1024);
    }

    @Test
    void handsOffAllThatIsUnread() {
        assertThrows(IllegalStateException.class, channel::handOffInput);
        channel.input();
        assertThrows(IllegalStateException.class, channel::handOffInput);
        fill(channel.input(), 1234);
        PooledBuffer lease = channel.handOffInput();
        assertHolds(lease.buffer(), 0, 1234);
        assertEquals(0, channel.input().position());
        assertNotSame(lease.buffer(), channel.input());
        Conservation.check(pool, 2);
        assertTrue(lease.release());
        assertThrows(IllegalStateException.class, lease::release);
    }

    /** The size that earlier reads predict is only a wish. */
    @Test
    void restOfHandOffTakesSmallerBuffer() {
        open(BufferPool.builder("rest").policy("heap-view").max(12 << 10).maxSize(8 << 10));
        fill(channel.input(), 1000);
        pool.acquire(100).release(); // the rest of the cap is cut for small buffers
        PooledBuffer first = channel.handOffInput(990);
        assertHolds(first.buffer(), 0, 990);
        assertEquals(10, channel.input().position());
        first.release();
    }

    @Test
    void handsOffTheFirstBytesAndKeepsTheRest() {
        fill(channel.input(), 1000);
        for (int n : new int[] {0, -1, 1001, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            Refusal.of(() -> channel.handOffInput(n), "cannot hand off: n=" + n + ", unread=1000");
        }
        PooledBuffer head = channel.handOffInput(300);
        PooledBuffer middle = channel.handOffInput(1);
        assertHolds(head.buffer(), 0, 300);
        assertHolds(middle.buffer(), 300, 301);
        assertHolds(channel.input().duplicate().flip(), 301, 1000);
        PooledBuffer rest = channel.handOffInput(699);
        assertHolds(rest.buffer(), 301, 1000);
        assertThrows(IllegalArgumentException.class, () -> channel.handOffInput(1));
        List.of(head, middle, rest).forEach(PooledBuffer::release);
    }

    @Test
    void releaseByWorkerReturnsBufferToTheChannel() throws Exception {
        fill(channel.input(), 10);
        PooledBuffer lease = channel.handOffInput();
        ByteBuffer memory = lease.buffer();
        Threads.run(lease::release);
        ByteBuffer again = channel.input();
        if (kind.isPooled()) {
            assertSame(memory, again);
            assertEquals(1, pool.stats().acquires(AcquireOutcome.CHANNEL));
        }
        assertEquals(0, again.position());
        assertEquals(again.capacity(), again.limit());
        Conservation.check(pool, 1);
    }

    @Test
    void acquiredLeasesComeBackFirst() throws Exception {
        for (int i = 0; i < 50; i++) {
            List<PooledBuffer> leases = new ArrayList<>();
            for (int j = 0; j <= i % 7; j++) {
                leases.add(channel.acquire(1000));
            }
            if (i % 10 == 0) {
                Threads.run(() -> leases.forEach(PooledBuffer::release));
            } else {
                leases.forEach(PooledBuffer::release);
            }
        }
        PoolStats stats = Conservation.check(pool);
        assertEquals(kind.isPooled(), stats.acquires(AcquireOutcome.CHANNEL) > 100);
    }

    @Test
    void aSmallRequestDoesNotTakeALargeKeptBuffer() {
        channel.acquire(100_000).release();
        try (PooledBuffer lease = channel.acquire(100)) {
            assertTrue(lease.capacity() < 1000);
        }
    }

    @Test
    void idleReleasesBuffersWithoutUnreadBytes() {
        channel.input();
        PooledBuffer out = channel.acquire(100);
        channel.acquire(200).release();
        channel.idle();
        Conservation.check(pool, 1);
        out.release();
        Conservation.check(pool);
        pool.trim();
        assertEquals(0, Conservation.check(pool).reservedBytes());
        ByteBuffer input = channel.input();
        fill(input, 5);
        channel.idle();
        assertSame(input, channel.input());
        assertEquals(5, input.position());
        input.clear();
        channel.acquire(100).release(); // works again
    }

    @Test
    void closeGivesEverythingBack() {
        fill(channel.input(), 5);
        PooledBuffer out = channel.acquire(100);
        channel.acquire(300).release();
        channel.close();
        channel.close();
        Conservation.check(pool, 1);
        assertTrue(out.isOpen());
        assertTrue(out.release());
        assertThrows(IllegalStateException.class, channel::input);
        assertThrows(IllegalStateException.class, () -> channel.input(5));
        assertThrows(IllegalStateException.class, () -> channel.acquire(5));
        assertThrows(IllegalStateException.class, channel::handOffInput);
        assertThrows(IllegalStateException.class, () -> channel.readFrom(new ScriptedChannel().reads(1)));
        channel.idle();
        pool.trim();
        assertEquals(0, Conservation.check(pool).reservedBytes());
    }

    @Test
    void closedPoolAcceptsReleasesOfChannelBuffers() {
        fill(channel.input(), 5);
        PooledBuffer out = channel.acquire(100);
        channel.acquire(300).release();
        pool.close();
        assertEquals(5, channel.input().position());
        PooledBuffer handed = channel.handOffInput();
        assertThrows(IllegalStateException.class, channel::input);
        assertThrows(IllegalStateException.class, () -> channel.acquire(300));
        out.release();
        handed.release();
        channel.idle();
        channel.close();
        assertEquals(0, Conservation.check(pool).reservedBytes());
    }

    @Test
    void refusalAtTheCapKeepsUnreadBytes() throws IOException {
        open(kind.builder("capped").max(512 << 10));
        ScriptedChannel peer = new ScriptedChannel().reads(Integer.MAX_VALUE, 1);
        int unread = channel.readFrom(peer);
        assertFalse(channel.input().hasRemaining());
        List<PooledBuffer> rest = restOfPool();
        List<Executable> calls = List.of(
                () -> channel.input(10_000),
                () -> channel.handOffInput(100),
                () -> channel.acquire(8192),
                () -> channel.readFrom(peer));
        refuses(calls, peer);
        Conservation.check(pool, rest.size() + 1);
        Leases.release(rest);
        assertEquals(1, channel.readFrom(peer));
        peer.assertSent(channel.input().duplicate().flip(), 0);

        rest = restOfPool();
        assertTrue(channel.input().hasRemaining());
        refuses(calls.subList(0, 3), peer);
        PooledBuffer all = channel.handOffInput(unread + 1);
        peer.assertSent(all.buffer(), 0);
        assertThrows(PoolExhaustedException.class, channel::input);
        Leases.release(rest);
        all.release();
        assertEquals(0, channel.input().position());
    }

    private void refuses(List<Executable> calls, ScriptedChannel peer) {
        for (Executable call : calls) {
            assertThrows(PoolExhaustedException.class, call);
            peer.assertSent(channel.input().duplicate().flip(), 0);
        }
    }

    private List<PooledBuffer> restOfPool() {
        List<PooledBuffer> rest = new ArrayList<>();
        for (int size : new int[] {16 << 10, 10 << 10, 8192, 1024}) {
            rest.addAll(Leases.all(pool, size));
        }
        assertFalse(rest.isEmpty());
        return rest;
    }

    /** User code that runs within an acquire may end the channel; a size listener is such code in both kinds of pool. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void channelClosedWithinItsAcquireStaysClosed(boolean guard) {
        open(kind.builder("contract").guard(guard));
        ScriptedChannel peer = new ScriptedChannel().reads(1);
        List<Executable> calls =
                List.of(() -> channel.input(MAX_SIZE / 2), () -> channel.readFrom(peer), () -> channel.handOffInput(1));
        for (Executable call : calls) {
            channel = pool.channel();
            fill(channel.input(), channel.input().remaining());
            IntConsumer closes = size -> channel.close();
            pool.addSizeListener(closes);
            assertThrows(IllegalStateException.class, call);
            pool.removeSizeListener(closes);
            Conservation.check(pool);
            assertThrows(IllegalStateException.class, channel::input);
        }
    }

    static void fill(ByteBuffer buffer, int bytes) {
        for (int i = 0; i < bytes; i++) {
            buffer.put((byte) (i * 31 >> 3));
        }
    }

    static void assertHolds(ByteBuffer buffer, int from, int to) {
        assertEquals(0, buffer.position());
        assertEquals(to - from, buffer.remaining());
        for (int i = from; i < to; i++) {
            assertEquals((byte) (i * 31 >> 3), buffer.get(i - from), "at " + i);
        }
    }

    @Test
    void aWishForALargerInputIsNoReasonToRefuseARead() throws IOException {
        open(BufferPool.builder("wish").policy("heap-view").max(64 << 10));
        channel.readFrom(new ScriptedChannel().reads(8192)); // fills the input: the next one should be of 16 KiB
        channel.input().clear();
        List<PooledBuffer> rest = Leases.all(pool, 8192);
        assertEquals(10, channel.readFrom(new ScriptedChannel().reads(10)));
        rest.forEach(PooledBuffer::release);
    }
}

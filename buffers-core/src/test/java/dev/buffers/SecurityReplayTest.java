// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.internal.slab.Slot;
import dev.buffers.io.BufferChain;
import dev.buffers.support.Conservation;
import dev.buffers.support.Peek;
import dev.buffers.support.PoolContract;
import dev.buffers.support.Threads;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.InvalidMarkException;
import java.nio.channels.Pipe;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The faults of other servers' pools, replayed on this one. */
@ParameterizedClass
@MethodSource("dev.buffers.support.Kind#chosen")
class SecurityReplayTest extends PoolContract {
    private static final int HEADER = 8192;

    /** A response of Jetty 9.4.27, which releases its header buffer where generating fails, and again where the failure is handled. */
    private static final class Response {
        final PooledBuffer header;

        Response(PooledBuffer header) {
            this.header = header;
        }

        void generate() {
            header.release();
            throw new UnsupportedOperationException("response header too large");
        }

        void failed() {
            header.release(); // it should have forgotten the buffer
        }
    }

    /** CVE-2019-17638: the second release put one buffer into the pool twice, and two clients got it. */
    @Test
    void aHeaderReleasedTwiceOnTheErrorPath() throws Exception {
        for (boolean ofAChannel : new boolean[] {false, true}) {
            for (boolean elsewhere : new boolean[] {false, true}) {
                BufferPool pool = pool();
                ChannelBuffers channel = pool.channel();
                PooledBuffer header = ofAChannel ? channel.acquire(HEADER) : pool.acquire(HEADER);
                Response failing = new Response(header);
                assertThrows(UnsupportedOperationException.class, failing::generate);
                PooledBuffer ofB = ofAChannel ? channel.acquire(HEADER) : pool.acquire(HEADER);
                ofB.buffer().put("to client B".getBytes(US_ASCII));
                Threads.Action again = () -> assertThrows(IllegalStateException.class, failing::failed);
                if (elsewhere) {
                    Threads.run(again);
                } else {
                    again.run();
                }
                assertTrue(ofB.isOpen());
                PooledBuffer ofC = ofAChannel ? channel.acquire(HEADER) : pool.acquire(HEADER);
                assertNotSame(Peek.slot(ofB), Peek.slot(ofC));
                ofC.buffer().put("to client C".getBytes(US_ASCII));
                assertEquals("to client B", US_ASCII.decode(ofB.buffer().flip()).toString());
                assertEquals(1, Conservation.check(pool, 2).releases(ReleaseOutcome.INVALID));
                ofB.release();
                ofC.release();
                channel.close();
            }
        }
    }

    /** Workers whose every error path releases twice never share a buffer with another worker. */
    @Test
    void workersThatAlwaysReleaseTwice() throws Exception {
        BufferPool pool = pool();
        Set<Slot> out = ConcurrentHashMap.newKeySet();
        List<Threads.Action> workers = new ArrayList<>();
        AtomicReference<PooledBuffer> ofAnother = new AtomicReference<>();
        int rounds = 1_000;
        for (int i = 0; i < 3; i++) {
            long mark = 0x0101010101010101L * (i + 1);
            workers.add(() -> {
                for (int round = 0; round < rounds; round++) {
                    PooledBuffer lease = pool.acquire(HEADER);
                    assertTrue(out.add(Peek.slot(lease)), "two clients have one buffer");
                    lease.buffer().putLong(0, mark + round);
                    PooledBuffer late = ofAnother.getAndSet(null);
                    if (late != null) {
                        assertThrows(IllegalStateException.class, late::release);
                    }
                    assertEquals(mark + round, lease.buffer().getLong(0));
                    assertTrue(out.remove(Peek.slot(lease)));
                    assertTrue(lease.release());
                    assertThrows(IllegalStateException.class, lease::release);
                    ofAnother.set(lease);
                }
            });
        }
        Threads.together(workers);
        PoolStats stats = Conservation.check(pool);
        assertEquals(3L * rounds, stats.releases(ReleaseOutcome.RECYCLED));
        assertTrue(stats.releases(ReleaseOutcome.INVALID) >= 3L * rounds, stats::toString);
    }

    /** CVE-2016-8745: a processor that was returned twice by its error path served two connections. */
    @Test
    void aConnectionClosedTwice() throws Exception {
        BufferPool pool = pool();
        ChannelBuffers failing = pool.channel();
        failing.input().put("of the first".getBytes(US_ASCII));
        PooledBuffer handed = failing.handOffInput();
        failing.input().put((byte) 1);
        failing.acquire(100).release();
        failing.close();
        Threads.run(handed::release);
        failing.close();
        failing.idle();
        assertThrows(IllegalStateException.class, handed::release);
        Conservation.check(pool);
        Set<ByteBuffer> inputs = Collections.newSetFromMap(new IdentityHashMap<>());
        List<ChannelBuffers> others = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            ChannelBuffers other = pool.channel();
            others.add(other);
            assertTrue(inputs.add(other.input()), "two connections read into one buffer");
            other.input().putInt(i);
        }
        for (int i = 0; i < 6; i++) {
            assertEquals(i, others.get(i).input().getInt(0));
        }
        Conservation.check(pool, 6);
        others.forEach(ChannelBuffers::close);
    }

    @Test
    void aRequestHandedOffTwice() throws Exception {
        BufferPool pool = pool();
        ChannelBuffers channel = pool.channel();
        channel.input().put("a request".getBytes(US_ASCII));
        PooledBuffer request = channel.handOffInput();
        assertThrows(IllegalStateException.class, channel::handOffInput);
        assertThrows(IllegalArgumentException.class, () -> channel.handOffInput(1));
        channel.input().put("the next".getBytes(US_ASCII));
        PooledBuffer next = channel.handOffInput();
        assertNotSame(Peek.slot(request), Peek.slot(next));
        Threads.run(request::release);
        assertThrows(IllegalStateException.class, request::release);
        Threads.run(() -> assertThrows(IllegalStateException.class, request::release));
        PooledBuffer one = channel.acquire(HEADER);
        PooledBuffer two = channel.acquire(HEADER);
        assertEquals(3, Set.of(Peek.slot(next), Peek.slot(one), Peek.slot(two)).size());
        assertEquals("the next", US_ASCII.decode(next.buffer()).toString());
        List.of(next, one, two).forEach(PooledBuffer::release);
        channel.close();
    }

    @Test
    void aLeaseQueuedTwice() throws Exception {
        BufferPool pool = pool();
        Pipe pipe = Pipe.open();
        try (Pipe.SinkChannel sink = pipe.sink();
                Pipe.SourceChannel source = pipe.source();
                BufferChain chain = new BufferChain()) {
            assertTrue(source.isOpen());
            PooledBuffer lease = pool.acquire(100);
            chain.add(lease);
            chain.add(lease);
            assertThrows(IllegalStateException.class, () -> chain.writeTo(sink));
        }
        PoolStats stats = Conservation.check(pool);
        assertEquals(1, stats.releases(ReleaseOutcome.RECYCLED));
        try (PooledBuffer one = pool.acquire(100);
                PooledBuffer two = pool.acquire(100)) {
            assertNotSame(Peek.slot(one), Peek.slot(two));
        }
    }

    /** CVE-2024-4109: state that was built for one stream was still there for the next. */
    @Test
    void nothingOfTheLastConnectionsStateStays() {
        BufferPool pool = pool();
        for (int i = 0; i < 6; i++) {
            ChannelBuffers channel = pool.channel();
            PooledBuffer lease = channel.acquire(HEADER);
            assertNew(lease.buffer(), HEADER);
            PooledBuffer whole = lease.retain();
            PooledBuffer part = lease.slice(10, 20);
            ByteBuffer input = channel.input();
            assertNew(input, input.capacity());
            leaveState(input);
            input.limit(input.capacity()).position(5);
            PooledBuffer handed = channel.handOffInput();
            for (PooledBuffer dirty : List.of(handed, lease, whole, part)) {
                leaveState(dirty.buffer());
            }
            PooledBuffer further = lease.retain();
            assertEquals(ByteOrder.BIG_ENDIAN, further.buffer().order());
            assertThrows(InvalidMarkException.class, further.buffer()::reset);
            List.of(further, handed, part, whole, lease).forEach(PooledBuffer::release);
            PooledBuffer again = channel.acquire(100);
            assertNew(again.buffer(), 100);
            again.release();
            channel.close();
        }
    }

    private static void leaveState(ByteBuffer buffer) {
        buffer.order(ByteOrder.LITTLE_ENDIAN)
                .clear()
                .limit(7)
                .position(3)
                .mark()
                .position(6);
    }

    private static void assertNew(ByteBuffer buffer, int limit) {
        assertEquals(0, buffer.position());
        assertEquals(limit, buffer.limit());
        assertEquals(ByteOrder.BIG_ENDIAN, buffer.order());
        assertThrows(InvalidMarkException.class, buffer::reset);
    }

    /** Netty's pull request 14093: the duplicate of a slice wrote past the slice, into a neighbour. */
    @Test
    void noViewOfAViewReachesANeighbour() {
        BufferPool pool = pool();
        PooledBuffer before = pool.acquire(512);
        PooledBuffer lease = pool.acquire(512);
        PooledBuffer after = pool.acquire(512);
        for (PooledBuffer neighbour : List.of(before, after)) {
            fill(neighbour.buffer(), 1);
        }
        PooledBuffer whole = lease.retain();
        for (ByteBuffer view : views(lease.buffer(), whole.buffer())) {
            assertEquals(lease.capacity(), view.capacity());
            fillToTheBrim(view);
        }
        for (PooledBuffer neighbour : List.of(before, after)) {
            assertHolds(neighbour.buffer(), 0, neighbour.capacity(), 1);
        }
        fill(lease.buffer(), 2);
        PooledBuffer part = lease.slice(100, 50);
        PooledBuffer partOfPart = part.slice(10, 20);
        PooledBuffer beside = partOfPart.retain();
        for (ByteBuffer view : views(partOfPart.buffer(), beside.buffer())) {
            assertEquals(20, view.capacity());
            fillToTheBrim(view);
        }
        assertThrows(IndexOutOfBoundsException.class, () -> partOfPart.slice(0, 21));
        assertHolds(lease.buffer(), 0, 110, 2);
        assertHolds(lease.buffer(), 110, 130, 9);
        assertHolds(lease.buffer(), 130, lease.capacity(), 2);
        List.of(beside, partOfPart, part, whole, lease, after, before).forEach(PooledBuffer::release);
    }

    private static List<ByteBuffer> views(ByteBuffer... roots) {
        List<ByteBuffer> views = new ArrayList<>();
        for (ByteBuffer root : roots) {
            ByteBuffer all = root.duplicate().clear();
            views.add(root);
            views.add(all);
            views.add(all.slice());
            views.add(all.slice().duplicate());
            views.add(all.slice(0, all.capacity()).slice().duplicate());
        }
        return views;
    }

    private static void fillToTheBrim(ByteBuffer view) {
        fill(view, 9);
        int capacity = view.capacity();
        assertThrows(IllegalArgumentException.class, () -> view.limit(capacity + 1));
        assertThrows(IndexOutOfBoundsException.class, () -> view.put(capacity, (byte) 9));
        assertThrows(IndexOutOfBoundsException.class, () -> view.putLong(capacity - 7, 9));
        assertThrows(IndexOutOfBoundsException.class, () -> view.put(-1, (byte) 9));
        assertThrows(IndexOutOfBoundsException.class, () -> view.slice(1, capacity));
    }

    private static void fill(ByteBuffer buffer, int value) {
        buffer.clear();
        while (buffer.hasRemaining()) {
            buffer.put((byte) value);
        }
        buffer.clear();
    }

    private static void assertHolds(ByteBuffer buffer, int from, int to, int value) {
        for (int i = from; i < to; i++) {
            assertEquals(value, buffer.get(i), "at " + i);
        }
    }
}

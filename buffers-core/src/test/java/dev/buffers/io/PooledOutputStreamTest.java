// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.PooledBuffer;
import dev.buffers.ReleaseOutcome;
import dev.buffers.support.Leases;
import dev.buffers.support.PoolKind;
import dev.buffers.support.Refusal;
import dev.buffers.support.channels.Failures;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What each method of the stream promises, with a channel that records every buffer it is given. */
class PooledOutputStreamTest {
    private static final int SIZE = 1024;

    private final BufferPool heap = pool("heap-view");
    private final BufferPool direct = pool("direct-view");
    private final byte[] content = new byte[400 << 10];
    private final Recorder channel = new Recorder();
    private PooledOutputStream out = PooledOutputStream.to(channel, heap, direct, SIZE);

    PooledOutputStreamTest() {
        new Random(4).nextBytes(content);
    }

    private static BufferPool pool(String policy) {
        return BufferPool.builder("out")
                .policy(policy)
                .max(2 << 20)
                .regionSize(64 << 10)
                .build();
    }

    @AfterEach
    void nothingIsOut() throws IOException {
        channel.failure = null;
        channel.most = Integer.MAX_VALUE;
        out.close();
        PoolKind.assertNothingOut(heap);
        PoolKind.assertNothingOut(direct);
        heap.close();
        direct.close();
    }

    private void assertHeld(int inHeap, int inDirect) {
        assertEquals(inHeap, heap.stats().leases());
        assertEquals(inDirect, direct.stats().leases());
    }

    private void assertSent(int bytes) {
        assertArrayEquals(Arrays.copyOf(content, bytes), channel.taken());
    }

    @Test
    void gathersInHeapMemoryAndSendsThroughDirect() throws IOException {
        assertHeld(0, 0);
        out.write(content[0]);
        out.write(content, 1, 99);
        out.write(ByteBuffer.wrap(content, 100, 50));
        assertHeld(1, 0);
        assertEquals(0, channel.writes());
        channel.during = () -> assertHeld(1, 1);
        out.flush();
        assertHeld(0, 0);
        assertSent(150);
        assertEquals(List.of("direct 150"), channel.seen);
        out.flush();
        assertEquals(1, channel.writes());
    }

    /** The switch of the policies may turn both pools of a staged stream round. */
    @Test
    void noUselessCopyIsMade() throws IOException {
        for (PooledOutputStream ofDirect : List.of(
                PooledOutputStream.to(channel, direct, SIZE), PooledOutputStream.to(channel, direct, heap, SIZE))) {
            channel.clear();
            channel.during = () -> assertHeld(0, 1);
            out = ofDirect;
            out.write(content, 0, 100);
            out.flush();
            assertEquals(List.of("direct 100"), channel.seen);
            assertHeld(0, 0);
        }
        out = PooledOutputStream.to(channel, heap, heap, SIZE);
        channel.during = () -> assertHeld(1, 0);
        out.write(content, 100, 100);
        out.flush();
        assertEquals(List.of("direct 100", "heap 100"), channel.seen);
        assertSent(200);
    }

    @Test
    void moreThanTheBufferGoesThroughDirectLeases() throws IOException {
        out.write(content, 0, 10);
        channel.during = () -> assertEquals(1, direct.stats().leases());
        out.write(content, 10, 2 * SIZE + 20);
        assertHeld(0, 0);
        assertEquals(List.of("direct 10", "direct 1024", "direct 1024", "direct 20"), channel.seen);
        assertSent(2 * SIZE + 30);
    }

    @Test
    void largeDirectBufferIsWrittenInOneCall() throws IOException {
        ByteBuffer from =
                ByteBuffer.allocateDirect(200 << 10).put(content, 0, 200 << 10).flip();
        out.write(from);
        assertEquals(List.of("direct " + (200 << 10)), channel.seen);
        assertEquals(0, from.remaining());
        assertSent(200 << 10);
    }

    /** The JDK copies all that is in a heap buffer, and keeps as large a direct buffer. */
    @Test
    void withoutDirectMemoryALargeArrayGoesInParts() throws IOException {
        out = PooledOutputStream.to(channel, heap, SIZE);
        out.write(content, 0, 300 << 10);
        assertEquals(List.of("heap 131072", "heap 131072", "heap " + (44 << 10)), channel.seen);
        assertSent(300 << 10);
        channel.clear();
        channel.most = 100_000;
        channel.takes = 1;
        ByteBuffer from = ByteBuffer.wrap(content, 0, 300 << 10);
        assertThrows(IllegalBlockingModeException.class, () -> out.write(from));
        assertEquals(100_000, from.position());
        assertEquals(300 << 10, from.limit());
        channel.takes = Integer.MAX_VALUE;
        out.write(from);
        assertSent(300 << 10);
    }

    @Test
    void afterAFailureTheRestIsSentOnce() throws IOException {
        for (Throwable failure :
                List.of(new IOException("scripted"), new IllegalArgumentException(), new StackOverflowError())) {
            channel.clear();
            out.write(content, 0, 800);
            channel.most = 300;
            channel.takes = 1;
            channel.failure = failure;
            assertSame(failure, assertThrows(Throwable.class, out::flush));
            assertSent(300);
            assertHeld(1, 0);
            assertSame(failure, assertThrows(Throwable.class, () -> out.write(content, 0, SIZE)));
            channel.failure = null;
            channel.takes = Integer.MAX_VALUE;
            out.write(content, 800, SIZE);
            out.flush();
            assertSent(800 + SIZE);
            assertHeld(0, 0);
        }
        assertEquals(0, heap.stats().releases(ReleaseOutcome.DISCARDED));
        assertEquals(0, direct.stats().releases(ReleaseOutcome.DISCARDED));
    }

    /** One lease is enough for a stream of one pool, whatever it writes. */
    @Test
    void aLargeArrayNeedsNoSecondLease() throws IOException {
        out = PooledOutputStream.to(channel, direct, SIZE);
        List<PooledBuffer> hogged = Leases.all(direct, SIZE);
        hogged.remove(0).release();
        out.write(content, 0, 500);
        out.write(content, 500, 5000);
        out.flush();
        assertSent(5500);
        Leases.release(hogged);
    }

    @Test
    void closeStillSendsWhenNoDirectLeaseIsAvailable() throws IOException {
        out.write(content, 0, 900);
        List<PooledBuffer> hogged = Leases.all(direct, SIZE);
        out.close();
        assertSent(900);
        assertEquals(List.of("heap 900"), channel.seen);
        Leases.release(hogged);
        out = PooledOutputStream.to(channel, heap, direct, SIZE);
        out.write(content, 900, 100);
        direct.close();
        assertThrows(IllegalStateException.class, out::flush);
        out.close();
        assertSent(1000);
    }

    @Test
    void afterCloseEverythingIsRefused() throws IOException {
        out.write(content, 0, 5);
        out.close();
        out.close();
        assertEquals(1, channel.closes);
        assertSent(5);
        for (IOException e : List.of(
                assertThrows(IOException.class, () -> out.write(1)),
                assertThrows(IOException.class, () -> out.write(content, 0, 0)),
                assertThrows(IOException.class, () -> out.write(ByteBuffer.wrap(content))),
                assertThrows(IOException.class, out::flush))) {
            assertTrue(e.getMessage().contains("closed"), e::getMessage);
        }
        assertSent(5);
        assertHeld(0, 0);
    }

    @Test
    void closeDoesEachStepAndKeepsEachException() throws IOException {
        for (int bytes : new int[] {0, 10}) {
            channel.failure = new IOException("scripted");
            channel.takes = 0;
            channel.closing = new IllegalArgumentException("closing");
            channel.closes = 0;
            out = PooledOutputStream.to(channel, heap, direct, SIZE);
            out.write(content, 0, bytes);
            Throwable thrown = assertThrows(Throwable.class, out::close);
            assertSame(bytes == 0 ? channel.closing : channel.failure, thrown);
            assertEquals(bytes == 0 ? List.of() : List.of(channel.closing), List.of(thrown.getSuppressed()));
            assertHeld(0, 0);
            out.close();
            assertEquals(1, channel.closes);
        }
    }

    /** It is unknown how much an I/O that may go on has sent, and its memory is never given out again. */
    @Test
    void aWriteThatWasCutShortInAForeignChannelBreaksTheStream() throws IOException {
        for (IOException failure : Failures.cutShort()) {
            for (boolean staged : new boolean[] {true, false}) {
                channel.clear();
                channel.failure = failure;
                channel.takes = 0;
                long before = direct.stats().releases(ReleaseOutcome.DISCARDED);
                out = staged
                        ? PooledOutputStream.to(channel, heap, direct, SIZE)
                        : PooledOutputStream.to(channel, direct, SIZE);
                out.write(content, 0, 100);
                assertSame(failure, assertThrows(IOException.class, out::flush));
                assertHeld(0, 0);
                assertEquals(before + 1, direct.stats().releases(ReleaseOutcome.DISCARDED));
                assertEquals(0, heap.stats().releases(ReleaseOutcome.DISCARDED), "no channel had the stage");
                channel.failure = null;
                channel.takes = Integer.MAX_VALUE;
                for (IOException e : List.of(
                        assertThrows(IOException.class, out::flush),
                        assertThrows(IOException.class, () -> out.write(1)))) {
                    assertSame(failure, e.getCause());
                }
                out.close();
                assertEquals(0, channel.taken().length);
            }
        }
    }

    @Test
    void argumentsAreChecked() {
        assertThrows(NullPointerException.class, () -> PooledOutputStream.to(null, heap));
        assertThrows(NullPointerException.class, () -> PooledOutputStream.to(channel, heap, null, 5));
        Refusal.of(() -> PooledOutputStream.to(channel, heap, direct, -1), "size=-1");
        assertThrows(IndexOutOfBoundsException.class, () -> out.write(content, content.length, 1));
        assertThrows(NullPointerException.class, () -> out.write((ByteBuffer) null));
        assertThrows(NullPointerException.class, () -> out.write((byte[]) null));
        assertHeld(0, 0);
    }

    /** A full buffer is sent when the next byte comes. */
    @Test
    void theUsualSizes() throws IOException {
        for (BufferPool sends : List.of(heap, direct)) {
            channel.clear();
            out = sends == heap ? PooledOutputStream.to(channel, heap) : PooledOutputStream.to(channel, heap, direct);
            out.write(content, 0, 16 << 10);
            assertEquals(0, channel.writes());
            out.write(content[16 << 10]);
            assertEquals(List.of((sends == heap ? "heap " : "direct ") + (16 << 10)), channel.seen);
            out.close();
            assertSent((16 << 10) + 1);
        }
    }

    /** Takes {@code most} bytes at a time, {@code takes} times; then throws the failure, or takes nothing. */
    private static final class Recorder implements WritableByteChannel {
        private final java.io.ByteArrayOutputStream bytes = new java.io.ByteArrayOutputStream();
        private final List<String> seen = new ArrayList<>();
        private int most = Integer.MAX_VALUE;
        private int takes = Integer.MAX_VALUE;
        private Runnable during = () -> {};
        private Throwable failure;
        private RuntimeException closing;
        private int closes;

        byte[] taken() {
            return bytes.toByteArray();
        }

        int writes() {
            return seen.size();
        }

        void clear() {
            bytes.reset();
            seen.clear();
        }

        @Override
        public int write(ByteBuffer from) {
            seen.add((from.isDirect() ? "direct " : "heap ") + from.remaining());
            during.run();
            if (takes == 0 && failure != null) {
                throw Failures.<RuntimeException>sneak(failure);
            }
            int n = takes == 0 ? 0 : Math.min(most, from.remaining());
            takes -= takes == 0 ? 0 : 1;
            byte[] part = new byte[n];
            from.get(part);
            bytes.writeBytes(part);
            return n;
        }

        @Override
        public boolean isOpen() {
            return closes == 0;
        }

        @Override
        public void close() {
            closes++;
            if (closing != null) {
                throw closing;
            }
        }
    }
}

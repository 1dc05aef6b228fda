// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.Exhaustion;
import dev.buffers.PoolExhaustedException;
import dev.buffers.PooledBuffer;
import dev.buffers.ReleaseOutcome;
import dev.buffers.support.Leases;
import dev.buffers.support.PoolKind;
import dev.buffers.support.channels.Failures;
import dev.buffers.support.channels.Plan;
import dev.buffers.support.channels.PlannedSink;
import dev.buffers.support.channels.PlannedSource;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.Pipe;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What every synchronous transfer promises, whatever its ends are and whatever the pool's memory. */
class TransfersContractTest {
    /** The four methods, with ends of our own. */
    enum Ends {
        STREAM_TO_STREAM,
        STREAM_TO_CHANNEL,
        CHANNEL_TO_STREAM,
        CHANNEL_TO_CHANNEL;

        long transfer(Transfers transfers, PlannedSource in, PlannedSink out, long max) throws IOException {
            return switch (this) {
                case STREAM_TO_STREAM -> transfers.transfer(in.stream(), out.stream(), max);
                case STREAM_TO_CHANNEL -> transfers.transfer(in.stream(), out, max);
                case CHANNEL_TO_STREAM -> transfers.transfer(in, out.stream(), max);
                case CHANNEL_TO_CHANNEL -> transfers.transfer(in, out, max);
            };
        }

        long transfer(Transfers transfers, PlannedSource in, PlannedSink out) throws IOException {
            return switch (this) {
                case STREAM_TO_STREAM -> transfers.transfer(in.stream(), out.stream());
                case STREAM_TO_CHANNEL -> transfers.transfer(in.stream(), out);
                case CHANNEL_TO_STREAM -> transfers.transfer(in, out.stream());
                case CHANNEL_TO_CHANNEL -> transfers.transfer(in, out);
            };
        }

        boolean fromStream() {
            return this == STREAM_TO_STREAM || this == STREAM_TO_CHANNEL;
        }

        boolean toStream() {
            return this == STREAM_TO_STREAM || this == CHANNEL_TO_STREAM;
        }
    }

    private static final int SEEDS = 60;

    private final Random random = new Random(7);
    private final byte[] content = new byte[5000];
    private final PlannedSource source = new PlannedSource(content, new Plan(random).most(5000));
    private final PlannedSink sink = new PlannedSink(new Plan(random).most(5000));

    private final BufferPool heap = PoolKind.of("heap").builder().build();

    TransfersContractTest() {
        random.nextBytes(content);
    }

    @AfterEach
    void nothingIsOut() {
        PoolKind.assertNothingOut(heap);
        heap.close();
    }

    @ParameterizedTest
    @MethodSource("dev.buffers.support.PoolKind#chosen")
    void movesUntilTheEndAndThenNothing(PoolKind kind) throws IOException {
        try (BufferPool pool = kind.builder().build()) {
            for (Ends ends : Ends.values()) {
                source.given = 0;
                sink.taken.reset();
                Transfers transfers = new Transfers(pool, 1000);
                assertEquals(0, ends.transfer(transfers, source, sink, 0));
                assertEquals(0, source.given);
                assertEquals(1234, ends.transfer(transfers, source, sink, 1234));
                assertEquals(1234, source.given);
                assertEquals(5000 - 1234, ends.transfer(transfers, source, sink, 4000));
                assertEquals(0, ends.transfer(transfers, source, sink));
                assertArrayEquals(content, sink.taken.toByteArray());
                assertTrue(sink.largest <= 1000, "the buffer's size is the limit");
                PoolKind.assertNothingOut(pool);
            }
            assertFalse(source.closes + sink.closes > 0 || sink.flushed);
        }
    }

    /** Memory that an I/O may still use is never given out again; the end that did not fail does not use it. */
    @ParameterizedTest
    @EnumSource(Ends.class)
    void memoryOfForeignCallThatWasCutShortIsDiscarded(Ends ends) throws IOException {
        int reads = ends.fromStream() ? 0 : 1;
        int writes = ends.toStream() ? 0 : 1;
        for (IOException failure : Failures.cutShort()) {
            try (BufferPool pool = PoolKind.of("direct-view").builder().build()) {
                Transfers transfers = new Transfers(pool, 1000);
                source.given = 0;
                source.plan.failsWith(failure);
                sink.plan.most(5000);
                assertSame(
                        failure, assertThrows(IOException.class, () -> ends.transfer(transfers, source, sink, 5000)));
                assertEquals(reads, pool.stats().releases(ReleaseOutcome.DISCARDED), "in a read: " + failure);
                sink.plan.failsWith(failure);
                assertSame(
                        failure, assertThrows(IOException.class, () -> ends.transfer(transfers, source, sink, 5000)));
                assertEquals(reads + writes, pool.stats().releases(ReleaseOutcome.DISCARDED), "in a write: " + failure);
                PoolKind.assertNothingOut(pool);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Ends.class)
    void aTransferOfFewTakesASmallBuffer(Ends ends) throws IOException {
        try (BufferPool pool =
                PoolKind.of("heap-view").builder().maxSize(4 << 10).build()) {
            ends.transfer(new Transfers(pool, 1 << 20), source, sink, 100);
            assertTrue(pool.stats().sizeClasses().get(0).size() < 256);
        }
    }

    @ParameterizedTest
    @EnumSource(Ends.class)
    void theDefaultSizeIsALargeClassAtMost(Ends ends) throws IOException {
        byte[] large = new byte[200_000];
        PlannedSource in = new PlannedSource(large, new Plan(random).most(1 << 20));
        try (BufferPool small = PoolKind.of("heap").builder().maxSize(4 << 10).build()) {
            sink.plan.most(1 << 20);
            sink.largest = 0;
            ends.transfer(new Transfers(small), in, sink, 100_000);
            assertTrue(sink.largest <= 4 << 10);
            ends.transfer(new Transfers(heap), in, sink, 100_000);
            assertTrue(sink.largest > 30_000 && sink.largest <= 64 << 10);
        }
    }

    @ParameterizedTest
    @EnumSource(Ends.class)
    void atTheCapNothingIsRead(Ends ends) throws IOException {
        for (String policy : List.of("heap-view", "direct-view", "heap", "direct")) {
            try (BufferPool pool = PoolKind.of(policy).pool("cap", 64 << 10)) {
                List<PooledBuffer> all = Leases.all(pool, 16 << 10);
                Transfers transfers = new Transfers(pool, 16 << 10);
                source.given = 0;
                if (ends == Ends.STREAM_TO_STREAM && policy.startsWith("direct")) {
                    assertEquals(5000, ends.transfer(transfers, source, sink)); // which needs none of it
                } else {
                    PoolExhaustedException e =
                            assertThrows(PoolExhaustedException.class, () -> ends.transfer(transfers, source, sink));
                    assertEquals(0, source.given);
                    assertEquals(0, PartialTransferException.of(e).transferred());
                }
                assertEquals(all.size(), pool.stats().leases());
                all.forEach(PooledBuffer::release);
            }
        }
    }

    /** Its memory is of another kind than the pool's then. */
    @ParameterizedTest
    @EnumSource(Ends.class)
    void atTheCapWithUnpooledMemory(Ends ends) throws IOException {
        try (BufferPool pool = BufferPool.builder("cap")
                .policy("direct-view")
                .max(1 << 20)
                .regionSize(1 << 20)
                .atLimit(Exhaustion.unpooled())
                .build()) {
            List<PooledBuffer> all = Leases.all(pool, 16 << 10);
            assertEquals(5000, ends.transfer(new Transfers(pool, 16 << 10), source, sink));
            assertArrayEquals(content, sink.taken.toByteArray());
            all.forEach(PooledBuffer::release);
            PoolKind.assertNothingOut(pool);
        }
    }

    @Test
    void aNonBlockingChannelIsRefusedBeforeAByteMoves() throws IOException {
        Pipe pipe = Pipe.open();
        try (BufferPool pool = PoolKind.of("direct-view").builder().build();
                Pipe.SinkChannel to = pipe.sink();
                Pipe.SourceChannel from = pipe.source()) {
            Transfers transfers = new Transfers(pool);
            to.configureBlocking(false);
            assertThrows(IllegalBlockingModeException.class, () -> transfers.transfer(source, to));
            assertThrows(IllegalBlockingModeException.class, () -> transfers.transfer(source.stream(), to));
            assertEquals(0, source.given);
            to.write(ByteBuffer.wrap(new byte[10]));
            from.configureBlocking(false);
            assertThrows(IllegalBlockingModeException.class, () -> transfers.transfer(from, sink));
            assertThrows(IllegalBlockingModeException.class, () -> transfers.transfer(from, sink.stream()));
            from.configureBlocking(true);
            assertEquals(10, transfers.transfer(from, sink, 10));
            PoolKind.assertNothingOut(pool);
        }
    }

    @Test
    void channelThatGivesNothingIsAskedOnce() {
        source.plan.zeroEvery = 1;
        Transfers transfers = new Transfers(heap);
        assertThrows(IllegalBlockingModeException.class, () -> transfers.transfer(source, sink));
        assertThrows(IllegalBlockingModeException.class, () -> transfers.transfer(source, sink.stream()));
        assertEquals(2, source.reads);
    }

    @Test
    void aChannelThatTakesNothingLosesNothing() {
        sink.plan.zeroEvery = 1;
        IllegalBlockingModeException e = assertThrows(
                IllegalBlockingModeException.class, () -> new Transfers(heap, 100).transfer(source, sink, 70));
        assertEquals(1, sink.writes, "asked once");
        PartialTransferException partial = PartialTransferException.of(e);
        assertEquals(0, partial.transferred());
        assertArrayEquals(Arrays.copyOf(content, source.given), partial.unwritten());
        assertSame(partial.unwritten(), partial.unwritten());
        assertEquals("transferred=0, unwritten=" + source.given, partial.getMessage());
    }

    @ParameterizedTest
    @MethodSource("dev.buffers.support.PoolKind#chosen")
    void anArrayStreamNeedsNoBuffer(PoolKind kind) throws IOException {
        try (BufferPool pool = kind.builder().build()) {
            Transfers transfers = new Transfers(pool);
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            long before = acquires(pool);
            assertEquals(5000, transfers.transfer(new ByteArrayInputStream(content), out));
            assertEquals(5000, transfers.transfer(new ByteArrayInputStream(content), out, 5000));
            assertEquals(before, acquires(pool));
            InputStream in = new ByteArrayInputStream(content);
            assertEquals(4999, transfers.transfer(in, out, 4999));
            assertEquals(1, in.available());
            assertEquals(14_999, out.size());
            PoolKind.assertNothingOut(pool);
        }
    }

    @Test
    void anArrayStreamWhoseSinkFails() throws IOException {
        InputStream in = new ByteArrayInputStream(new byte[400_000]);
        sink.plan.failsAt(300_000);
        Throwable e = assertThrows(Throwable.class, () -> new Transfers(heap).transfer(in, sink.stream()));
        assertSame(sink.plan.thrown, e);
        PartialTransferException partial = PartialTransferException.of(e);
        assertEquals(400_000 - in.available(), partial.transferred() + partial.unwritten().length);
    }

    @Test
    void argumentsAreChecked() throws IOException {
        Transfers transfers = new Transfers(heap);
        InputStream in = source.stream();
        OutputStream out = sink.stream();
        for (Ends ends : Ends.values()) {
            IllegalArgumentException e =
                    assertThrows(IllegalArgumentException.class, () -> ends.transfer(transfers, source, sink, -1));
            assertEquals("max must not be negative: max=-1", e.getMessage());
        }
        assertThrows(NullPointerException.class, () -> transfers.transfer((InputStream) null, out));
        assertThrows(NullPointerException.class, () -> transfers.transfer((ReadableByteChannel) null, out));
        assertThrows(NullPointerException.class, () -> transfers.transfer(in, (OutputStream) null));
        assertThrows(NullPointerException.class, () -> transfers.transfer(in, (WritableByteChannel) null));
        assertThrows(NullPointerException.class, () -> new Transfers(null));
        assertThrows(NullPointerException.class, () -> new Transfers(null, 1));
        assertThrows(IllegalArgumentException.class, () -> new Transfers(heap, 0));
        for (Duration wrong : List.of(Duration.ZERO, Duration.ofNanos(-1), Duration.ofSeconds(Long.MAX_VALUE))) {
            assertThrows(IllegalArgumentException.class, () -> transfers.withTimeout(wrong));
        }
        heap.close();
        for (Ends ends : Ends.values()) {
            assertThrows(IllegalStateException.class, () -> ends.transfer(transfers, source, sink, 10));
        }
        assertEquals(0, source.given);
    }

    @Test
    void progressIsFoundInWrappedFailure() {
        IOException failure = new IOException("planned");
        assertNull(PartialTransferException.of(failure));
        PartialTransferException.addTo(failure, 5, new byte[0]);
        failure.addSuppressed(new IOException("another"));
        assertNotNull(PartialTransferException.of(failure));
        PartialTransferException.addTo(failure, 6, new byte[3]);
        assertEquals(
                6, PartialTransferException.of(new ExecutionException(failure)).transferred());
        assertEquals(
                3, PartialTransferException.of(new CompletionException(failure)).unwritten().length);
        IOException circular = new IOException("circular", new IOException());
        circular.getCause().initCause(circular);
        assertNull(PartialTransferException.of(circular));
    }

    @ParameterizedTest
    @MethodSource("dev.buffers.support.PoolKind#chosen")
    void nothingIsLostOrMovedTwice(PoolKind kind) {
        try (BufferPool pool = kind.builder().build()) {
            for (long seed = 0; seed < (kind.guard() ? SEEDS / 3 : SEEDS); seed++) {
                try {
                    new Run(pool, new Random(seed * 31 + kind.toString().hashCode())).toTheEnd();
                    PoolKind.assertNothingOut(pool);
                } catch (Throwable e) {
                    throw new AssertionError("seed=" + seed + ", kind=" + kind, e);
                }
            }
        }
    }

    /** Ends that move any number of bytes and fail anywhere. After each failure, what it says is done. */
    private static final class Run {
        private final BufferPool pool;
        private final byte[] content;
        private final int bufferSize;
        private final Transfers transfers;
        private final boolean unbounded;
        private final long max;
        private final Ends ends;
        private final PlannedSource source;
        private final PlannedSink sink;

        /** Bytes that are the sink's. */
        private long done;

        Run(BufferPool pool, Random random) {
            this.pool = pool;
            content = new byte[random.nextInt(10) == 0 ? 0 : random.nextInt(20_000)];
            random.nextBytes(content);
            bufferSize = random.nextBoolean() ? 1 + random.nextInt(300) : 1 + random.nextInt(10_000);
            transfers = new Transfers(pool, bufferSize);
            unbounded = random.nextBoolean();
            max = unbounded ? Long.MAX_VALUE : random.nextInt(content.length + 100);
            ends = Ends.values()[random.nextInt(4)];
            Plan giving = Plan.random(random, content.length);
            Plan taking = Plan.random(random, content.length);
            source = random.nextBoolean()
                    ? new PlannedSource(content, giving)
                    : new PlannedSource.Seekable(content, giving);
            sink = new PlannedSink(taking);
        }

        void toTheEnd() throws Exception {
            int attempts = 0;
            for (; ; ) {
                long left = unbounded ? max : max - done;
                source.plan.thrown = null;
                sink.plan.thrown = null;
                try {
                    long n = unbounded
                            ? ends.transfer(transfers, source, sink)
                            : ends.transfer(transfers, source, sink, left);
                    assertTrue(n <= left);
                    done += n;
                    break;
                } catch (IOException | RuntimeException | Error e) {
                    goOnAfter(e);
                }
                assertTrue(++attempts < 100_000);
                if (attempts % 50 == 1) {
                    PoolKind.assertNothingOut(pool);
                }
            }
            int expected = (int) Math.min(max, content.length);
            assertEquals(expected, done, "returned");
            assertArrayEquals(Arrays.copyOf(content, expected), sink.taken.toByteArray());
            assertEquals(expected, source.given, "read ahead");
            assertTrue(sink.largest <= bufferSize, "largest write");
            assertTrue(source.closes + sink.closes == 0 && !sink.flushed);
        }

        private void goOnAfter(Throwable e) {
            if (!(e instanceof IllegalBlockingModeException)) {
                assertSame(source.plan.thrown == null ? sink.plan.thrown : source.plan.thrown, e);
            }
            PartialTransferException partial = PartialTransferException.of(e);
            assertNotNull(partial);
            byte[] rest = partial.unwritten();
            assertTrue(rest.length <= bufferSize);
            long ofFailed = sink.taken.size() - done - partial.transferred();
            if (!ends.toStream()) {
                assertEquals(0, ofFailed, "taken and not counted");
            }
            assertTrue(ofFailed >= 0, "counted and not taken: " + ofFailed);
            done += partial.transferred();
            if (source instanceof PlannedSource.Seekable && !ends.fromStream()) {
                assertEquals(0, rest.length);
                assertEquals(done, source.given, "position of the source");
                source.given += (int) ofFailed; // which the stream took and we cannot know
                done += ofFailed;
            } else {
                assertTrue(ofFailed <= rest.length);
                sink.taken.write(rest, (int) ofFailed, rest.length - (int) ofFailed);
                done += rest.length;
                assertEquals(done, source.given, "what left the source");
            }
            assertEquals(done, sink.taken.size());
        }
    }

    static long acquires(BufferPool pool) {
        return pool.stats().acquiresByOutcome().values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }
}

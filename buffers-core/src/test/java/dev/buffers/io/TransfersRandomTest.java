// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.support.PoolKind;
import dev.buffers.support.channels.Plan;
import dev.buffers.support.channels.PlannedSink;
import dev.buffers.support.channels.PlannedSource;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.IllegalBlockingModeException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Ends that move any number of bytes and fail anywhere: with what the failure says, nothing is lost or moved twice. */
class TransfersRandomTest {
    private static final int SEEDS = 60;

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

    private static final class Run {
        private final BufferPool pool;
        private final Transfers transfers;
        private final byte[] content;
        private final long max;
        private final int bufferSize;
        private final boolean unbounded;
        private final PlannedSource source;
        private final PlannedSink sink;
        private final boolean fromStream;
        private final boolean toStream;
        private final InputStream in;
        private final OutputStream out;

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
            fromStream = random.nextBoolean();
            toStream = random.nextBoolean();
            Plan giving = Plan.random(random, content.length);
            Plan taking = Plan.random(random, content.length);
            source = random.nextBoolean()
                    ? new PlannedSource(content, giving)
                    : new PlannedSource.Seekable(content, giving);
            sink = new PlannedSink(taking);
            in = source.stream();
            out = sink.stream();
        }

        void toTheEnd() throws Exception {
            int attempts = 0;
            for (; ; ) {
                long left = max == Long.MAX_VALUE ? max : max - done;
                source.plan.thrown = null;
                sink.plan.thrown = null;
                try {
                    long n = once(left);
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

        private long once(long left) throws IOException {
            if (fromStream) {
                if (toStream) {
                    return unbounded ? transfers.transfer(in, out) : transfers.transfer(in, out, left);
                }
                return unbounded ? transfers.transfer(in, sink) : transfers.transfer(in, sink, left);
            }
            if (toStream) {
                return unbounded ? transfers.transfer(source, out) : transfers.transfer(source, out, left);
            }
            return unbounded ? transfers.transfer(source, sink) : transfers.transfer(source, sink, left);
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
            if (!toStream) {
                assertEquals(0, ofFailed, "taken and not counted");
            }
            assertTrue(ofFailed >= 0, "counted and not taken: " + ofFailed);
            done += partial.transferred();
            if (source instanceof PlannedSource.Seekable && !fromStream) {
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
}

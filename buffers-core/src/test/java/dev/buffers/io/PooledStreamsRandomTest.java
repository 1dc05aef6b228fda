// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.PoolExhaustedException;
import dev.buffers.PooledBuffer;
import dev.buffers.support.Leases;
import dev.buffers.support.PoolKind;
import dev.buffers.support.channels.Failures;
import dev.buffers.support.channels.Plan;
import dev.buffers.support.channels.PlannedSink;
import dev.buffers.support.channels.PlannedSource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.IllegalBlockingModeException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Streams against a plain array of bytes: whatever the channel and the pools do, each byte passes once and in order. A lease is held exactly
 * while bytes are buffered (I2, I3, O1 to O4).
 */
class PooledStreamsRandomTest {
    private final List<PooledBuffer> hogged = new ArrayList<>();
    private Random random;
    private BufferPool pool;
    private int size;

    @FunctionalInterface
    private interface Action {
        void run() throws IOException;
    }

    @ParameterizedTest
    @MethodSource("dev.buffers.support.PoolKind#chosen")
    void inputGivesExactlyTheBytesOfTheChannel(PoolKind kind) {
        forSeeds(kind, () -> new Input().run());
    }

    @ParameterizedTest
    @MethodSource("dev.buffers.support.PoolKind#chosen")
    void channelGetsExactlyTheBytesTaken(PoolKind kind) {
        forSeeds(kind, () -> new Output(null).run());
    }

    @ParameterizedTest
    @MethodSource("dev.buffers.support.PoolKind#chosen")
    void staged(PoolKind kind) {
        PoolKind second = new PoolKind(kind.guard() ? "direct" : "direct-view", kind.guard());
        forSeeds(kind, () -> new Output(second).run());
    }

    private void forSeeds(PoolKind kind, Action run) {
        for (long seed = 1; seed <= kind.seeds(); seed++) {
            random = new Random(seed);
            size = 1 + random.nextInt(random.nextBoolean() ? 300 : 20_000);
            pool = kind.pool("streams-random", size);
            try {
                run.run();
                PoolKind.assertNothingOut(pool);
                pool.close();
            } catch (IOException | RuntimeException | AssertionError e) {
                throw new AssertionError("seed=" + seed + ", " + kind + ", size=" + size, e);
            }
        }
    }

    /** Only what the channel does as planned, and a pool that has no more, may end the step early. */
    private void attempt(Plan plan, Action step) throws IOException {
        try {
            step.run();
        } catch (IllegalBlockingModeException e) {
            assertTrue(plan.zeroEvery > 0);
        } catch (PoolExhaustedException e) {
            assertTrue(!hogged.isEmpty(), e::getMessage);
            Leases.release(hogged);
        } catch (IOException | UnsupportedOperationException | AssertionError e) {
            if (!Failures.isScripted(e)) {
                throw e;
            }
        }
    }

    private void hogOrNot(BufferPool its) {
        if (hogged.isEmpty()) {
            hogged.addAll(Leases.all(its, size));
        } else {
            Leases.release(hogged);
        }
    }

    private final class Input {
        private final PlannedSource source = new PlannedSource(random, random.nextInt(120_000));
        private final PooledInputStream in = PooledInputStream.from(source, pool, size);
        private int at;
        private boolean ended;

        void run() throws IOException {
            source.plan.disturb(size);
            for (int steps = 0; !ended && steps < 600; steps++) {
                attempt(source.plan, this::step);
                check();
            }
            Leases.release(hogged);
            source.plan.calm();
            source.plan.most = Integer.MAX_VALUE;
            if (random.nextBoolean()) {
                drain();
                assertEquals(-1, in.read());
                check();
            }
            in.close();
            in.close();
            assertEquals(1, source.closes);
            assertEquals(0, source.readsAfterEnd);
        }

        private void step() throws IOException {
            switch (random.nextInt(12)) {
                case 0 -> gotByte(in.read());
                case 1, 2, 3 -> read(1 + random.nextInt(size));
                case 4, 5 -> read(size + random.nextInt(2 * size));
                case 6 -> skip(random.nextInt(2 * size) - 3);
                case 7 -> assertEquals(0, in.read(new byte[3], 3, 0));
                case 8 -> hogOrNot(pool);
                case 9 -> readAll(random.nextInt(3 * size));
                case 10 -> readFully(random.nextInt(3 * size));
                default -> moveSome();
            }
        }

        /** What a failed read had brought comes before its exception, which may be due even now. */
        private void drain() throws IOException {
            for (; ; ) {
                try {
                    got(in.readAllBytes());
                    assertEquals(source.content.length, at);
                    return;
                } catch (IOException | RuntimeException | AssertionError e) {
                    if (!Failures.isScripted(e)) {
                        throw e;
                    }
                }
            }
        }

        private void check() throws IOException {
            int buffered = source.given - at;
            assertTrue(buffered >= 0);
            assertEquals(buffered, in.available());
            assertEquals(hogged.size() + (buffered > 0 ? 1 : 0), pool.stats().leases());
        }

        private void gotByte(int b) {
            if (b < 0) {
                gotEnd();
            } else {
                assertEquals(source.content[at] & 0xFF, b);
                at++;
            }
        }

        private void gotEnd() {
            assertEquals(source.content.length, at);
            ended = true;
        }

        private void got(byte[] bytes) {
            assertArrayEquals(Arrays.copyOfRange(source.content, at, at + bytes.length), bytes);
            at += bytes.length;
        }

        private void read(int length) throws IOException {
            int from = random.nextInt(5);
            byte[] into = new byte[from + length + random.nextInt(5)];
            Arrays.fill(into, (byte) 0x77);
            int n = in.read(into, from, length);
            if (n < 0) {
                gotEnd();
                return;
            }
            assertTrue(n > 0 && n <= length);
            got(Arrays.copyOfRange(into, from, from + n));
            for (int i = 0; i < into.length; i++) {
                assertTrue(i >= from && i < from + n || into[i] == 0x77);
            }
        }

        private void skip(long n) throws IOException {
            long skipped = in.skip(n);
            assertTrue(skipped >= 0 && skipped <= Math.max(0, n));
            at += (int) skipped;
            if (skipped == 0 && n > 0) {
                gotEnd();
            }
        }

        /** Only a channel's own failure may lose what such a call had read. */
        private void readAll(int length) throws IOException {
            if (source.plan.failIn + source.plan.zeroEvery > 0) {
                return;
            }
            byte[] bytes = in.readNBytes(length);
            assertEquals(Math.min(length, source.content.length - at), bytes.length);
            got(bytes);
        }

        private void readFully(int length) throws IOException {
            if (source.plan.failIn + source.plan.zeroEvery > 0) {
                return;
            }
            byte[] into = new byte[length + 7];
            int expected = Math.min(length, source.content.length - at);
            assertEquals(expected, in.readNBytes(into, 5, length));
            got(Arrays.copyOfRange(into, 5, 5 + expected));
        }

        /** To a stream that counts, so that a failure half-way leaves no doubt; it may fail too. */
        private void moveSome() throws IOException {
            if (random.nextInt(6) > 0) {
                return;
            }
            ByteArrayOutputStream moved = new ByteArrayOutputStream() {
                @Override
                public void write(byte[] from, int offset, int length) {
                    super.write(from, offset, length);
                    if (random.nextInt(10) == 0) {
                        throw new UnsupportedOperationException("scripted");
                    }
                }
            };
            try {
                assertEquals(in.transferTo(moved), moved.size());
                ended = true;
            } finally {
                got(moved.toByteArray());
            }
            assertEquals(source.content.length, at);
        }
    }

    private final class Output {
        private final PlannedSink sink = new PlannedSink(random);
        private final ByteArrayOutputStream expected = new ByteArrayOutputStream();
        private final boolean staged;
        private final BufferPool copies;
        private final PooledOutputStream out;

        Output(PoolKind second) {
            staged = second != null;
            copies = staged ? second.pool("out-copies", size) : pool;
            out = staged ? PooledOutputStream.to(sink, pool, copies, size) : PooledOutputStream.to(sink, pool, size);
        }

        void run() throws IOException {
            sink.plan.disturb(size);
            sink.onlyDirect = staged;
            for (int steps = 0; steps < 200; steps++) {
                attempt(sink.plan, this::step);
                check();
            }
            Leases.release(hogged);
            sink.plan.calm();
            if (random.nextBoolean()) {
                out.flush();
                check();
                assertEquals(0, pool.stats().leases());
            } else if (staged) {
                hogged.addAll(Leases.all(copies, size)); // the last bytes leave all the same
                sink.onlyDirect = false;
            }
            out.close();
            out.close();
            Leases.release(hogged);
            assertEquals(1, sink.closes);
            assertArrayEquals(expected.toByteArray(), sink.taken.toByteArray());
            PoolKind.assertNothingOut(copies);
            copies.close();
        }

        private void step() throws IOException {
            switch (random.nextInt(10)) {
                case 0, 1 -> {
                    byte b = (byte) random.nextInt();
                    out.write(b | random.nextInt() << 8);
                    expected.write(b);
                }
                case 2, 3, 4 -> writeArray(random.nextInt(size + 1));
                case 5, 6 -> writeBuffer(random.nextInt(size + 1));
                case 7 -> writeBuffer(size + random.nextInt(4 * size));
                case 8 -> hogOrNot(random.nextBoolean() ? pool : copies);
                default -> {
                    out.flush();
                    assertEquals(expected.size(), sink.taken.size());
                }
            }
        }

        private void check() {
            int unsent = expected.size() - sink.taken.size();
            assertTrue(unsent >= 0);
            long held = unsent > 0 ? 1 : 0;
            long others = hogged.size();
            long leases =
                    pool.stats().leases() + (copies == pool ? 0 : copies.stats().leases());
            assertEquals(others + held, leases);
        }

        private byte[] some(int length) {
            byte[] bytes = new byte[length];
            random.nextBytes(bytes);
            return bytes;
        }

        /** No more than the buffer's size: all or nothing. */
        private void writeArray(int length) throws IOException {
            byte[] bytes = some(length + 6);
            out.write(bytes, 3, length);
            expected.write(bytes, 3, length);
        }

        /** Any number: the position says how much was taken. */
        private void writeBuffer(int length) throws IOException {
            byte[] bytes = some(length + 9);
            ByteBuffer from =
                    random.nextBoolean() ? ByteBuffer.allocateDirect(bytes.length) : ByteBuffer.allocate(bytes.length);
            from.put(bytes).position(4).limit(4 + length);
            from = random.nextBoolean() ? from : from.asReadOnlyBuffer();
            try {
                out.write(from);
                assertEquals(0, from.remaining());
            } finally {
                assertEquals(4 + length, from.limit());
                assertTrue(length > size || from.position() == 4 || !from.hasRemaining());
                expected.write(bytes, 4, from.position() - 4);
            }
        }
    }
}

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
import dev.buffers.support.channels.PlannedSink;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.IllegalBlockingModeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Against a plain byte array: whatever the channel and the pools do, the channel gets the bytes taken, in order, each byte once, and a
 * lease is held exactly while something is unsent (O1 to O4).
 */
class PooledOutputStreamRandomTest {
    private Random random;
    private BufferPool pool;
    private BufferPool copies;
    private PlannedSink sink;
    private PooledOutputStream out;
    private ByteArrayOutputStream expected;
    private final List<PooledBuffer> hogged = new ArrayList<>();
    private int size;

    @ParameterizedTest
    @MethodSource("dev.buffers.support.PoolKind#chosen")
    void channelGetsExactlyTheBytesTaken(PoolKind kind) throws IOException {
        run(kind, null);
    }

    @ParameterizedTest
    @MethodSource("dev.buffers.support.PoolKind#chosen")
    void staged(PoolKind kind) throws IOException {
        run(kind, new PoolKind(kind.guard() ? "direct" : "direct-view", kind.guard()));
    }

    private void run(PoolKind kind, PoolKind second) throws IOException {
        for (long seed = 1; seed <= kind.seeds(); seed++) {
            try {
                run(kind, second, seed);
            } catch (IOException | RuntimeException | AssertionError e) {
                throw new AssertionError("seed=" + seed + ", " + kind + ", size=" + size, e);
            }
        }
    }

    private void run(PoolKind kind, PoolKind second, long seed) throws IOException {
        random = new Random(seed);
        size = 1 + random.nextInt(random.nextBoolean() ? 300 : 20_000);
        pool = kind.pool("out-random", size);
        copies = second == null ? pool : second.pool("out-copies", size);
        sink = new PlannedSink(random);
        sink.plan.most = 1 + random.nextInt(random.nextBoolean() ? 50 : 3 * size);
        sink.plan.zeroEvery = random.nextInt(8);
        sink.plan.zeroEvery = sink.plan.zeroEvery == 1 ? 0 : sink.plan.zeroEvery;
        sink.plan.failIn = random.nextBoolean() ? 0 : 2 + random.nextInt(10);
        sink.onlyDirect = second != null;
        out = second == null
                ? PooledOutputStream.to(sink, pool, size)
                : PooledOutputStream.to(sink, pool, copies, size);
        expected = new ByteArrayOutputStream();
        for (int steps = 0; steps < 200; steps++) {
            step();
            check();
        }
        Leases.release(hogged);
        sink.plan.failIn = 0;
        sink.plan.zeroEvery = 0;
        if (random.nextBoolean()) {
            out.flush();
            check();
            assertEquals(0, pool.stats().leases());
        } else if (second != null) {
            hogged.addAll(Leases.all(copies, size)); // the last bytes leave all the same
            sink.onlyDirect = false;
        }
        out.close();
        out.close();
        Leases.release(hogged);
        assertEquals(1, sink.closes);
        assertArrayEquals(expected.toByteArray(), sink.taken.toByteArray());
        PoolKind.assertNothingOut(pool);
        PoolKind.assertNothingOut(copies);
        pool.close();
        copies.close();
    }

    private void check() {
        int unsent = expected.size() - sink.taken.size();
        assertTrue(unsent >= 0);
        long held = unsent > 0 ? 1 : 0;
        long others = hogged.size();
        long out = pool.stats().leases() + (copies == pool ? 0 : copies.stats().leases());
        assertEquals(others + held, out);
    }

    private void step() throws IOException {
        try {
            switch (random.nextInt(10)) {
                case 0, 1 -> {
                    byte b = (byte) random.nextInt();
                    out.write(b | random.nextInt() << 8);
                    expected.write(b);
                }
                case 2, 3, 4 -> writeArray(random.nextInt(size + 1));
                case 5, 6 -> writeBuffer(random.nextInt(size + 1));
                case 7 -> writeBuffer(size + random.nextInt(4 * size));
                case 8 -> hogOrNot();
                default -> {
                    out.flush();
                    assertEquals(expected.size(), sink.taken.size());
                }
            }
        } catch (IllegalBlockingModeException e) {
            assertTrue(sink.plan.zeroEvery > 0);
        } catch (PoolExhaustedException e) {
            assertTrue(!hogged.isEmpty(), e::getMessage);
            Leases.release(hogged);
        } catch (IOException | UnsupportedOperationException | AssertionError e) {
            if (!Failures.isScripted(e)) {
                throw e;
            }
        }
    }

    private void hogOrNot() {
        if (hogged.isEmpty()) {
            hogged.addAll(Leases.all(random.nextBoolean() ? pool : copies, size));
        } else {
            Leases.release(hogged);
        }
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

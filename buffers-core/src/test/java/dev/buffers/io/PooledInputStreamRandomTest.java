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
import dev.buffers.support.channels.PlannedSource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.IllegalBlockingModeException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Against a plain array of the bytes that the channel gives: whatever the channel and the pool do, the stream gives these bytes in order. A
 * lease is held exactly while some of them are buffered (I2, I3).
 */
class PooledInputStreamRandomTest {
    private Random random;
    private BufferPool pool;
    private PlannedSource source;
    private PooledInputStream in;
    private final List<PooledBuffer> hogged = new ArrayList<>();
    private int size;
    private int at;
    private boolean ended;

    @ParameterizedTest
    @MethodSource("dev.buffers.support.PoolKind#chosen")
    void streamGivesExactlyTheBytesOfTheChannel(PoolKind kind) throws IOException {
        for (long seed = 1; seed <= kind.seeds(); seed++) {
            try {
                run(kind, seed);
            } catch (IOException | RuntimeException | AssertionError e) {
                throw new AssertionError("seed=" + seed + ", " + kind + ", at=" + at + ", size=" + size, e);
            }
        }
    }

    private void run(PoolKind kind, long seed) throws IOException {
        random = new Random(seed);
        size = 1 + random.nextInt(random.nextBoolean() ? 300 : 20_000);
        pool = kind.pool("in-random", size);
        source = new PlannedSource(random, random.nextInt(120_000));
        source.plan.most = 1 + random.nextInt(random.nextBoolean() ? 50 : 3 * size);
        source.plan.zeroEvery = random.nextInt(8);
        source.plan.zeroEvery = source.plan.zeroEvery == 1 ? 0 : source.plan.zeroEvery;
        source.plan.failIn = random.nextBoolean() ? 0 : 2 + random.nextInt(10);
        in = PooledInputStream.from(source, pool, size);
        at = 0;
        ended = false;
        for (int steps = 0; !ended && steps < 600; steps++) {
            step();
            check();
        }
        Leases.release(hogged);
        source.plan.failIn = 0;
        source.plan.zeroEvery = 0;
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
        PoolKind.assertNothingOut(pool);
        pool.close();
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

    private void step() throws IOException {
        try {
            switch (random.nextInt(12)) {
                case 0 -> gotByte(in.read());
                case 1, 2, 3 -> read(1 + random.nextInt(size));
                case 4, 5 -> read(size + random.nextInt(2 * size));
                case 6 -> skip(random.nextInt(2 * size) - 3);
                case 7 -> assertEquals(0, in.read(new byte[3], 3, 0));
                case 8 -> hogOrNot();
                case 9 -> readAll(random.nextInt(3 * size));
                case 10 -> readFully(random.nextInt(3 * size));
                default -> moveSome();
            }
        } catch (IllegalBlockingModeException e) {
            assertTrue(source.plan.zeroEvery > 0);
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
            hogged.addAll(Leases.all(pool, size));
        } else {
            Leases.release(hogged);
        }
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

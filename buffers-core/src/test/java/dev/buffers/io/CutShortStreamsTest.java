// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.buffers.BufferPool;
import dev.buffers.PooledBuffer;
import dev.buffers.ReleaseOutcome;
import dev.buffers.support.PoolKind;
import dev.buffers.support.channels.Failures;
import dev.buffers.support.channels.Plan;
import dev.buffers.support.channels.PlannedSink;
import dev.buffers.support.channels.PlannedSource;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory that reaches a channel of others through a stream: a call that was cut short may still use it, too. */
class CutShortStreamsTest {
    private static final int SIZE = 1024;

    private final PlannedSource source = new PlannedSource(new byte[8 * SIZE], new Plan(new Random(1)).most(8 * SIZE));
    private final PlannedSink sink = new PlannedSink(new Plan(new Random(2)).most(8 * SIZE));

    /** Something that fails as the plan of its channel says. */
    private interface Failing {
        void run(BufferPool pool, Transfers transfers) throws IOException;
    }

    /** Each failure is thrown as it is, and takes the memory of the transfer along. */
    private static void assertDiscards(String policy, Plan plan, Failing transfer) {
        for (IOException failure : Failures.cutShort()) {
            try (BufferPool pool = PoolKind.of(policy).builder().build()) {
                plan.failsWith(failure);
                Transfers transfers = new Transfers(pool, 4 * SIZE);
                assertSame(failure, assertThrows(IOException.class, () -> transfer.run(pool, transfers)));
                assertEquals(1, pool.stats().releases(ReleaseOutcome.DISCARDED), () -> "after " + failure);
                assertEquals(0, pool.stats().leases());
            }
        }
    }

    /** Fills every array that it is given. */
    private InputStream full() {
        return new DataInputStream(new ByteArrayInputStream(source.content));
    }

    @ParameterizedTest
    @ValueSource(strings = {"heap", "heap-view", "unpooled"})
    void transferReadsThroughPooledStream(String policy) {
        assertDiscards(
                policy,
                source.plan,
                (pool, transfers) -> transfers.transfer(PooledInputStream.from(source, pool, SIZE), sink));
    }

    @ParameterizedTest
    @ValueSource(strings = {"heap", "heap-view", "unpooled"})
    void transferWritesThroughPooledStream(String policy) {
        assertDiscards(
                policy,
                sink.plan,
                (pool, transfers) -> transfers.transfer(full(), PooledOutputStream.to(sink, pool, SIZE)));
    }

    @Test
    void transferWritesThroughStreamOfJdk() {
        OutputStream out = Channels.newOutputStream(sink);
        assertDiscards("heap-view", sink.plan, (pool, transfers) -> transfers.transfer(full(), out));
    }

    /** The unread bytes stay here. No later read overwrites their memory. */
    @ParameterizedTest
    @ValueSource(strings = {"heap", "heap-view", "direct-view"})
    void inputGivesItsLeaseToOutput(String policy) throws IOException {
        for (IOException failure : Failures.cutShort()) {
            try (BufferPool pool = PoolKind.of(policy).builder().build()) {
                byte[] content = new byte[8 * SIZE];
                Arrays.fill(content, 4 * SIZE, 8 * SIZE, (byte) 1);
                List<ByteBuffer> given = new ArrayList<>();
                PlannedSink keeping = new PlannedSink(new Random(3)) { // writes go on after they have failed
                            @Override
                            public int write(ByteBuffer from) throws IOException {
                                given.add(from.duplicate());
                                throw failure;
                            }
                        };
                PooledInputStream in =
                        PooledInputStream.from(Channels.newChannel(new ByteArrayInputStream(content)), pool, 4 * SIZE);
                PooledOutputStream out = PooledOutputStream.to(keeping, pool, SIZE);
                assertSame(failure, assertThrows(IOException.class, () -> in.transferTo(out)));
                assertEquals(4 * SIZE, given.get(0).remaining());
                PlannedSink other = new PlannedSink(new Random(3));
                in.transferTo(PooledOutputStream.to(other, pool, SIZE)); // the rest, and the next fill
                assertArrayEquals(content, other.taken.toByteArray());
                assertEquals(0, given.get(0).get(0), "the memory in doubt is as it was");
                in.close();
                assertEquals(1, pool.stats().releases(ReleaseOutcome.DISCARDED), () -> "after " + failure);
            }
        }
    }

    /** Any other stream may hand its arrays to such a channel: it gets none of the pool. */
    @ParameterizedTest
    @ValueSource(strings = {"heap", "heap-view", "unpooled"})
    void otherStreamGetsNoArrayOfPool(String policy) throws IOException {
        try (BufferPool pool = PoolKind.of(policy).builder().build()) {
            List<byte[]> arrays = new ArrayList<>();
            PooledInputStream in = PooledInputStream.from(source, pool, SIZE);
            in.read();
            in.transferTo(new ByteArrayOutputStream() {
                @Override
                public void write(byte[] from, int offset, int length) {
                    arrays.add(from);
                }
            });
            assertFalse(arrays.isEmpty());
            try (PooledBuffer next = pool.acquire(SIZE)) {
                arrays.forEach(array -> assertNotSame(array, next.buffer().array()));
            }
        }
    }
}

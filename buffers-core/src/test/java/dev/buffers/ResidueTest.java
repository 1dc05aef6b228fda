// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.PoolSettings.Zeroing;
import dev.buffers.support.PoolContract;
import dev.buffers.support.Threads;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * JetLeak (CVE-2015-2080): an error page quoted what an earlier client's request had left in a buffer that was used again. With
 * {@code zero} set no byte of an earlier client is in any buffer that a later one gets, not even behind its limit, wherever either client
 * got its buffer.
 */
@ParameterizedClass
@MethodSource("dev.buffers.support.Kind#chosen")
class ResidueTest extends PoolContract {
    private static final byte SECRET = 'S';
    private static final int DISCARDED = 8192;
    private static final int[] SIZES = {0, 1, 100, 1000, 8192, 16_709, 100_000, MAX_SIZE, 300_000};

    @Test
    void aLaterClientFindsNothing() throws Exception {
        for (Zeroing when : List.of(Zeroing.ACQUIRE, Zeroing.RELEASE)) {
            for (boolean guard : new boolean[] {false, true}) {
                BufferPool pool =
                        pool(kind.builder("residue").max(64 << 20).zero(when).guard(guard));
                earlierClient(pool);
                laterClient(pool);
                Threads.run(() -> laterClient(pool));
                pool.trim();
                laterClient(pool);
            }
        }
    }

    /** Writes its secret wherever possible, and takes every path there is. */
    private static void earlierClient(BufferPool pool) throws Exception {
        ChannelBuffers channel = pool.channel();
        for (int i = 0; i < 3; i++) {
            read(channel);
            PooledBuffer request = channel.handOffInput(channel.input().position() / 2);
            PooledBuffer rest = channel.handOffInput();
            PooledBuffer part = rest.slice(1, 10);
            rest.release();
            reveal(part.buffer());
            part.release();
            reveal(request.buffer());
            Threads.run(request::release);
            reveal(channel.input(50_000));
            channel.input().clear();
        }
        List<PooledBuffer> leases = new ArrayList<>();
        for (int size : SIZES) {
            leases.add(pool.acquire(size));
            leases.add(channel.acquire(size));
        }
        for (PooledBuffer lease : leases) {
            reveal(lease.buffer());
            PooledBuffer beside = lease.retain();
            if (lease.capacity() == DISCARDED) {
                lease.discard();
            } else {
                lease.close();
            }
            reveal(beside.buffer());
            beside.release();
        }
        read(channel);
        channel.close();
    }

    private static void read(ChannelBuffers channel) throws IOException {
        byte[] secrets = new byte[20_000];
        Arrays.fill(secrets, SECRET);
        assertTrue(channel.readFrom(Channels.newChannel(new ByteArrayInputStream(secrets))) > 1);
    }

    private static void reveal(ByteBuffer buffer) {
        buffer.clear();
        while (buffer.hasRemaining()) {
            buffer.put(SECRET);
        }
        buffer.limit(buffer.capacity() / 2).position(buffer.capacity() / 3);
    }

    private static void laterClient(BufferPool pool) {
        ChannelBuffers channel = pool.channel();
        List<PooledBuffer> leases = new ArrayList<>();
        for (int size : SIZES) {
            leases.add(channel.acquire(size));
            leases.add(pool.acquire(size));
            leases.add(pool.tryAcquire(size));
        }
        assertNoSecret(channel.input());
        assertNoSecret(channel.input(50_000));
        for (PooledBuffer lease : leases) {
            assertNoSecret(lease.buffer());
            lease.release();
        }
        channel.input().put((byte) 1);
        assertNoSecret(channel.input(100_000));
        PooledBuffer handed = channel.handOffInput();
        assertNoSecret(handed.buffer());
        handed.release();
        channel.close();
    }

    private static void assertNoSecret(ByteBuffer buffer) {
        byte[] all = new byte[buffer.capacity()];
        buffer.duplicate().clear().get(all);
        for (int i = 0; i < all.length; i++) {
            if (all[i] == SECRET) {
                assertEquals(-1, i, "an earlier client's byte, of " + all.length + ", at");
            }
        }
    }

    /** The whole slot, not only the requested part. */
    @Test
    void zeroedAtRelease() {
        BufferPool pool = pool(kind.builder("zeroed").zero(Zeroing.RELEASE));
        for (int size : SIZES) {
            PooledBuffer lease = pool.acquire(size);
            reveal(lease.buffer());
            PooledBuffer part = lease.slice(0, lease.capacity());
            ByteBuffer memory = lease.buffer().duplicate();
            lease.release();
            reveal(part.buffer());
            part.release();
            assertZeros(memory); // nothing stays readable in free memory
        }
    }

    @Test
    void memoryReleasedIntoClosedPoolIsOverwritten() {
        BufferPool pool = pool(kind.builder("zeroed").zero(Zeroing.RELEASE));
        PooledBuffer lease = pool.acquire(4096);
        reveal(lease.buffer());
        ByteBuffer memory = lease.buffer().duplicate();
        pool.close();
        lease.release();
        assertZeros(memory);
    }

    private static void assertZeros(ByteBuffer buffer) {
        ByteBuffer zeros = ByteBuffer.allocate(buffer.capacity());
        assertEquals(-1, zeros.mismatch(buffer.duplicate().clear()), () -> "of " + buffer.capacity() + ", not zero at");
    }
}

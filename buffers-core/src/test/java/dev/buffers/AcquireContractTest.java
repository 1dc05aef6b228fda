// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Conservation;
import dev.buffers.support.PoolContract;
import dev.buffers.support.Refusal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.InvalidMarkException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The buffer that an acquire returns. */
@ParameterizedClass
@MethodSource("dev.buffers.support.Kind#chosen")
class AcquireContractTest extends PoolContract {
    /** Among them {@code MAX_SIZE} with the sizes beside it. */
    private static final int[] SIZES = {
        0, 1, 127, 128, 129, 1000, 1024, 1025, 4096, 8192, 16_384, 16_709, 16_896, 16_897, 65_536, 262_143, 262_144,
        262_145, 1_048_576
    };

    /** Whatever state its last holder left it in. */
    @Test
    void theBufferIsAsPromised() {
        BufferPool pool = pool();
        for (int round = 0; round < 5; round++) {
            for (int size : SIZES) {
                try (PooledBuffer lease = pool.acquire(size)) {
                    ByteBuffer buffer = lease.buffer();
                    assertEquals(0, buffer.position(), () -> "position, size=" + size);
                    assertEquals(size, buffer.limit(), () -> "limit, size=" + size);
                    assertTrue(buffer.capacity() >= size, () -> "capacity, size=" + size);
                    assertEquals(buffer.capacity(), lease.capacity());
                    assertEquals(ByteOrder.BIG_ENDIAN, buffer.order());
                    assertThrows(InvalidMarkException.class, buffer::reset);
                    assertFalse(buffer.isReadOnly());
                    assertEquals(kind.isDirect(), buffer.isDirect());
                    assertSame(buffer, lease.buffer());
                    assertTrue(lease.isOpen());
                    buffer.order(ByteOrder.LITTLE_ENDIAN)
                            .limit(size * 3 / 4)
                            .position(size / 4)
                            .mark()
                            .position(size / 2);
                }
            }
        }
    }

    @Test
    void liveLeasesNeverShareAByte() {
        BufferPool pool = pool();
        Random random = new Random(42);
        List<PooledBuffer> leases = new ArrayList<>();
        for (int i = 0; i < 150; i++) {
            PooledBuffer lease = pool.acquire(1 + random.nextInt(20_000));
            leases.add(lease);
            fill(lease, i);
        }
        for (int i = 0; i < leases.size(); i++) {
            ByteBuffer bytes = leases.get(i).buffer().clear();
            while (bytes.hasRemaining()) {
                assertEquals((byte) i, bytes.get());
            }
        }
        leases.forEach(PooledBuffer::release);
    }

    private static void fill(PooledBuffer lease, int value) {
        ByteBuffer bytes = lease.buffer().clear();
        while (bytes.hasRemaining()) {
            bytes.put((byte) value);
        }
    }

    @Test
    void negativeSizeIsRefusedByPoolAndChannel() {
        BufferPool pool = pool();
        ChannelBuffers channel = pool.channel();
        channel.acquire(100).release(); // the channel keeps this buffer
        Refusal.of(() -> pool.acquire(-1), "size must not be negative: size=-1");
        Refusal.of(() -> pool.tryAcquire(Integer.MIN_VALUE), "size=-2147483648");
        Refusal.of(() -> pool.whenAvailable(-1, () -> {}), "size=-1");
        Refusal.of(() -> channel.acquire(-1), "size=-1");
        channel.close();
    }

    @Test
    void oversizeIsUnderTheSameBudget() {
        BufferPool pool = pool();
        PooledBuffer lease = pool.acquire(3 << 20);
        PoolStats stats = Conservation.check(pool, 1);
        assertEquals(3 << 20, stats.reservedBytes());
        assertEquals(3 << 20, stats.leasedBytes());
        assertEquals(1, stats.acquires(kind.isPooled() ? AcquireOutcome.OVERSIZE : AcquireOutcome.UNPOOLED));
        assertThrows(PoolExhaustedException.class, () -> pool.acquire((13 << 20) + 1));
        assertTrue(lease.release());
        assertEquals(0, Conservation.check(pool).reservedBytes());
    }
}

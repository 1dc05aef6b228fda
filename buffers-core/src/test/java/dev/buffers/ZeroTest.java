// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.buffers.support.PoolContract;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** With {@code zero} set, no holder reads another's bytes: the whole slot is zeros, not only the requested part. */
@ParameterizedClass
@MethodSource("dev.buffers.support.Kind#chosen")
class ZeroTest extends PoolContract {
    private static final int[] SIZES = {0, 1, 100, 4096, 5000, 16_709, 100_000, MAX_SIZE, 500_000};

    @Test
    void zeroedAtRelease() {
        BufferPool pool = pool(kind.builder("zeroed").zero(PoolSettings.Zeroing.RELEASE));
        for (int size : SIZES) {
            PooledBuffer lease = pool.acquire(size);
            soil(lease.buffer());
            PooledBuffer part = lease.slice(0, lease.capacity());
            ByteBuffer memory = lease.buffer().duplicate();
            lease.release();
            soil(part.buffer());
            part.release();
            assertZeros(memory); // nothing stays readable in free memory
        }
    }

    @Test
    void memoryReleasedIntoClosedPoolIsOverwritten() {
        BufferPool pool = pool(kind.builder("zeroed").zero(PoolSettings.Zeroing.RELEASE));
        PooledBuffer lease = pool.acquire(4096);
        soil(lease.buffer());
        ByteBuffer memory = lease.buffer().duplicate();
        pool.close();
        lease.release();
        assertZeros(memory);
    }

    private static void soil(ByteBuffer buffer) {
        buffer.clear();
        while (buffer.hasRemaining()) {
            buffer.put((byte) 0xA5);
        }
        buffer.limit(buffer.capacity() / 2).position(buffer.capacity() / 3);
    }

    private static void assertZeros(ByteBuffer buffer) {
        ByteBuffer whole = buffer.duplicate().clear();
        while (whole.hasRemaining()) {
            assertEquals(0, whole.get(), () -> "at " + (whole.position() - 1) + " of " + whole.capacity());
        }
    }
}

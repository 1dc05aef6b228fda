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
    void zeroedAtAcquire() {
        BufferPool pool = pool(kind.builder("zeroed").zero(PoolSettings.Zeroing.ACQUIRE));
        for (int round = 0; round < 3; round++) {
            for (int size : SIZES) {
                PooledBuffer lease = pool.acquire(size);
                assertZeros(lease.buffer());
                soil(lease.buffer());
                lease.release();
            }
        }
        ChannelBuffers channel = pool.channel();
        for (int i = 0; i < 3; i++) {
            PooledBuffer lease = channel.acquire(1000);
            assertZeros(lease.buffer());
            soil(lease.buffer());
            lease.release();
        }
        channel.close();
    }

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

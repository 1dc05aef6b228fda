// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.buffers.support.Eventually;
import dev.buffers.support.Kind;
import dev.buffers.support.PoolContract;
import dev.buffers.support.Threads;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** With {@code zero} set, no holder reads another's bytes on the paths that {@link ZeroTest} does not take. */
@ParameterizedClass
@MethodSource("dev.buffers.support.Kind#chosen")
class TrimZeroTest extends PoolContract {

    @Test
    void aChannelsHandOff() throws Exception {
        for (PoolSettings.Zeroing when : List.of(PoolSettings.Zeroing.ACQUIRE, PoolSettings.Zeroing.RELEASE)) {
            BufferPool pool = pool(clean("zeroed").zero(when));
            ChannelBuffers channel = pool.channel();
            for (int i = 0; i < 6; i++) {
                ByteBuffer input = channel.input();
                assertZeros(input);
                soil(input);
                input.clear().position(input.capacity());
                PooledBuffer part = channel.handOffInput(input.capacity() / 2);
                Threads.run(part::release);
                assertEquals((byte) 0xA5, channel.input().get(0));
                PooledBuffer rest = channel.handOffInput();
                PooledBuffer further = rest.retain();
                rest.release();
                soil(further.buffer());
                further.release();
            }
            channel.close();
        }
    }

    @Test
    void recalledAndRecarvedMemoryIsZeroed() throws Exception {
        for (PoolSettings.Zeroing when : List.of(PoolSettings.Zeroing.ACQUIRE, PoolSettings.Zeroing.RELEASE)) {
            BufferPool pool = pool(clean("zeroed").max(2 << 20).zero(when));
            for (int round = 0; round < 6; round++) {
                List<PooledBuffer> leases = new ArrayList<>();
                for (int i = 0; i < 20; i++) {
                    PooledBuffer lease = acquire(pool, round % 2 == 0 ? 4096 : 30_000);
                    assertZeros(lease.buffer());
                    soil(lease.buffer());
                    leases.add(lease);
                }
                PooledBuffer oversize = acquire(pool, 300_000);
                assertZeros(oversize.buffer());
                soil(oversize.buffer());
                oversize.release();
                leases.forEach(PooledBuffer::release);
                Threads.run(pool::trim); // revokes this thread's slots, and drops memory that the next round adopts
            }
        }
    }

    /**
     * Memory that was dropped in pieces that are too small comes back through the collector; how they are cut depends on when the collector
     * ran.
     */
    private static PooledBuffer acquire(BufferPool pool, int size) {
        PooledBuffer[] lease = new PooledBuffer[1];
        Eventually.collected("there is room for " + size, () -> {
            lease[0] = pool.tryAcquire(size);
            return lease[0] != null;
        });
        return lease[0];
    }

    @Test
    void memoryReleasedIntoClosedPoolIsOverwritten() {
        BufferPool pool = pool(clean("zeroed").zero(PoolSettings.Zeroing.RELEASE));
        PooledBuffer lease = pool.acquire(4096);
        soil(lease.buffer());
        ByteBuffer memory = lease.buffer().duplicate();
        pool.close();
        lease.release();
        assertZeros(memory);
    }

    /** A user's policy that gives clean memory: the policy decides what that memory holds at first. */
    private BufferPool.Builder clean(String name) {
        return kind.policy().equals(Kind.OWN)
                ? kind.builder(name).policy(Kind.own(ByteBuffer::allocate))
                : kind.builder(name);
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
            assertEquals(0, whole.get());
        }
    }
}

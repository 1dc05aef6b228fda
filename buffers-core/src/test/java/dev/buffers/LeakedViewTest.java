// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.buffers.support.Conservation;
import dev.buffers.support.DirectRoom;
import dev.buffers.support.Eventually;
import dev.buffers.support.Kind;
import dev.buffers.support.TrimTime;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The memory of a lost lease is not reused as long as a view that the user made of the lease lives (I8). */
class LeakedViewTest {
    private static final int VIEWS = 40;

    static Stream<Kind> pooled() {
        return Kind.chosen().filter(Kind::isPooled);
    }

    @ParameterizedTest
    @MethodSource("pooled")
    void nothingIsUsedAgainUnderALiveView(Kind kind) {
        DirectRoom.make();
        try (BufferPool pool = kind.builder("views").max(4 << 20).build()) {
            TrimTime time = new TrimTime(pool);
            List<ByteBuffer> views = new ArrayList<>();
            List<PooledBuffer> between = new ArrayList<>();
            for (int i = 0; i < VIEWS; i++) {
                views.add(viewOfALostLease(pool, i));
                between.add(pool.acquire(i % 2 == 0 ? 4096 : 500));
            }
            between.forEach(PooledBuffer::release);
            Eventually.collected("the losses are counted", () -> pool.stats().leaks() == VIEWS);
            for (int round = 0; round < 30; round++) {
                List<PooledBuffer> leases = new ArrayList<>();
                int size = round % 3 == 0 ? 4096 : round % 3 == 1 ? 20_000 : 300_000;
                for (PooledBuffer lease = pool.tryAcquire(size); lease != null; lease = pool.tryAcquire(size)) {
                    soil(lease.buffer().clear());
                    leases.add(lease);
                }
                leases.forEach(PooledBuffer::release);
                if (round % 5 == 0) {
                    pool.trim();
                    time.seconds(20);
                    System.gc();
                }
            }
            for (int i = 0; i < VIEWS; i++) {
                ByteBuffer view = views.get(i);
                while (view.hasRemaining()) {
                    assertEquals((byte) i, view.get(), "memory under a live view was used again");
                }
            }
            Conservation.check(pool);
            views.clear();
            Conservation.becomesEmpty(pool, true);
        }
    }

    private static ByteBuffer viewOfALostLease(BufferPool pool, int i) {
        ByteBuffer view = pool.acquire(i % 2 == 0 ? 4096 : 500).buffer().slice();
        for (int at = 0; at < view.capacity(); at++) {
            view.put(at, (byte) i);
        }
        return view;
    }

    private static void soil(ByteBuffer bytes) {
        while (bytes.remaining() >= 8) {
            bytes.putLong(-1);
        }
    }
}

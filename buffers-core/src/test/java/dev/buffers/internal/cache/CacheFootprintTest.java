// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.internal.slab.Slot;
import dev.buffers.support.Peek;
import dev.buffers.support.Threads;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openjdk.jol.info.ClassLayout;
import org.openjdk.jol.info.FieldLayout;

/** A slot takes 64 bytes at most, and a thread that has hit once with 4 KiB takes 400. */
@Tag("jol")
class CacheFootprintTest {
    private static final int THREADS = 1000;
    private static final int SIZE = 4096;
    private static final int LINE = 64;

    @Test
    void slotTakesAtMost64Bytes() {
        long bytes = ClassLayout.parseClass(Slot.class).instanceSize();
        assertTrue(bytes <= 64, () -> "bytes of a slot: " + bytes);
    }

    @Test
    void threadWithOneMagazineTakesAtMost400Bytes() throws Exception {
        CountDownLatch hit = new CountDownLatch(THREADS);
        CountDownLatch end = new CountDownLatch(1);
        try (BufferPool pool =
                BufferPool.builder("footprint").policy("heap-view").max(1 << 30).build()) {
            for (int i = 0; i < THREADS; i++) {
                Threads.start(() -> {
                    pool.acquire(SIZE).release(); // a miss
                    pool.acquire(SIZE).release();
                    hit.countDown();
                    Threads.await(end);
                });
            }
            hit.await();
            ThreadCaches caches = Peek.magazines(pool);
            ThreadCache[] all = Peek.all(caches);
            assertEquals(THREADS, all.length);
            long bytes = size(((ThreadTable) pool).table);
            for (Object each : all) {
                Magazine[] byClass = (Magazine[]) Peek.field(each, ThreadCache.class, "byClass");
                bytes += size(each) + size(byClass);
                for (Magazine magazine : byClass) {
                    bytes +=
                            magazine == null ? 0 : size(magazine) + size(Peek.field(magazine, Magazine.class, "slots"));
                }
            }
            long forOne = bytes / THREADS;
            assertTrue(forOne <= 400, () -> "bytes for a thread: " + forOne);
        } finally {
            end.countDown();
        }
    }

    private static long size(Object of) {
        return ClassLayout.parseInstance(of).instanceSize();
    }

    @Test
    void ownerLiesApartFromTheFieldsThatAHitWrites() {
        ClassLayout layout = ClassLayout.parseClass(Magazine.class);
        long endOfOwner = 0;
        long first = Long.MAX_VALUE;
        for (FieldLayout field : layout.fields()) {
            if (field.name().equals("owner")) {
                endOfOwner = field.offset() + field.size();
            } else if (field.classShortName().equals("Magazine")) {
                first = Math.min(first, field.offset());
            }
        }
        assertTrue(endOfOwner > 0 && first < layout.instanceSize(), layout::toPrintable);
        assertTrue(first >= endOfOwner + LINE - 1, layout::toPrintable);
    }
}

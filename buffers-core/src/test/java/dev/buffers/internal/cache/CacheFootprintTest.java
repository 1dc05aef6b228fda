// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.ChannelBuffers;
import dev.buffers.PooledBuffer;
import dev.buffers.internal.pool.SlabChannelBuffers;
import dev.buffers.internal.slab.Slot;
import dev.buffers.support.Conservation;
import dev.buffers.support.Peek;
import dev.buffers.support.Threads;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openjdk.jol.info.ClassLayout;
import org.openjdk.jol.info.FieldLayout;

/** A slot takes 64 bytes at most, a thread that has hit once with 4 KiB 400, and an idle connection 80: it holds no slot. */
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

    @Test
    void anIdleChannelIsSmall() throws Exception {
        try (BufferPool pool =
                BufferPool.builder("footprint").policy("heap-view").max(1 << 20).build()) {
            List<ChannelBuffers> idle = new ArrayList<>();
            ChannelBuffers used = pool.channel();
            idle.add(pool.channel());
            idle.add(used);
            used.input().put((byte) 1);
            used.acquire(100).release();
            PooledBuffer handed = used.handOffInput();
            used.input();
            used.idle();
            handed.release();
            for (ChannelBuffers channel : idle) {
                Object stack = Peek.field(channel, SlabChannelBuffers.class, "returnStack");
                long bytes = ClassLayout.parseInstance(channel).instanceSize()
                        + ClassLayout.parseInstance(stack).instanceSize();
                assertTrue(bytes <= 80, () -> "bytes of an idle channel with its return stack: " + bytes);
                holdsNothing(channel, pool, stack);
                holdsNothing(stack, pool, stack);
            }
            assertEquals(0, Conservation.check(pool).leases());
            pool.trim();
            assertEquals(0, Conservation.check(pool).reservedBytes());
            idle.forEach(ChannelBuffers::close);
        }
    }

    /** Whatever it refers to is its return stack, or belongs to the pool or to the class: its bytes and the stack's are all it costs. */
    private static void holdsNothing(Object of, BufferPool pool, Object stack) throws IllegalAccessException {
        List<Object> shared = new ArrayList<>(List.of(pool, stack));
        List<Field> own = new ArrayList<>();
        for (Field field : of.getClass().getDeclaredFields()) {
            field.setAccessible(true);
            if (Modifier.isStatic(field.getModifiers())) {
                shared.add(field.get(null));
            } else if (!field.getType().isPrimitive()) {
                own.add(field);
            }
        }
        for (Field field : own) {
            Object value = field.get(of);
            assertTrue(value == null || shared.contains(value), () -> field + " holds " + value);
        }
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.ChannelBuffers;
import dev.buffers.PooledBuffer;
import dev.buffers.support.Conservation;
import dev.buffers.support.Peek;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openjdk.jol.info.ClassLayout;

/** An idle connection costs at most 80 bytes, and holds no slot. */
@Tag("jol")
class ChannelFootprintTest {

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

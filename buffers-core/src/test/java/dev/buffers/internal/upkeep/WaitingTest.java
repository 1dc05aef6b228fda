// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.upkeep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.PoolExhaustedException;
import dev.buffers.PoolStats;
import dev.buffers.internal.failsafe.IntrusiveList;
import dev.buffers.internal.monitor.Statistics;
import dev.buffers.internal.signals.Callbacks;
import dev.buffers.internal.signals.Counters;
import dev.buffers.internal.signals.PoolState;
import dev.buffers.internal.signals.WaitQueue;
import dev.buffers.internal.slab.SizeClasses;
import dev.buffers.internal.slab.SlabStore;
import dev.buffers.support.BareOwner;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Over memory that says what it is asked. The thread of the test serves itself. */
class WaitingTest {
    private static final long LONG = TimeUnit.HOURS.toNanos(1);
    private static final int SIZE_CLASS = 0;

    private final PoolState pool = new BareOwner() {
        @Override
        public void call(Callbacks.Callback callback) {
            callbacks().call(callback);
        }

        @Override
        public PoolStats stats() {
            SizeClasses classes = SizeClasses.of(settings());
            return new Statistics(new Counters(classes.count()), classes, null)
                    .stats(new SlabStore.Figures(classes.count() + 1), 1000, 0);
        }
    };
    private final WaitQueue queue = new WaitQueue(pool, 1);
    private final Recorded memory = new Recorded();
    private final Waiting waiting = new Waiting(pool, queue, memory);
    private final List<String> called = new ArrayList<>();

    @AfterEach
    void free() {
        assertFalse(queue.hasWaiters());
        pool.ownedName().free();
    }

    private record Bytes(int sizeClass, int size) implements WaitQueue.Room {
        @Override
        public boolean begin() {
            return true;
        }

        @Override
        public void link(WaitQueue.@Nullable Room next) {}
    }

    private final class Recorded implements Waiting.Memory {
        boolean room;
        Runnable whenServing = () -> {};
        final List<WaitQueue.Room> back = new ArrayList<>();

        @Override
        public boolean hasRoom(WaitQueue.Waiter waiter) {
            called.add("looks for " + waiter.bytes);
            return room;
        }

        @Override
        public void serve(int sizeClass) {
            called.add("serves " + sizeClass + ", waiting: " + queue.size());
            whenServing.run();
        }

        @Override
        public void giveBackUnused(WaitQueue.Room given) {
            back.add(given);
        }

        @Override
        public void turnHasEnded() {
            called.add("serves the others");
        }

        @Override
        public PoolExhaustedException refused(int size, String because) {
            return new PoolExhaustedException("waiting", size, because, pool.stats());
        }
    }

    private WaitQueue.Room await(long nanos) {
        return waiting.await(100, 128, SIZE_CLASS, nanos);
    }

    /** Gives it to the first waiter; without a wake-up the list stays empty. */
    private Bytes give() {
        Bytes given = new Bytes(SIZE_CLASS, 128);
        assertTrue(queue.handOver(given, new IntrusiveList<>()));
        return given;
    }

    /** Between the end of the patience and the look at the queue it is served: it has the memory, and is not refused. */
    @Test
    void memoryGivenAtEndOfPatienceIsReturned() {
        Bytes[] given = new Bytes[1];
        memory.whenServing = () -> given[0] = give();
        WaitQueue.Room got = await(0);
        assertSame(given[0], got);
    }

    @Test
    void memoryOfWaitThatFailsGoesBack() {
        Bytes[] given = new Bytes[1];
        IllegalStateException thrown = new IllegalStateException("scripted");
        memory.whenServing = () -> {
            given[0] = give();
            throw thrown;
        };
        assertSame(thrown, assertThrows(IllegalStateException.class, () -> await(LONG)));
        assertEquals(List.of(given[0]), memory.back);
    }

    @Test
    void wakeUpOfPoolThatClosesIsCalled() {
        memory.whenServing = pool::beginClose;
        waiting.whenAvailable(128, SIZE_CLASS, () -> called.add("called"));
        assertEquals(List.of("looks for 128", "serves 0, waiting: 1", "called"), called);
    }
}

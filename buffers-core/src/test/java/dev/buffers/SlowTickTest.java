// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertNotNull;

import dev.buffers.internal.slab.SlabStore;
import dev.buffers.internal.upkeep.MaintenanceThread;
import dev.buffers.support.Eventually;
import dev.buffers.support.Peek;
import dev.buffers.support.Threads;
import dev.buffers.support.WaitingThread;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A tick that has waited for a lock is no reason to leave its pool alone for longer. */
@Tag("full")
class SlowTickTest {
    private static final int MAX = 4096;
    private static final long HELD_MILLIS = 2_000;
    private static final Duration LESS_THAN_TEN_TIMES_AS_LONG = Duration.ofSeconds(16);

    private static Thread.State daemon() {
        return Threads.daemons().stream().map(Thread::getState).findFirst().orElse(Thread.State.NEW);
    }

    @Test
    void waiterIsServedSoonAfterSlowTick() throws Exception {
        try (BufferPool pool = BufferPool.builder("slow-tick")
                .policy("heap-view")
                .max(MAX)
                .collect(PoolSettings.Collecting.OFF)
                .build()) {
            PooledBuffer lease = pool.acquire(MAX);
            WaitingThread waiting = WaitingThread.parked(pool, MAX, LESS_THAN_TEN_TIMES_AS_LONG);
            SlabStore slabs = Peek.slabs(pool); // its lock is its monitor
            synchronized (slabs) {
                Eventually.holds("the daemon is held", () -> {
                    MaintenanceThread.requestTick();
                    return daemon() == Thread.State.BLOCKED;
                });
                Thread.sleep(HELD_MILLIS); // that is the slow tick
            }
            Eventually.holds("the tick has ended", () -> daemon() == Thread.State.TIMED_WAITING);
            WeakReference<ByteBuffer> view = new WeakReference<>(lease.buffer());
            lease = null; // it is lost
            Eventually.collected("the collector has found the lease", () -> view.get() == null);
            Eventually.collected("the collector has taken its memory, too", waiting::hasEnded);
            assertNotNull(waiting.lease());
        }
    }
}

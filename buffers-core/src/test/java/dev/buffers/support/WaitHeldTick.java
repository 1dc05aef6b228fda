// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support;

import dev.buffers.BufferPool;
import dev.buffers.PooledBuffer;
import dev.buffers.internal.slab.SlabStore;
import dev.buffers.internal.upkeep.MaintenanceThread;
import java.util.concurrent.CountDownLatch;

/**
 * While it is open the daemon does nothing, so that the next tick does not make up for a lost wake-up. The daemon stands before the lock of
 * a separate pool, which the tick needs because a wake-up waits there.
 */
public final class WaitHeldTick implements AutoCloseable {
    private final CountDownLatch end = new CountDownLatch(1);
    private final BufferPool pool;
    private final PooledBuffer lease;
    private final Thread holder;

    public WaitHeldTick() throws Exception {
        pool = BufferPool.builder("held-tick").policy("heap").max(4096).build();
        lease = pool.acquire(4096);
        pool.whenAvailable(4096, () -> {});
        SlabStore slabs = Peek.slabs(pool); // its lock is its monitor
        CountDownLatch held = new CountDownLatch(1);
        holder = Threads.start(() -> {
            synchronized (slabs) {
                held.countDown();
                Threads.await(end);
            }
        });
        held.await();
        Eventually.holds("the daemon is held", () -> {
            MaintenanceThread.requestTick();
            return isDaemonBlocked();
        });
    }

    private static boolean isDaemonBlocked() {
        return Threads.daemons().stream().anyMatch(daemon -> daemon.getState() == Thread.State.BLOCKED);
    }

    @Override
    public void close() {
        end.countDown();
        try {
            holder.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        pool.close();
        lease.close();
    }
}

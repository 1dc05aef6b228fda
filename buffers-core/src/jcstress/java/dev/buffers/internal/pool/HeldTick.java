// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.pool;

import dev.buffers.internal.memory.Budget;
import dev.buffers.internal.upkeep.MaintenanceThread;
import dev.buffers.support.BareOwner;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/** A pool whose tick never ends: the daemon does nothing more, so that a wake-up that was lost is not made good by the next tick. */
public final class HeldTick extends BareOwner {
    private final CountDownLatch held = new CountDownLatch(1);

    /** From now on, until the process ends and while the caller keeps this object, no pool ticks. */
    public HeldTick() {
        MaintenanceThread.watch(this, () -> {}, new Budget(1));
        try {
            held.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public long tick(long now) {
        held.countDown();
        while (true) {
            LockSupport.park();
        }
    }
}

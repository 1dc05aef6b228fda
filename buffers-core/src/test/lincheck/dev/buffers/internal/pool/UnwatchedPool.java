package dev.buffers.internal.pool;

import dev.buffers.PoolSettings;
import dev.buffers.internal.memory.Budget;

/** A pool that the daemon does not look after and whose name is free at once: of a hundred thousand dropped ones nothing is left. */
public final class UnwatchedPool extends SlabPool {
    private Runnable onGone; // has no initializer, since the constructor of the superclass sets it

    public UnwatchedPool(PoolSettings settings) {
        super(settings, null);
        onGone.run();
    }

    @Override
    void watch(Runnable onGone, Budget budget) {
        this.onGone = onGone;
    }
}

package dev.buffers.internal.pool;

import dev.buffers.BufferPool;
import dev.buffers.internal.settings.ExplicitSettings;
import dev.buffers.internal.settings.ResolvedSettings;

/** Makes pools of this package. One thread at a time, as {@link BufferPool.Builder} says. */
final class PoolBuilder extends ExplicitSettings {
    private final String name;

    PoolBuilder(String name) {
        this.name = name;
    }

    @Override
    public BufferPool build() {
        return SlabPool.open(ResolvedSettings.resolve(name, this), leakListener());
    }
}

package dev.buffers.internal.pool;

import dev.buffers.BufferPool;
import dev.buffers.internal.settings.ExplicitSettings;
import dev.buffers.internal.settings.ResolvedSettings;
import dev.buffers.internal.signals.Callbacks;

/** Makes pools of this package. One thread at a time, as {@link BufferPool.Builder} says. */
final class PoolBuilder extends ExplicitSettings {
    private final String name;

    PoolBuilder(String name) {
        this.name = name;
    }

    @Override
    public BufferPool build() {
        ResolvedSettings settings = ResolvedSettings.resolve(name, this);
        BufferPool pool = SlabPool.open(settings, leakListener());
        Callbacks.debug(() -> "a pool was made: pool=" + pool.name() + ", " + settings.inOneLine());
        return pool;
    }
}

package dev.buffers.support;

import dev.buffers.BufferPool;
import dev.buffers.internal.settings.ExplicitSettings;

/** What a builder was told, without a pool to build. */
public final class Explicit extends ExplicitSettings {

    @Override
    public BufferPool build() {
        throw new UnsupportedOperationException("settings alone");
    }
}

package dev.buffers.bench.http;

import dev.buffers.BufferPool;
import java.util.Locale;

/** The buffer sources that a server process can be started with. */
public enum Sources {
    /** The pool, with whatever settings the system properties give it. */
    POOL,
    FRESH_HEAP,
    FRESH_DIRECT,
    BUMP_HEAP,
    BUMP_DIRECT;

    /** What it stands for, to be closed by the caller. */
    public BufferSource open() {
        return switch (this) {
            case POOL -> new PooledBuffers(BufferPool.create());
            case FRESH_HEAP -> FreshBuffers.heap();
            case FRESH_DIRECT -> FreshBuffers.direct();
            case BUMP_HEAP -> FreshBuffers.bumpHeap();
            case BUMP_DIRECT -> FreshBuffers.bumpDirect();
        };
    }

    /** The name as it is written on a command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}

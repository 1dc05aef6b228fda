package dev.buffers.bench.work;

import dev.buffers.BufferPool;
import dev.buffers.PooledBuffer;
import dev.buffers.bench.lanes.contenders.Pools;
import java.nio.ByteBuffer;

/** A buffer for as long as a fork needs it, with the pool that it was leased from when there is one. */
public final class HeldBuffer implements AutoCloseable {
    private static final int POOLED_BY_DEFAULT = 256 << 10;

    private final ByteBuffer buffer;
    private final Runnable end;

    private HeldBuffer(ByteBuffer buffer, Runnable end) {
        this.buffer = buffer;
        this.end = end;
    }

    static HeldBuffer of(ByteBuffer buffer) {
        return new HeldBuffer(buffer, () -> {});
    }

    /** Leased from a pool of its own, in which even a large buffer is a view. */
    static HeldBuffer leased(String policy, int size) {
        BufferPool pool = BufferPool.builder("claims")
                .policy(policy)
                .maxSize(Math.max(size, POOLED_BY_DEFAULT))
                .build();
        PooledBuffer lease = pool.acquire(size);
        return new HeldBuffer(lease.buffer(), () -> {
            lease.release();
            Pools.closeQuiet(pool);
        });
    }

    public ByteBuffer buffer() {
        return buffer;
    }

    @Override
    public void close() {
        end.run();
    }
}

package dev.buffers.bench.lanes.contenders;

import dev.buffers.BufferPool;
import dev.buffers.PooledBuffer;
import dev.buffers.micrometer.BufferPoolMetrics;
import io.micrometer.core.instrument.MeterRegistry;

/** This library. */
final class OurPool implements Contender {
    private final BufferPool pool;

    OurPool(BufferPool.Builder settings) {
        pool = settings.build();
    }

    @Override
    public Object acquire(int size) {
        return pool.acquire(size);
    }

    @Override
    public void put(Object lease, int index, byte value) {
        ((PooledBuffer) lease).buffer().put(index, value);
    }

    @Override
    public byte get(Object lease, int index) {
        return ((PooledBuffer) lease).buffer().get(index);
    }

    @Override
    public void release(Object lease) {
        ((PooledBuffer) lease).release();
    }

    @Override
    public long keptBytes() {
        return pool.stats().reservedBytes();
    }

    @Override
    public void showIn(MeterRegistry registry) {
        BufferPoolMetrics.monitor(registry, pool);
    }

    @Override
    public void checkQuiet() {
        if (pool.stats().leases() != 0) {
            throw new IllegalStateException("leases are still out: " + pool.stats());
        }
    }

    @Override
    public void close() {
        pool.close();
    }
}

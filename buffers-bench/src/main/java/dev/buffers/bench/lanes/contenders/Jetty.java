package dev.buffers.bench.lanes.contenders;

import java.nio.ByteBuffer;
import org.eclipse.jetty.io.ArrayByteBufferPool;
import org.eclipse.jetty.io.RetainableByteBuffer;

/**
 * Jetty's {@code ArrayByteBufferPool}, direct; statistics are off, as shipped. As shipped its buckets are 4 KiB apart. At its best it has a
 * bucket for each power of two, which is what 12.1 offers in place of its deprecated {@code Quadratic}: a bucket is a list that is searched,
 * and more buckets make shorter lists; and its memory is unlimited, so that no release goes over all buckets to add up what is idle. A size
 * that is exactly a bucket's capacity gets the next larger bucket (12.1.14), so that each has one byte more than its power of two.
 */
final class Jetty implements Contender {
    private static final int LEAST_LOG = 6;
    private static final int GREATEST_LOG = 16;

    private final ArrayByteBufferPool pool;

    private Jetty(ArrayByteBufferPool pool) {
        this.pool = pool;
    }

    static Jetty shipped() {
        return new Jetty(new ArrayByteBufferPool());
    }

    static Jetty best() {
        int[] capacities = new int[GREATEST_LOG - LEAST_LOG + 1];
        for (int i = 0; i < capacities.length; i++) {
            capacities[i] = (1 << LEAST_LOG + i) + 1;
        }
        return new Jetty(new ArrayByteBufferPool.WithBucketCapacities(-1, -1, capacities));
    }

    @Override
    public Object acquire(int size) {
        RetainableByteBuffer.Mutable lease = pool.acquire(size, true);
        ByteBuffer buffer = lease.getByteBuffer();
        buffer.clear().limit(size);
        return lease;
    }

    @Override
    public void put(Object lease, int index, byte value) {
        ((RetainableByteBuffer.Mutable) lease).getByteBuffer().put(index, value);
    }

    @Override
    public byte get(Object lease, int index) {
        return ((RetainableByteBuffer.Mutable) lease).getByteBuffer().get(index);
    }

    @Override
    public void release(Object lease) {
        ((RetainableByteBuffer.Mutable) lease).release();
    }

    @Override
    public long keptBytes() {
        return pool.getDirectMemory();
    }

    @Override
    public void close() {
        pool.clear();
    }
}

package dev.buffers.bench.lanes;

import dev.buffers.BufferPool;
import dev.buffers.PooledBuffer;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Does an acquire cost more when many leases are out? Acquire half a KiB, touch, release, with 10 and with 100,000 others live.
 */
@State(Scope.Thread)
public class LiveLeasesLane extends Timed {
    private static final int SIZE = 512;

    /** How many leases are out meanwhile. */
    @Param({"10", "100000"})
    public int live;

    private final List<PooledBuffer> others = new ArrayList<>();

    @SuppressWarnings("NullAway.Init") // JMH sets it
    private BufferPool pool;

    /** Takes the other leases. */
    @Setup(Level.Trial)
    public void open() {
        pool = BufferPool.create("lanes");
        for (int i = 0; i < live; i++) {
            others.add(pool.acquire(SIZE));
        }
        System.gc();
        System.gc();
    }

    /** Ends them. */
    @TearDown(Level.Trial)
    public void close() {
        others.forEach(PooledBuffer::release);
        others.clear();
        if (pool.stats().leases() != 0) {
            throw new IllegalStateException("leases are still out: " + pool.stats());
        }
        pool.close();
    }

    /** One more. */
    @Benchmark
    public int acquireRelease() {
        PooledBuffer lease = pool.acquire(SIZE);
        int capacity = lease.buffer().put(0, (byte) 1).capacity();
        lease.release();
        return capacity;
    }
}

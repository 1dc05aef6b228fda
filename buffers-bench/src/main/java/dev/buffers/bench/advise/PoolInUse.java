package dev.buffers.bench.advise;

import dev.buffers.BufferPool;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** What all uses have: a pool with one of the policies, of which nothing is out in the end. */
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init") // JMH sets the parameters and calls the set-up
public class PoolInUse {
    /** Of the pool; everything else is left as it is by default. */
    @Param({"direct-view", "direct", "heap-view", "heap", "unpooled"})
    public String policy;

    BufferPool pool;

    @Setup(Level.Trial)
    public void makePool() {
        pool = BufferPool.builder("advise").policy(policy).build();
    }

    @TearDown(Level.Trial)
    public void closePool() {
        long leases = pool.stats().leases();
        pool.close();
        if (leases != 0) {
            throw new IllegalStateException("leases are still out: leases=" + leases);
        }
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.pools;

import dev.buffers.bench.pools.contenders.Contender;
import java.util.concurrent.ThreadLocalRandom;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * What does a lease cost that is kept for a while? Each thread has 32 out; every operation releases the oldest, acquires one
 * of a mixed size and touches a byte of it. What stands in them at the end shows whether two of them were the same memory.
 */
public class WindowBenchmark extends Timed {
    private static final int LIVE = 32;

    private final Sizes sizes = new Sizes(3);
    private final Object[] window = new Object[LIVE];
    private final int mark = ThreadLocalRandom.current().nextInt();
    private int oldest;

    /** Fills the window. */
    @Setup(Level.Iteration)
    public void fill(ContenderState state) {
        state.holders.incrementAndGet();
        for (int i = 0; i < LIVE; i++) {
            window[i] = state.source.acquire(sizes.next());
            state.source.put(window[i], 0, stamp(i));
        }
    }

    /** Empties it again. */
    @TearDown(Level.Iteration)
    public void drain(ContenderState state) {
        int shared = 0;
        for (int i = 0; i < LIVE; i++) {
            shared += state.source.get(window[i], 0) == stamp(i) ? 0 : 1;
            state.source.release(window[i]);
        }
        state.holders.decrementAndGet();
        if (shared != 0) {
            throw new IllegalStateException("leases were given to two threads at once: " + shared);
        }
    }

    /** One turn; {@code -t 2} runs two threads, each with a separate window. */
    @Benchmark
    public int window(ContenderState state) {
        Contender source = state.source;
        int at = oldest++ & LIVE - 1;
        source.release(window[at]);
        int size = sizes.next();
        Object lease = source.acquire(size);
        source.put(lease, 0, stamp(at));
        window[at] = lease;
        return size;
    }

    /** Tells the leases of a thread apart, and those of two threads mostly. */
    private byte stamp(int at) {
        return (byte) (at ^ mark);
    }
}

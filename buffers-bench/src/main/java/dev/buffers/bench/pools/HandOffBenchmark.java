// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.pools;

import org.jctools.queues.varhandle.SpscVarHandleArrayQueue;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.Control;

/**
 * What does it cost that one thread acquires and another releases? A reader acquires, touches a byte and passes the lease
 * through a queue of one producer and one consumer; a worker checks that byte and releases. JMH counts what both threads do.
 */
@State(Scope.Group)
public class HandOffBenchmark extends Timed {
    private static final int SIZE = 4096;

    private final SpscVarHandleArrayQueue<Object> passed = new SpscVarHandleArrayQueue<>(256);

    /** What a thread has passed on, or expects, so far. */
    @State(Scope.Thread)
    public static class Turns {
        private byte last;

        /** Both threads begin anew. */
        @Setup(Level.Iteration)
        public void begin() {
            last = 0;
        }
    }

    /** Releases the leases that no thread took. */
    @TearDown(Level.Iteration)
    public void drain(ContenderState state) {
        for (Object lease = passed.poll(); lease != null; lease = passed.poll()) {
            state.source.release(lease);
        }
    }

    /** Acquires and passes on. */
    @Benchmark
    @Group("handOff")
    public void acquire(ContenderState state, Turns turns, Control control) {
        Object lease = state.source.acquire(SIZE);
        state.source.put(lease, 0, ++turns.last);
        while (!passed.offer(lease)) {
            if (control.stopMeasurement) {
                turns.last--; // it is not passed on, and others may follow
                state.source.release(lease);
                return;
            }
            Thread.onSpinWait();
        }
    }

    /** Takes, checks, releases. */
    @Benchmark
    @Group("handOff")
    public int release(ContenderState state, Turns turns, Control control) {
        Object lease = passed.poll();
        while (lease == null) {
            if (control.stopMeasurement) {
                return 0;
            }
            Thread.onSpinWait();
            lease = passed.poll();
        }
        byte touched = state.source.get(lease, 0);
        if (touched != ++turns.last) {
            throw new IllegalStateException("wrong lease passed on: expected=" + turns.last + ", found=" + touched);
        }
        state.source.release(lease);
        return touched;
    }
}

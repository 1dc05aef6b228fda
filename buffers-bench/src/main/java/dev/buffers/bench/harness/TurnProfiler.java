// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.harness;

import static java.util.Objects.requireNonNull;

import dev.buffers.bench.harness.Contestant.Turn;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.runner.IterationType;

/**
 * Makes an iteration of JMH a turn: it begins when the turn comes, and its result is the CPU time of the process. JMH calls both methods
 * on its main thread, before it hands the iteration to its workers and after the last of them is done; what that thread does is not
 * counted. A state's set-up and tear-down of an iteration are, though: a workload keeps them small, or does them {@link Outside}.
 */
public final class TurnProfiler implements InternalProfiler {
    /** JMH makes the profiler, so it finds here for whom. */
    static volatile @Nullable JmhChild current;

    /** A worker tells that it is done before it pauses; the kernel's count is right once it has paused. */
    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

    private final JmhChild child = requireNonNull(current);

    private boolean counts;
    private long startMicros;
    private CpuClock.Reading before = CpuClock.Reading.NOTHING;
    private Outside.Nanos outside = new Outside.Nanos(0, 0);
    private long startNanos;

    @Override
    public String getDescription() {
        return "Turns of two JVMs, in CPU time of the process";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        try {
            counts = child.awaitTurn(iteration.getType() == IterationType.WARMUP);
            if (counts) {
                startMicros = Turn.micros();
                before = child.clock().read();
                outside = Outside.nanos();
                startNanos = System.nanoTime();
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    @SuppressWarnings("rawtypes") // so in JMH
    public Collection<? extends Result> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        try {
            if (counts) {
                long wall = System.nanoTime() - startNanos;
                Outside.Nanos apart = Outside.nanos().minus(outside);
                LockSupport.parkNanos(PAUSE_NANOS);
                CpuClock.Reading now = child.clock().read();
                long cpu = Math.max(1, now.since(before, child.threadClock()) - apart.cpu());
                long ops = result.getMetadata().getAllOps();
                Turn turn = new Turn(startMicros, Math.max(1, wall - apart.wall()), cpu, ops, now.noise(before), null);
                child.done(iteration.getType() == IterationType.WARMUP, turn);
            } else {
                child.warmedOn();
            }
            return List.of();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}

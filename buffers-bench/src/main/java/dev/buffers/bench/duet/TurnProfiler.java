package dev.buffers.bench.duet;

import static java.util.Objects.requireNonNull;

import dev.buffers.bench.duet.Contestant.Turn;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;
import org.openjdk.jmh.runner.IterationType;

/**
 * Makes an iteration of JMH a turn: it begins when the turn comes, and its result is the CPU time of the process. JMH calls both methods
 * on its main thread, before it hands the iteration to its workers and after the last of them is done; what that thread does is not
 * counted. A state's set-up and tear-down of an iteration are, though: a lane keeps them small, or does them {@link Outside}.
 */
public final class TurnProfiler implements InternalProfiler {
    /** JMH makes the profiler, so it finds here whom to tell. */
    private static volatile @Nullable Listener current;

    /** A worker tells that it is done before it pauses; the kernel's count is right once it has paused. */
    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

    private final CpuClock clock;
    private final Listener listener;

    private long startMicros;
    private long startNanos;
    private Outside.Nanos outside = new Outside.Nanos(0, 0);
    private long process;
    private long compiling;
    private long[] switches = {};
    private CpuClock.Times times = new CpuClock.Times(0, 0, 0, 0);
    private boolean counts;

    /** What JMH calls. */
    public TurnProfiler() {
        listener = requireNonNull(current);
        clock = listener.clock();
    }

    /** Decides when an iteration may begin, and receives its figures. */
    interface Listener {
        CpuClock clock();

        /** Says whether the iteration's figures are wanted. */
        boolean awaitTurn(boolean warmup) throws Exception;

        void done(boolean warmup, Turn turn) throws Exception;

        /** After an iteration whose figures are not wanted. */
        void warmedOn() throws Exception;

        /** Whether CPU time is the sum over threads. */
        boolean threadClock();
    }

    static void tell(Listener next) {
        current = next;
    }

    @Override
    public String getDescription() {
        return "Turns of two JVMs, in CPU time of the process";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        try {
            counts = listener.awaitTurn(iteration.getType() == IterationType.WARMUP);
            if (!counts) {
                return;
            }
            startMicros = micros();
            compiling = clock.compilingMillis();
            switches = clock.switches();
            process = clock.processNanos();
            times = clock.times();
            outside = Outside.nanos();
            startNanos = System.nanoTime();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    @SuppressWarnings("rawtypes") // so in JMH
    public Collection<? extends Result> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        if (!counts) {
            return warmedOn();
        }
        long wall = System.nanoTime() - startNanos;
        Outside.Nanos apart = Outside.nanos().minus(outside);
        LockSupport.parkNanos(PAUSE_NANOS);
        try {
            CpuClock.Times now = clock.times();
            long processNow = clock.processNanos();
            long[] switchesNow = clock.switches();
            long cpu = listener.threadClock() ? now.nanos() - times.nanos() : processNow - process;
            cpu = Math.max(1, cpu - apart.cpu());
            long ops = result.getMetadata().getAllOps();
            listener.done(
                    iteration.getType() == IterationType.WARMUP,
                    new Turn(
                            startMicros,
                            Math.max(1, wall - apart.wall()),
                            cpu,
                            ops,
                            now.delayNanos() - times.delayNanos(),
                            switchesNow[0] - switches[0],
                            switchesNow[1] - switches[1],
                            clock.compilingMillis() - compiling,
                            null));
            return List.of(new ScalarResult("cpu", (double) cpu / Math.max(1, ops), "ns/op", AggregationPolicy.AVG));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @SuppressWarnings("rawtypes") // so in JMH
    private Collection<? extends Result> warmedOn() {
        try {
            listener.warmedOn();
            return List.of();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static long micros() {
        Instant now = Instant.now();
        return TimeUnit.SECONDS.toMicros(now.getEpochSecond()) + now.getNano() / 1000;
    }
}

package dev.buffers.bench.lanes;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does a lease cost that stays in its method? Acquire a mixed size, touch one byte, release; one thread.
 *
 * <p>{@code java -jar buffers-bench/target/buffers-bench.jar jmh MixedLane -prof gc}
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(5)
@State(Scope.Thread)
public class MixedLane {
    private final Sizes sizes = new Sizes(2);

    /** One cycle. */
    @Benchmark
    public int mixed(Lane lane) {
        return lane.source.cycle(sizes.next());
    }
}

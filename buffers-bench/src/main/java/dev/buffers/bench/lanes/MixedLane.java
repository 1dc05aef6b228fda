package dev.buffers.bench.lanes;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * What does a lease cost that stays in its method? Acquire a mixed size, touch one byte, release; one thread.
 */
@State(Scope.Thread)
public class MixedLane extends Timed {
    private final Sizes sizes = new Sizes(2);

    /** One cycle. */
    @Benchmark
    public int mixed(Lane lane) {
        return lane.source.cycle(sizes.next());
    }
}

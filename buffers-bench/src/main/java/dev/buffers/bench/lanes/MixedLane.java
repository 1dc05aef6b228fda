package dev.buffers.bench.lanes;

import org.openjdk.jmh.annotations.Benchmark;

/** What does a lease cost that stays in its method? Acquire a mixed size, touch one byte, release; one thread. */
public class MixedLane extends Timed {
    private final Sizes sizes = new Sizes(2);

    @Benchmark
    public int mixed(Lane lane) {
        return lane.source.cycle(sizes.next());
    }
}

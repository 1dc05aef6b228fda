package dev.buffers.bench.lanes;

import dev.buffers.bench.lanes.contenders.Contenders;
import java.util.List;

/** F5: 200,000 virtual threads. */
final class F5VirtualThreads extends AgainstRivals {

    @Override
    public String id() {
        return "F5 virtual threads";
    }

    @Override
    public String statement() {
        return "With 200,000 virtual threads the pool is faster than every rival.";
    }

    @Override
    public List<Trial> trials() {
        return each(
                Rivals.VIRTUAL::point,
                VirtualThreadsLane.TIME,
                Contenders.queue,
                Contenders.nettyAdaptiveBest,
                Contenders.jetty,
                Contenders.grizzlyPooled,
                Contenders.allocateDirect,
                Contenders.nettyAdaptive,
                Contenders.nettyPooledBest,
                Contenders.jettyBest,
                Contenders.undertow);
    }
}

package dev.buffers.bench.lanes;

import dev.buffers.bench.claims.Figure;
import java.util.List;

/** F5: 32 live leases on each of two threads. */
final class F5TwoThreads extends AgainstRivals {

    @Override
    public String id() {
        return "F5 two threads";
    }

    @Override
    public String statement() {
        return "On two threads the pool is faster than every rival.";
    }

    @Override
    public List<Trial> trials() {
        return each(rival -> Rivals.point(Rivals.WINDOW2, rival), Figure.TIME, rivals());
    }
}

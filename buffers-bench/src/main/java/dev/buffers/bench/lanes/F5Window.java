package dev.buffers.bench.lanes;

import dev.buffers.bench.claims.Figure;
import java.util.List;

/** F5: 32 live leases, one thread. */
final class F5Window extends AgainstRivals {

    @Override
    public String id() {
        return "F5 window";
    }

    @Override
    public String statement() {
        return "For leases that are kept for a while the pool is faster than every rival.";
    }

    @Override
    public List<Trial> trials() {
        return each(rival -> Rivals.point(Rivals.WINDOW1, rival), Figure.TIME, rivals());
    }
}

package dev.buffers.bench.lanes;

import dev.buffers.bench.claims.Figure;
import java.util.List;

/** F5: mixed sizes, one thread. */
final class F5Mixed extends AgainstRivals {

    @Override
    public String id() {
        return "F5 mixed";
    }

    @Override
    public String statement() {
        return "For a lease that stays in its method the pool is faster than every rival.";
    }

    @Override
    public List<Trial> trials() {
        return each(rival -> Rivals.point(Rivals.MIXED, rival), Figure.TIME, rivals());
    }
}

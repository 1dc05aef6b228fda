package dev.buffers.bench.lanes;

import java.util.List;

/** F5: from one thread to another. */
final class F5HandOff extends AgainstRivals {

    @Override
    public String id() {
        return "F5 hand-off";
    }

    @Override
    public String statement() {
        return "When one thread acquires and another releases, the pool is faster than every rival.";
    }

    @Override
    public List<Trial> trials() {
        return each(rival -> Rivals.point(Rivals.HAND_OFF, rival), Rivals.THROUGHPUT, rivals());
    }
}

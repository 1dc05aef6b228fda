package dev.buffers.bench.lanes;

import dev.buffers.bench.claims.Figure;
import dev.buffers.bench.lanes.contenders.Contenders;
import java.util.List;

/** F6: the bars that the pool's design sets for what it keeps. A trial holds when its bar is met. */
final class F6Bars extends AgainstRivals {

    @Override
    public String id() {
        return "F6 bars";
    }

    @Override
    public String statement() {
        return "The pool keeps at most 5 % of a burst's peak, 8 MiB after 200,000 virtual threads and 80 bytes for an idle connection, "
                + "and grows by at most a quarter when the sizes change.";
    }

    @Override
    public List<Trial> trials() {
        return List.of(
                met("burst, own count, at most 5 % of the peak", Rivals.BURST, MemoryLane.KEPT),
                met("burst, after a collection, at most 5 % of the peak", Rivals.BURST, MemoryLane.COLLECTED),
                met("virtual threads, own count, at most 8 MiB", Rivals.VIRTUAL, MemoryLane.KEPT),
                met("an idle connection, at most 80 bytes", Rivals.IDLE, MemoryLane.KEPT),
                met("change of sizes, growth of at most a quarter", Rivals.SHIFT, MemoryLane.KEPT));
    }

    private static Trial met(String label, MemoryLane lane, Figure figure) {
        return atMost(1, label, lane.point(Contenders.buffers), Bars.of(lane), figure);
    }
}

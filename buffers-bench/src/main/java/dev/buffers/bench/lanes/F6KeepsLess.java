package dev.buffers.bench.lanes;

import dev.buffers.bench.claims.Figure;
import dev.buffers.bench.lanes.contenders.Contenders;
import java.util.ArrayList;
import java.util.List;

/** F6: what is kept when nobody needs it, against the others. */
final class F6KeepsLess extends AgainstRivals {

    @Override
    public String id() {
        return "F6";
    }

    @Override
    public String statement() {
        return "After a burst, after 200,000 virtual threads, after a change of sizes and for idle connections the pool keeps less "
                + "memory than the others.";
    }

    @Override
    public List<Trial> trials() {
        List<Trial> trials = new ArrayList<>();
        Object[] afterBurst = {
            Contenders.nettyAdaptiveBest,
            Contenders.jetty,
            Contenders.queue,
            Contenders.nettyPooledBest,
            Contenders.undertow,
            Contenders.grizzlyPooled
        };
        Object[] afterVirtual = {
            Contenders.queue,
            Contenders.nettyAdaptiveBest,
            Contenders.jetty,
            Contenders.grizzlyPooled,
            Contenders.undertow
        };
        Object[] afterShift = {Contenders.nettyAdaptiveBest, Contenders.jetty, Contenders.nettyPooledBest};
        trials.addAll(of("burst, own count, ", Rivals.BURST, MemoryLane.KEPT, afterBurst));
        trials.addAll(of("burst, resident, ", Rivals.BURST, MemoryLane.RESIDENT, afterBurst));
        trials.addAll(of("virtual threads, own count, ", Rivals.VIRTUAL, MemoryLane.KEPT, afterVirtual));
        trials.addAll(of("change of sizes, ", Rivals.SHIFT, MemoryLane.KEPT, afterShift));
        trials.addAll(of("an idle connection, ", Rivals.IDLE, MemoryLane.KEPT, IdleConnectionsLane.OWN));
        return trials;
    }

    private static List<Trial> of(String label, MemoryLane lane, Figure figure, Object... rivals) {
        return each(lane::point, figure, rivals).stream()
                .map(trial -> Trial.better(label + trial.label(), trial.claimant(), trial.other(), figure))
                .toList();
    }
}

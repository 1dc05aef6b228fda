package dev.buffers.bench.claims.unmeasured;

import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.claims.Figure;
import dev.buffers.bench.claims.kinds.BufferKind;
import dev.buffers.bench.claims.unmeasured.PollutionLane.Op;
import java.util.ArrayList;
import java.util.List;

/** F1: what a call site remembers. */
final class F1Pollution implements Claim {

    @Override
    public String id() {
        return "F1";
    }

    @Override
    public Source source() {
        return NobodyMeasured.SOURCE;
    }

    @Override
    public String statement() {
        return "Three or more classes of buffers through one call site make reading byte by byte slower there.";
    }

    @Override
    public String then() {
        return "not measured";
    }

    @Override
    public String since() {
        return "A call site remembers two classes (TypeProfileWidth), in 17 and in 25.";
    }

    @Override
    public List<Trial> trials() {
        List<Trial> trials = new ArrayList<>();
        for (BufferKind kind : new BufferKind[] {BufferKind.heap, BufferKind.direct}) {
            for (int others : new int[] {2, 3}) {
                trials.add(Trial.better(
                        kind + ", alone against one of " + (others + 1),
                        PollutionLane.point(kind, Op.elements, 0),
                        PollutionLane.point(kind, Op.elements, others),
                        Figure.TIME));
            }
        }
        return trials;
    }
}

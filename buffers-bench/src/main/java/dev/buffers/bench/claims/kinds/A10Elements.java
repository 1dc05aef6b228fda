package dev.buffers.bench.claims.kinds;

import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.claims.Figure;
import dev.buffers.bench.claims.kinds.RecordLane.Op;
import dev.buffers.bench.claims.kinds.RecordLane.Way;
import java.util.ArrayList;
import java.util.List;

/** A10: element by element. */
final class A10Elements implements Claim {

    @Override
    public String id() {
        return "A10";
    }

    @Override
    public Source source() {
        return KindsOfBuffer.SOURCE;
    }

    @Override
    public String statement() {
        return "Data is written and read faster through a byte[] packed by hand than element by element through a ByteBuffer.";
    }

    @Override
    public String then() {
        return "access to single elements of a buffer was slow; no figures are known to us";
    }

    @Override
    public String since() {
        return "putInt and its like are one load or store each, by intrinsics, whatever the order; VarHandle views of arrays and "
                + "of buffers came with JDK 9.";
    }

    @Override
    public List<Trial> trials() {
        List<Trial> trials = new ArrayList<>();
        for (Op op : Op.values()) {
            for (BufferKind kind :
                    new BufferKind[] {BufferKind.heap, BufferKind.direct, BufferKind.heapView, BufferKind.directView}) {
                trials.add(Trial.better(
                        kind + ", " + op,
                        RecordLane.point(BufferKind.byteArray, Way.handPacked, op),
                        RecordLane.point(kind, Way.relative, op),
                        Figure.TIME));
            }
        }
        return trials;
    }
}

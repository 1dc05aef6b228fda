package dev.buffers.bench.claims.kinds;

import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.claims.Figure;
import dev.buffers.bench.claims.kinds.FillLane.Op;
import java.util.ArrayList;
import java.util.List;

/** A2: filling direct buffers. */
final class A2FillingDirect implements Claim {

    @Override
    public String id() {
        return "A2";
    }

    @Override
    public Source source() {
        return KindsOfBuffer.SOURCE;
    }

    @Override
    public String statement() {
        return "Filling a direct buffer with bytes and with ints is faster than filling a heap buffer.";
    }

    @Override
    public String then() {
        return "direct was faster; no figures are known to us";
    }

    @Override
    public String since() {
        return "putInt is one store into either kind, by the same intrinsic; a direct buffer also checks that its memory is "
                + "alive.";
    }

    @Override
    public List<Trial> trials() {
        List<Trial> trials = new ArrayList<>();
        for (Op op : Op.values()) {
            for (int size : new int[] {512, 65536}) {
                trials.add(Trial.better(
                        op + ", " + size,
                        FillLane.point(BufferKind.direct, op, size),
                        FillLane.point(BufferKind.heap, op, size),
                        Figure.TIME));
            }
        }
        return trials;
    }
}

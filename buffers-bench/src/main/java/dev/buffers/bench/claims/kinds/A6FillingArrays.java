package dev.buffers.bench.claims.kinds;

import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.claims.Figure;
import dev.buffers.bench.claims.kinds.FillLane.Op;
import java.util.ArrayList;
import java.util.List;

/** A6: arrays against every buffer. */
final class A6FillingArrays implements Claim {

    @Override
    public String id() {
        return "A6";
    }

    @Override
    public Source source() {
        return KindsOfBuffer.SOURCE;
    }

    @Override
    public String statement() {
        return "A byte[] is faster to fill than any ByteBuffer.";
    }

    @Override
    public String then() {
        return "byte[] was fastest; no figures are known to us";
    }

    @Override
    public String since() {
        return "The compiler knows the accessors of buffers as intrinsics, and can make one store of an int packed by hand since JDK 23 (JDK-8318446).";
    }

    @Override
    public List<Trial> trials() {
        List<Trial> trials = new ArrayList<>();
        for (Op op : Op.values()) {
            for (int size : new int[] {512, 65536}) {
                trials.add(trial(BufferKind.heap, op, size));
                trials.add(trial(BufferKind.direct, op, size));
            }
            trials.add(trial(BufferKind.heapView, op, 65536));
            trials.add(trial(BufferKind.directView, op, 65536));
        }
        return trials;
    }

    private static Trial trial(BufferKind kind, Op op, int size) {
        return Trial.better(
                kind + ", " + op + ", " + size,
                FillLane.point(BufferKind.byteArray, op.ofArray(), size),
                FillLane.point(kind, op, size),
                Figure.TIME);
    }
}

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
        return "putInt is one store, by an intrinsic. Since JDK 23 the compiler also makes one store of an int that is packed by "
                + "hand in the machine's order (JDK-8318446); here the order is the other one, every buffer's default.";
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

package dev.buffers.bench.claims.kinds;

import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.claims.Figure;
import dev.buffers.bench.claims.kinds.CopyLane.Op;
import java.util.ArrayList;
import java.util.List;

/** A3: whole arrays. */
final class A3CopiesIntoHeap implements Claim {

    @Override
    public String id() {
        return "A3";
    }

    @Override
    public Source source() {
        return KindsOfBuffer.SOURCE;
    }

    @Override
    public String statement() {
        return "Copying an array is faster into a heap buffer, and out of it, than into or out of a direct one.";
    }

    @Override
    public String then() {
        return "heap was faster; no figures are known to us";
    }

    @Override
    public String since() {
        return "A heap buffer's bulk put is System.arraycopy; a direct one's is a copy of raw memory, and byte by byte up to six "
                + "bytes.";
    }

    @Override
    public List<Trial> trials() {
        List<Trial> trials = new ArrayList<>();
        for (Op op : Op.values()) {
            for (int size : new int[] {16, 1024, 65536}) {
                trials.add(Trial.better(
                        op + ", " + size,
                        CopyLane.point(BufferKind.heap, op, size),
                        CopyLane.point(BufferKind.direct, op, size),
                        Figure.TIME));
            }
        }
        return trials;
    }
}

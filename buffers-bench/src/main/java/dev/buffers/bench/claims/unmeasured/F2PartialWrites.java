package dev.buffers.bench.claims.unmeasured;

import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.claims.Figure;
import dev.buffers.bench.claims.kinds.BufferKind;
import java.util.List;
import java.util.stream.Stream;

/** F2: a slow peer. */
final class F2PartialWrites implements Claim {

    @Override
    public String id() {
        return "F2";
    }

    @Override
    public Source source() {
        return NobodyMeasured.SOURCE;
    }

    @Override
    public String statement() {
        return "What a slow peer takes in small parts is delivered faster from a direct buffer than from a heap buffer.";
    }

    @Override
    public String then() {
        return "not measured";
    }

    @Override
    public String since() {
        return "Unchanged: each write of a heap buffer first copies all that remains of it.";
    }

    @Override
    public List<Trial> trials() {
        return Stream.of(1 << 16, 1 << 18, 1 << 20)
                .map(size -> Trial.better(
                        String.valueOf(size),
                        PartialWriteLane.point(BufferKind.direct, size),
                        PartialWriteLane.point(BufferKind.heap, size),
                        Figure.TIME))
                .toList();
    }
}

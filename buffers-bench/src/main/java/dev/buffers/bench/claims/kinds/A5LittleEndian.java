package dev.buffers.bench.claims.kinds;

import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.claims.Figure;
import dev.buffers.bench.claims.Point;
import dev.buffers.bench.claims.kinds.OrderLane.Order;
import dev.buffers.bench.claims.kinds.OrderLane.Way;
import java.util.ArrayList;
import java.util.List;

/** A5: byte order. */
final class A5LittleEndian implements Claim {
    private static final int SIZE = 8192;

    @Override
    public String id() {
        return "A5";
    }

    @Override
    public Source source() {
        return KindsOfBuffer.SOURCE;
    }

    @Override
    public String statement() {
        return "Little-endian ints are put into a buffer faster on a little-endian machine; for a byte[] packed by hand it does "
                + "not matter.";
    }

    @Override
    public String then() {
        return "little-endian was faster in buffers; no figures are known to us";
    }

    @Override
    public String since() {
        return "putInt is one store, for the other order with a reversal of the bytes before it. Since JDK 23 the compiler also "
                + "makes one store of an int that is packed by hand in the machine's order (JDK-8318446).";
    }

    @Override
    public List<Trial> trials() {
        List<Trial> trials = new ArrayList<>();
        for (BufferKind kind : new BufferKind[] {BufferKind.heap, BufferKind.direct}) {
            trials.add(Trial.better(
                    kind + ", relative", little(kind, Way.relative), big(kind, Way.relative), Figure.TIME));
        }
        for (BufferKind kind :
                new BufferKind[] {BufferKind.heap, BufferKind.direct, BufferKind.heapView, BufferKind.directView}) {
            trials.add(Trial.better(
                    kind + ", absolute", little(kind, Way.absolute), big(kind, Way.absolute), Figure.TIME));
        }
        trials.add(Trial.same(
                "byte[], packed by hand",
                little(BufferKind.byteArray, Way.handPacked),
                big(BufferKind.byteArray, Way.handPacked),
                Figure.TIME));
        return trials;
    }

    private static Point little(BufferKind kind, Way way) {
        return OrderLane.point(kind, way, Order.little, SIZE);
    }

    private static Point big(BufferKind kind, Way way) {
        return OrderLane.point(kind, way, Order.big, SIZE);
    }
}

package dev.buffers.bench.claims.kinds;

import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.claims.Figure;
import dev.buffers.bench.claims.kinds.WriteLane.Sink;
import java.util.ArrayList;
import java.util.List;

/** A12: the advice drawn from A1, for reads and for writes. Compared is what as many bytes cost. */
final class A12SmallChunks implements Claim {

    @Override
    public String id() {
        return "A12";
    }

    @Override
    public Source source() {
        return KindsOfBuffer.SOURCE;
    }

    @Override
    public String statement() {
        return "Reading and writing in chunks of 8,192 bytes beats larger chunks.";
    }

    @Override
    public String then() {
        return "advice, from the hit beyond 8,192 bytes";
    }

    @Override
    public String since() {
        return "InputStream.transferTo moves 16,384 bytes at a time since JDK 21 (JDK-8299336): claims B say that more is "
                + "better.";
    }

    @Override
    public List<Trial> trials() {
        List<Trial> trials = new ArrayList<>();
        for (int size : new int[] {131072, 1 << 20}) {
            for (Sink sink : Sink.values()) {
                for (WriteLane.Via via : new WriteLane.Via[] {WriteLane.Via.stream, WriteLane.Via.channelDirect}) {
                    trials.add(Trial.better(
                                    "write, " + via + ", " + sink + ", against " + size,
                                    WriteLane.point(via, sink, 8192),
                                    WriteLane.point(via, sink, size),
                                    Figure.TIME)
                            .scaled(size / 8192.0));
                }
            }
            for (ReadLane.Source source : ReadLane.Source.values()) {
                for (ReadLane.Via via : new ReadLane.Via[] {ReadLane.Via.stream, ReadLane.Via.channelDirect}) {
                    trials.add(Trial.better(
                            "read, " + via + ", " + source + ", against " + size,
                            ReadLane.point(via, source, 8192),
                            ReadLane.point(via, source, size),
                            Figure.TIME));
                }
            }
        }
        return trials;
    }
}

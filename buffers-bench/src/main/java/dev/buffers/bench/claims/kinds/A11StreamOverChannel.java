package dev.buffers.bench.claims.kinds;

import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.claims.Figure;
import dev.buffers.bench.claims.kinds.WriteLane.Sink;
import dev.buffers.bench.claims.kinds.WriteLane.Via;
import java.util.ArrayList;
import java.util.List;

/** A11: a stream of the other making. */
final class A11StreamOverChannel implements Claim {

    @Override
    public String id() {
        return "A11";
    }

    @Override
    public Source source() {
        return KindsOfBuffer.SOURCE;
    }

    @Override
    public String statement() {
        return "A FileOutputStream built over a FileChannel would beat the native one.";
    }

    @Override
    public String then() {
        return "not measured";
    }

    @Override
    public String since() {
        return "The native one is as it was: a stack buffer of 8,192 bytes, above it malloc. Channels.newOutputStream copies "
                + "through a direct buffer that its thread keeps.";
    }

    @Override
    public List<Trial> trials() {
        List<Trial> trials = new ArrayList<>();
        for (Sink sink : new Sink[] {Sink.devNull, Sink.file}) {
            for (int size : new int[] {512, 8192, 1 << 20}) {
                trials.add(Trial.better(
                        sink + ", " + size,
                        WriteLane.point(Via.channelStream, sink, size),
                        WriteLane.point(Via.stream, sink, size),
                        Figure.TIME));
            }
        }
        return trials;
    }
}

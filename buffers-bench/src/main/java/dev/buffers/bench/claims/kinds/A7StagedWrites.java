package dev.buffers.bench.claims.kinds;

import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.claims.Figure;
import dev.buffers.bench.claims.kinds.WriteLane.Sink;
import dev.buffers.bench.claims.kinds.WriteLane.Via;
import java.util.ArrayList;
import java.util.List;

/** A7: the staged write. Both sides begin with the same filled array, so its filling is left out. */
final class A7StagedWrites implements Claim {

    @Override
    public String id() {
        return "A7";
    }

    @Override
    public Source source() {
        return KindsOfBuffer.SOURCE;
    }

    @Override
    public String statement() {
        return "From 2,048 bytes on, copying a filled byte[] into a direct buffer and writing that beats writing the byte[] to a "
                + "stream; at 512 bytes the stream wins.";
    }

    @Override
    public String then() {
        return "as stated, at 512 bytes slightly; no figures are known to us";
    }

    @Override
    public String since() {
        return "A socket's stream does the same since JDK 13: it copies into a direct buffer that its thread keeps.";
    }

    @Override
    public List<Trial> trials() {
        List<Trial> trials = new ArrayList<>();
        for (Sink sink : Sink.values()) {
            trials.add(Trial.better(
                    sink + ", 512: the stream",
                    WriteLane.point(Via.stream, sink, 512),
                    WriteLane.point(Via.staged, sink, 512),
                    Figure.TIME));
            for (int size : new int[] {2048, 131072, 1 << 20}) {
                trials.add(Trial.better(
                        sink + ", " + size,
                        WriteLane.point(Via.staged, sink, size),
                        WriteLane.point(Via.stream, sink, size),
                        Figure.TIME));
            }
        }
        return trials;
    }
}

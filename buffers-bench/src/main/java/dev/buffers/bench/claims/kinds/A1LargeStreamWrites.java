package dev.buffers.bench.claims.kinds;

import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.claims.Figure;
import dev.buffers.bench.claims.kinds.WriteLane.Sink;
import dev.buffers.bench.claims.kinds.WriteLane.Via;
import java.util.ArrayList;
import java.util.List;

/** A1: the cliff in writing to streams. Compared is what a byte costs. */
final class A1LargeStreamWrites implements Claim {

    @Override
    public String id() {
        return "A1";
    }

    @Override
    public Source source() {
        return KindsOfBuffer.SOURCE;
    }

    @Override
    public String statement() {
        return "A byte costs less in a stream write of 8,192 bytes than in one of more: there the native code turns to malloc.";
    }

    @Override
    public String then() {
        return "a hit beyond 8,192 bytes; no figures are known to us";
    }

    @Override
    public String since() {
        return "A socket's stream copies through a cached direct buffer of at most 128 KiB since JDK 13 (JEP 353). A file's "
                + "stream still has 8,192 bytes on the stack, and takes the whole length from malloc above.";
    }

    @Override
    public List<Trial> trials() {
        List<Trial> trials = new ArrayList<>();
        for (Sink sink : Sink.values()) {
            for (int size : new int[] {8193, 131072, 1 << 20}) {
                trials.add(Trial.better(
                                sink + ", " + size,
                                WriteLane.point(Via.stream, sink, 8192),
                                WriteLane.point(Via.stream, sink, size),
                                Figure.TIME)
                        .scaled(size / 8192.0));
            }
        }
        return trials;
    }
}

package dev.buffers.bench.claims.kinds;

import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.claims.Figure;
import dev.buffers.bench.claims.kinds.WriteLane.Sink;
import dev.buffers.bench.claims.kinds.WriteLane.Via;
import java.util.ArrayList;
import java.util.List;

/** A9: writing buffers against writing arrays. */
final class A9WritingBuffers implements Claim {

    @Override
    public String id() {
        return "A9";
    }

    @Override
    public Source source() {
        return KindsOfBuffer.SOURCE;
    }

    @Override
    public String statement() {
        return "Writing a ByteBuffer to a channel beats writing a byte[] to a stream, most of all for large writes.";
    }

    @Override
    public String then() {
        return "buffers won; no figures are known to us";
    }

    @Override
    public String since() {
        return "A heap buffer is copied into a direct one that the thread keeps before it is written, as a socket's stream does "
                + "since JDK 13.";
    }

    @Override
    public List<Trial> trials() {
        List<Trial> trials = new ArrayList<>();
        for (Sink sink : Sink.values()) {
            for (int size : new int[] {512, 131072, 1 << 20}) {
                trials.add(trial(Via.channelDirect, sink, size));
            }
            trials.add(trial(Via.channelHeap, sink, 512));
            trials.add(trial(Via.channelHeap, sink, 1 << 20));
        }
        for (Sink sink : new Sink[] {Sink.file, Sink.socket}) {
            trials.add(trial(Via.channelHeapView, sink, 1 << 20));
            trials.add(trial(Via.channelDirectView, sink, 1 << 20));
        }
        return trials;
    }

    private static Trial trial(Via via, Sink sink, int size) {
        return Trial.better(
                via + ", " + sink + ", " + size,
                WriteLane.point(via, sink, size),
                WriteLane.point(Via.stream, sink, size),
                Figure.TIME);
    }
}

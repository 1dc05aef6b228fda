package dev.buffers.bench.claims.kinds;

import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.claims.Figure;
import dev.buffers.bench.claims.kinds.KeepLane.Strategy;
import java.util.ArrayList;
import java.util.List;

/** A8: advice that was not measured. */
final class A8OneBufferKept implements Claim {

    @Override
    public String id() {
        return "A8";
    }

    @Override
    public Source source() {
        return KindsOfBuffer.SOURCE;
    }

    @Override
    public String statement() {
        return "One direct buffer that is kept for all I/O of a channel beats a buffer for each I/O.";
    }

    @Override
    public String then() {
        return "not measured";
    }

    @Override
    public List<Trial> trials() {
        List<Trial> trials = new ArrayList<>();
        for (int size : new int[] {1024, 65536}) {
            trials.add(trial(Strategy.kept, Strategy.allocateDirect, size));
            trials.add(trial(Strategy.channelBuffers, Strategy.allocateDirect, size));
            trials.add(trial(Strategy.channelBuffers, Strategy.acquire, size));
        }
        return trials;
    }

    private static Trial trial(Strategy kept, Strategy each, int size) {
        return Trial.better(
                kept + " against " + each + ", " + size,
                KeepLane.point(kept, size),
                KeepLane.point(each, size),
                Figure.TIME);
    }
}

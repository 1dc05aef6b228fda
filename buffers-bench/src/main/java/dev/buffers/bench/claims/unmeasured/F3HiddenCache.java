package dev.buffers.bench.claims.unmeasured;

import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.claims.Point;
import dev.buffers.bench.claims.kinds.BufferKind;
import java.util.ArrayList;
import java.util.List;

/** F3: direct memory behind heap buffers. */
final class F3HiddenCache implements Claim {
    /** Twice, but for a little. */
    private static final double TWICE = 1.9;

    @Override
    public String id() {
        return "F3";
    }

    @Override
    public Source source() {
        return NobodyMeasured.SOURCE;
    }

    @Override
    public String statement() {
        return "A thread that has written a heap buffer to a channel holds twice its memory, unless "
                + "-Djdk.nio.maxCachedBufferSize is less.";
    }

    @Override
    public String then() {
        return "not measured";
    }

    @Override
    public String since() {
        return "A thread keeps such buffers in 17, a carrier in 25, where they no longer count as direct memory (JDK-8344882).";
    }

    @Override
    public List<Trial> trials() {
        List<Trial> trials = new ArrayList<>();
        for (int size : new int[] {8192, 65536, 1 << 20}) {
            trials.add(Trial.better(
                    size + ": direct against heap",
                    HiddenCache.point(BufferKind.direct, size, HiddenCache.UNLIMITED),
                    heap(size, HiddenCache.UNLIMITED),
                    HiddenCache.HELD,
                    TWICE));
        }
        int large = 1 << 20;
        trials.add(Trial.better(
                large + ": limited against not",
                heap(large, HiddenCache.LIMITED),
                heap(large, HiddenCache.UNLIMITED),
                HiddenCache.HELD,
                TWICE));
        return trials;
    }

    private static Point heap(int size, String limit) {
        return HiddenCache.point(BufferKind.heap, size, limit);
    }
}

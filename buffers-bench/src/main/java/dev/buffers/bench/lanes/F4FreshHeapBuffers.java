package dev.buffers.bench.lanes;

import dev.buffers.bench.claims.Figure;
import dev.buffers.bench.claims.Point;
import dev.buffers.bench.lanes.contenders.Contenders;
import java.util.ArrayList;
import java.util.List;

/** F4: where a pool should lose. */
final class F4FreshHeapBuffers extends AgainstRivals {
    /** What the pool is asked for. */
    static final List<Integer> SIZES = List.of(64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384);

    @Override
    public String id() {
        return "F4";
    }

    @Override
    public String statement() {
        return "A new heap buffer of up to 16 KiB is cheaper than one from a pool.";
    }

    @Override
    public String since() {
        return "Allocation from the thread's own buffer (TLAB) costs a pointer bump and the zeroing, which grows with the size.";
    }

    @Override
    public List<Trial> trials() {
        List<Trial> trials = new ArrayList<>();
        for (Contenders policy : List.of(Contenders.buffersHeap, Contenders.buffersHeapView)) {
            for (int size : SIZES) {
                trials.add(Trial.better(
                        size + " B against " + policy,
                        point(Contenders.allocateHeap, size),
                        point(policy, size),
                        Figure.TIME));
            }
        }
        return trials;
    }

    private static Point point(Contenders contender, int size) {
        return Point.of(Rivals.TLAB, MemoryLane.CONTENDER, contender, "size", size);
    }
}

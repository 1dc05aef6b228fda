package dev.buffers.bench.claims.kinds;

import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.claims.Figure;
import dev.buffers.bench.claims.Point;
import java.util.ArrayList;
import java.util.List;

/** A4: the price of direct memory. */
final class A4AllocatingDirect implements Claim {

    @Override
    public String id() {
        return "A4";
    }

    @Override
    public Source source() {
        return KindsOfBuffer.SOURCE;
    }

    @Override
    public String statement() {
        return "Allocating and freeing a direct buffer is dearer than a heap buffer.";
    }

    @Override
    public String then() {
        return "direct was dearer; no figures are known to us";
    }

    @Override
    public String since() {
        return "Still a counter, malloc, zeroing and a Cleaner for each direct buffer; at the limit the JVM calls the collector "
                + "and waits.";
    }

    @Override
    public List<Trial> trials() {
        List<Trial> trials = new ArrayList<>();
        for (int size : new int[] {64, 4096, 65536}) {
            Point heap = AllocateLane.point(AllocateLane.Source.heap, size);
            trials.add(Trial.better(
                    size + ", left to the collector",
                    heap,
                    AllocateLane.point(AllocateLane.Source.direct, size),
                    Figure.TIME));
            trials.add(Trial.better(
                    size + ", freed at once",
                    heap,
                    AllocateLane.point(AllocateLane.Source.directFreed, size),
                    Figure.TIME));
        }
        return trials;
    }
}

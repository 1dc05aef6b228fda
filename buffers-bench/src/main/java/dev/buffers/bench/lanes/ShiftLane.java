package dev.buffers.bench.lanes;

import dev.buffers.bench.claims.Depth;
import dev.buffers.bench.claims.Figure;
import dev.buffers.bench.lanes.contenders.Contender;
import dev.buffers.bench.lanes.contenders.Contenders;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Does memory move between sizes? 64 MiB of 4 KiB buffers are taken and given back, then the same 64 MiB in buffers of 32 KiB: by how much
 * has what the contender keeps grown? A queue or a pool of one size has no answer; Undertow's is left out for that.
 */
final class ShiftLane extends MemoryLane {
    /** More than before the change. */
    private static final Figure KEPT_MORE = new Figure(KEPT.name(), "B more", false);

    private static final int SMALL = 4 << 10;
    private static final int LARGE = 32 << 10;
    private static final int TOTAL = 64 << 20;
    /** What the design allows it to grow by: a quarter. */
    static final double BAR = 0.25 * TOTAL;

    ShiftLane() {
        super("memory-shift", "Does memory move between sizes?", 1.5, KEPT_MORE);
        from(Depth.FULL, Contenders.buffers, Contenders.nettyAdaptiveBest);
        from(Depth.ALL, Contenders.jetty, Contenders.nettyAdaptive, Contenders.nettyPooledBest, Contenders.jettyBest);
    }

    @Override
    Map<String, Double> run(String name, boolean little) throws InterruptedException {
        Contenders contender = Contenders.valueOf(name);
        int total = little ? 1 << 20 : TOTAL;
        Contender source = contender.make(LARGE);
        long[] kept = new long[2];
        Thread thread = contender.thread(() -> {
            fill(source, total, SMALL);
            kept[0] = source.keptBytes();
            fill(source, total, LARGE);
            kept[1] = source.keptBytes();
        });
        thread.start();
        thread.join();
        source.checkQuiet();
        source.close();
        if (kept[1] == 0) {
            throw new IllegalStateException("nothing was done: " + name);
        }
        return Map.of(KEPT.name(), (double) Math.max(1, kept[1] - kept[0]));
    }

    private static void fill(Contender source, int total, int size) {
        List<Object> leases = new ArrayList<>();
        for (int taken = 0; taken < total; taken += size) {
            Object lease = source.acquire(size);
            source.put(lease, size - 1, (byte) 1);
            leases.add(lease);
        }
        leases.forEach(source::release);
    }
}

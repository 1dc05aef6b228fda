package dev.buffers.bench.lanes;

import dev.buffers.bench.claims.Depth;
import dev.buffers.bench.claims.Figure;
import dev.buffers.bench.claims.Point;
import dev.buffers.bench.jvm.Footprint;
import dev.buffers.bench.lanes.contenders.Contender;
import dev.buffers.bench.lanes.contenders.Contenders;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Is the pool at home with virtual threads? 200,000 of them, at most 64 alive at once, each acquire 16 KiB, touch it, yield, check,
 * release: the time for all of them the second time, and what is kept when they have ended.
 */
final class VirtualThreadsLane extends MemoryLane {
    static final Figure TIME = new Figure("time", "ms", false);

    private static final int FIRST_JAVA = 21;
    private static final int THREADS = 200_000;
    private static final int LIVE = 64;
    private static final int SIZE = 16 << 10;
    /** What the design allows to be kept: 8 MiB. */
    static final double BAR = 8 << 20;

    VirtualThreadsLane() {
        super("lane-virtual", "Is the pool at home with virtual threads?", 2.5, TIME, KEPT, COLLECTED, RESIDENT);
        from(Depth.FULL, Contenders.buffers, Contenders.queue, Contenders.nettyAdaptiveBest, Contenders.grizzlyPooled);
        from(
                Depth.ALL,
                Contenders.buffersRecycled,
                Contenders.allocateDirect,
                Contenders.nettyAdaptive,
                Contenders.nettyPooledBest,
                Contenders.jetty,
                Contenders.jettyBest,
                Contenders.undertow);
    }

    @Override
    public Optional<String> notMeasurable(Point point) {
        return Runtime.version().feature() < FIRST_JAVA
                ? Optional.of("virtual threads need Java " + FIRST_JAVA + " or later")
                : super.notMeasurable(point);
    }

    @Override
    Map<String, Double> run(String name, boolean little) throws IOException, InterruptedException {
        int count = little ? 200 : THREADS;
        Contender source = Contenders.valueOf(name).make(SIZE);
        Footprint before = Footprint.collected();
        pass(source, count);
        double millis = pass(source, count);
        double kept = Math.max(1, source.keptBytes());
        Footprint after = Footprint.collected();
        source.checkQuiet();
        source.close();
        return Map.of(
                TIME.name(),
                millis,
                KEPT.name(),
                kept,
                COLLECTED.name(),
                after.growth(before),
                RESIDENT.name(),
                after.residentGrowth(before));
    }

    /** All of them, once. */
    @SuppressWarnings("ThreadPriorityCheck") // yielding unmounts the thread, which is the point
    private static double pass(Contender source, int count) throws InterruptedException {
        Semaphore alive = new Semaphore(LIVE);
        LongAdder right = new LongAdder();
        long begun = System.nanoTime();
        ExecutorService threads = executor();
        for (int i = 0; i < count; i++) {
            byte mark = (byte) i;
            alive.acquire();
            threads.execute(() -> {
                Object lease = source.acquire(SIZE);
                source.put(lease, 0, mark);
                Thread.yield();
                if (source.get(lease, 0) == mark) {
                    right.increment();
                }
                source.release(lease);
                alive.release();
            });
        }
        threads.shutdown();
        if (!threads.awaitTermination(1, TimeUnit.MINUTES) || right.sum() != count) {
            throw new IllegalStateException("not every thread found what it wrote: right=" + right + " of " + count);
        }
        return (System.nanoTime() - begun) / 1e6;
    }

    /** Java 17, which this is compiled for, does not know it. */
    private static ExecutorService executor() {
        try {
            return (ExecutorService)
                    Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException("no virtual threads in Java " + Runtime.version(), e);
        }
    }
}

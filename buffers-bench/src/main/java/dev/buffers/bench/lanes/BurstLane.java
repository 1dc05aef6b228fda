package dev.buffers.bench.lanes;

import dev.buffers.bench.claims.Depth;
import dev.buffers.bench.jvm.Footprint;
import dev.buffers.bench.lanes.contenders.Contender;
import dev.buffers.bench.lanes.contenders.Contenders;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What does a burst leave behind? 64 threads have 312 MiB out together, in buffers of 16 KiB with every page written, check and release
 * them, and stay alive doing nothing for 15 seconds.
 */
final class BurstLane extends MemoryLane {
    private static final int SIZE = 16 << 10;
    private static final int PAGE = 4 << 10;
    private static final int THREADS = 64;
    private static final int EACH = 312;
    private static final long IDLE_MILLIS = 15_000;

    /** What the design allows to be kept: 5 % of the peak. */
    static final double BAR = 0.05 * THREADS * EACH * SIZE;

    BurstLane() {
        super("memory-burst", "What does a burst of 312 MiB leave behind?", 16.7, KEPT, COLLECTED, RESIDENT);
        from(Depth.FULL, Contenders.buffers, Contenders.nettyAdaptiveBest, Contenders.jetty);
        from(
                Depth.ALL,
                Contenders.queue,
                Contenders.nettyPooledBest,
                Contenders.jettyBest,
                Contenders.undertow,
                Contenders.grizzlyHeap,
                Contenders.grizzlyPooled);
    }

    @Override
    Map<String, Double> run(String name, boolean little) throws IOException, InterruptedException {
        Contenders contender = Contenders.valueOf(name);
        int count = little ? 4 : THREADS;
        int each = little ? 8 : EACH;
        CountDownLatch begin = new CountDownLatch(1);
        CountDownLatch holding = new CountDownLatch(count);
        CountDownLatch released = new CountDownLatch(count);
        CountDownLatch end = new CountDownLatch(1);
        AtomicInteger wrong = new AtomicInteger();
        Contender source = contender.make(SIZE);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int mark = i;
            threads.add(contender.thread(() -> {
                try {
                    begin.await();
                    List<Object> leases = take(source, each, mark);
                    holding.countDown();
                    holding.await();
                    wrong.addAndGet(giveBack(source, leases, mark));
                    released.countDown();
                    end.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }));
        }
        threads.forEach(thread -> thread.setDaemon(true));
        threads.forEach(Thread::start);
        Footprint before = Footprint.collected();
        begin.countDown();
        released.await();
        Thread.sleep(little ? 1 : IDLE_MILLIS);
        double kept = Math.max(1, source.keptBytes());
        Footprint after = Footprint.collected();
        end.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        source.checkQuiet();
        source.close();
        if (wrong.get() != 0) {
            throw new IllegalStateException("memory was given to two at once: buffers=" + wrong);
        }
        return Map.of(
                KEPT.name(), kept,
                COLLECTED.name(), after.growth(before),
                RESIDENT.name(), after.residentGrowth(before));
    }

    private static List<Object> take(Contender source, int count, int mark) {
        List<Object> leases = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            Object lease = source.acquire(SIZE);
            for (int at = 0; at < SIZE; at += PAGE) {
                source.put(lease, at, (byte) mark);
            }
            leases.add(lease);
        }
        return leases;
    }

    /** Releases all, and says how many did not hold what was written. */
    private static int giveBack(Contender source, List<Object> leases, int mark) {
        int wrong = 0;
        for (Object lease : leases) {
            if (source.get(lease, SIZE - PAGE) != (byte) mark) {
                wrong++;
            }
            source.release(lease);
        }
        return wrong;
    }
}

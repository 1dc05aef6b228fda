package dev.buffers.bench.lanes;

import java.lang.reflect.Method;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Is the pool at home with virtual threads? 200,000 of them, at most 64 alive at once, each acquire 16 KiB, touch it, yield,
 * release: the time for all, and the MiB that the contender keeps afterwards. Java 21 and later; says so otherwise.
 *
 * <p>{@code java -jar buffers-bench/target/buffers-bench.jar jmh VirtualThreadsLane}
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3)
@Measurement(iterations = 3)
@Fork(5)
@State(Scope.Benchmark)
public class VirtualThreadsLane {
    private static final int THREADS = 200_000;
    private static final int LIVE = 64;
    private static final int SIZE = 16 << 10;

    @SuppressWarnings("NullAway.Init") // JMH sets it
    private Method executor;

    /** What is kept when all have ended. */
    @AuxCounters(AuxCounters.Type.EVENTS)
    @State(Scope.Thread)
    public static class Kept {
        /** MiB by the contender's own count; -1 when it has none. */
        public long keptMiB;
    }

    /** Finds the executor, which this code's Java 17 does not know. */
    @Setup(Level.Trial)
    public void find() {
        try {
            executor = Executors.class.getMethod("newVirtualThreadPerTaskExecutor");
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException("not measurable here: virtual threads need Java 21 or later", e);
        }
    }

    /** All of them, once. */
    @Benchmark
    @SuppressWarnings("ThreadPriorityCheck") // yielding unmounts the thread, which is the point
    public long virtualThreads(Lane lane, Kept kept) throws ReflectiveOperationException, InterruptedException {
        Contender source = lane.source;
        Semaphore alive = new Semaphore(LIVE);
        LongAdder done = new LongAdder();
        ExecutorService threads = (ExecutorService) executor.invoke(null);
        for (int i = 0; i < THREADS; i++) {
            alive.acquire();
            threads.execute(() -> {
                Object lease = source.acquire(SIZE);
                source.buffer(lease).put(0, (byte) 1);
                Thread.yield();
                source.release(lease);
                done.increment();
                alive.release();
            });
        }
        threads.shutdown();
        if (!threads.awaitTermination(1, TimeUnit.MINUTES) || done.sum() != THREADS) {
            throw new IllegalStateException("not all threads ended: done=" + done.sum());
        }
        long bytes = source.keptBytes();
        kept.keptMiB = bytes < 0 ? -1 : bytes >> 20;
        return done.sum();
    }
}

package dev.buffers.bench.lanes;

import dev.buffers.BufferPool;
import dev.buffers.bench.claims.Depth;
import dev.buffers.bench.claims.Figure;
import dev.buffers.bench.claims.JmhExperiment;
import dev.buffers.bench.claims.Point;
import dev.buffers.micrometer.BufferPoolMetrics;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does a scrape cost whoever scrapes? The pool's figures alone, and all its meters as the text that a Prometheus server is sent, of a
 * pool that one thread or many have used in sizes from 64 bytes to 16 KiB.
 *
 * <p>{@code java -jar buffers-bench/target/buffers-bench.jar jmh ScrapeLane -prof gc}
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(5)
@State(Scope.Benchmark)
public class ScrapeLane {
    private static final String ID = "scrape-cost";
    private static final Figure TIME = new Figure("time", "us", false);
    private static final Figure TEXT = new Figure("text", "B", false);

    /** What is read. */
    public enum Part {
        stats,
        scrape
    }

    /** Which. */
    @Param
    @SuppressWarnings("NullAway.Init") // JMH sets it
    public Part part;

    /** How many have used the pool; they live on. */
    @Param({"1", "64"})
    public int users;

    private final MockClock clock = new MockClock();
    private final PrometheusMeterRegistry registry =
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT, new PrometheusRegistry(), clock);
    private final CountDownLatch end = new CountDownLatch(1);

    @SuppressWarnings("NullAway.Init") // open() sets it
    private BufferPool pool;

    /** No claim rests on it. */
    static JmhExperiment experiment() {
        return JmhExperiment.of(ID, ScrapeLane.class, "read")
                .question("What does one scrape cost whoever scrapes?")
                .axes("users", "part")
                .primary(TIME)
                .secondary(TEXT, "bytes")
                .points(
                        Depth.ALL,
                        Point.Grid.of(ID)
                                .with("part", (Object[]) Part.values())
                                .with("users", 1, 64)
                                .points())
                .build();
    }

    /** The length of the text, as JMH's secondary result. */
    @AuxCounters(AuxCounters.Type.EVENTS)
    @State(Scope.Thread)
    public static class Text {
        /** Of the last scrape. */
        public long bytes;
    }

    /** Has the pool used, and its meters registered for every size. */
    @Setup(Level.Trial)
    public void open() throws InterruptedException {
        pool = BufferPool.create("lanes");
        CountDownLatch used = new CountDownLatch(users);
        for (int i = 0; i < users; i++) {
            Thread user = new Thread(() -> {
                use();
                used.countDown();
                awaitEnd();
            });
            user.setDaemon(true);
            user.start();
        }
        used.await();
        BufferPoolMetrics.monitor(registry, pool);
        scrape();
    }

    private void use() {
        Sizes sizes = new Sizes(4);
        for (int i = 0; i < 4096; i++) {
            pool.acquire(sizes.next()).release();
        }
    }

    private void awaitEnd() {
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Lets the users go. */
    @TearDown(Level.Trial)
    public void close() {
        end.countDown();
        pool.close();
    }

    /** One look. */
    @Benchmark
    public long read(Text text) {
        if (part == Part.stats) {
            return pool.stats().reservedBytes();
        }
        text.bytes = scrape();
        return text.bytes;
    }

    /** Meters read within a while show one reading; the next scrape is later than that. */
    private int scrape() {
        clock.add(1, TimeUnit.SECONDS);
        int length = registry.scrape().length();
        if (length == 0) {
            throw new IllegalStateException("the scrape is empty");
        }
        return length;
    }
}

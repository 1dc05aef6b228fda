package dev.buffers.bench.frameworks;

import dev.buffers.BufferPool;
import dev.buffers.PoolStats;
import dev.buffers.bench.claims.Depth;
import dev.buffers.bench.claims.Experiment;
import dev.buffers.bench.claims.Figure;
import dev.buffers.bench.claims.Point;
import dev.buffers.bench.load.Documents;
import dev.buffers.bench.load.LoadGenerator;
import dev.buffers.bench.load.LoadPlan;
import dev.buffers.bench.load.LoadResult;
import dev.buffers.bench.load.SampleFiles;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;

/**
 * A framework's server in a JVM of its own, on its own pool and on this one, driven from this JVM: run warm, then in a closed loop for
 * throughput, then in an open loop for latency. Every answer is checked by its length and checksum; of our pool nothing may be out at the
 * end, and nothing lost but what Grizzly drops.
 */
final class FrameworkServer implements Experiment {
    static final String ID = "framework-server";
    static final String FRAMEWORK = "framework";
    static final String POOL = "pool";
    static final String WORK = "work";

    /** The framework's own pool, as it is shipped. */
    static final String OWN = "own";

    static final String OURS = "buffers";

    static final Figure RATE = new Figure("rate", "requests/s", true);
    static final Figure P99 = new Figure("p99", "us to the answer at 99 %", false);
    static final Figure ALLOCATED = new Figure("allocated", "B/request", false);
    private static final Figure CPU = new Figure("cpu", "server CPU us/request", false);

    private static final int CONNECTIONS = 64;
    private static final double START_SECONDS = 1.5;
    private static final double WARM_UP_SECONDS = 2;
    private static final double CLOSED_SECONDS = 1.5;
    private static final double OPEN_SECONDS = 1;

    /** Far below what any of the servers can do, and the same for all. */
    private static final double OPEN_RATE = 1000;

    /** What virtual threads have to answer. */
    private static final int MANY_REQUESTS = 100_000;

    /** About what two cores do, client included. */
    private static final double MANY_SECONDS = 12;

    /** Undertow's own pool leaves a buffer with every virtual thread that has ended, and does not survive the child's usual 256 MiB. */
    private static final List<String> ROOM_FOR_VIRTUAL = List.of("-XX:MaxDirectMemorySize=2g");

    private static final Duration LIMIT = Duration.ofSeconds(90);
    private static final int SMOKE_RESPONSES = 300;
    private static final long REST_SECONDS = 30;
    private static final long LOOK_MILLIS = 10;

    static Point point(Framework framework, String pool, Work work) {
        return Point.of(ID, FRAMEWORK, framework, POOL, pool, WORK, work);
    }

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String question() {
        return "What does a framework's server do on its own pool, and what on this one?";
    }

    @Override
    public List<Figure> figures() {
        return List.of(RATE, P99, ALLOCATED, CPU);
    }

    @Override
    public Axes axes() {
        return new Axes(FRAMEWORK, POOL, WORK);
    }

    @Override
    public Set<Point> points(Depth depth) {
        Set<Point> points = new LinkedHashSet<>();
        for (Framework framework : Framework.values()) {
            for (Work work : Work.values()) {
                boolean first = framework == Framework.UNDERTOW && work == Work.STREAMS;
                if (depth == Depth.ALL || first && depth == Depth.FULL) {
                    points.add(point(framework, OWN, work));
                    points.add(point(framework, OURS, work));
                }
            }
        }
        return points;
    }

    @Override
    public double seconds(Point point) {
        double closed = work(point) == Work.VIRTUAL ? MANY_SECONDS : CLOSED_SECONDS;
        return START_SECONDS + WARM_UP_SECONDS + closed + OPEN_SECONDS;
    }

    @Override
    public Optional<String> notMeasurable(Point point) {
        return work(point).obstacle();
    }

    @Override
    public Map<String, Double> measure(Point point) throws IOException, InterruptedException {
        try (SampleFiles files = SampleFiles.create();
                FrameworkProcess server =
                        FrameworkProcess.start(point, work(point), files.folder(), jvm(work(point)))) {
            LoadGenerator generator = new LoadGenerator(Documents.of(files.folder()));
            generator.run(LoadPlan.closed(CONNECTIONS, seconds(WARM_UP_SECONDS)), server.port());
            LoadPlan plan = work(point) == Work.VIRTUAL
                    ? LoadPlan.closed(CONNECTIONS, LIMIT).withMaxResponses(MANY_REQUESTS)
                    : LoadPlan.closed(CONNECTIONS, seconds(CLOSED_SECONDS));
            FrameworkNumbers before = server.numbers();
            LoadResult closed = generator.run(plan.withSeed(2), server.port());
            FrameworkNumbers after = server.numbers();
            LoadResult open =
                    generator.run(LoadPlan.open(CONNECTIONS, seconds(OPEN_SECONDS), OPEN_RATE), server.port());
            server.checkRest();
            double responses = closed.responses();
            return Map.of(
                    RATE.name(),
                    closed.rate(),
                    P99.name(),
                    open.latencyMicros(99),
                    ALLOCATED.name(),
                    (after.allocatedBytes() - before.allocatedBytes()) / responses,
                    CPU.name(),
                    (after.cpuNanos() - before.cpuNanos()) / 1e3 / responses);
        }
    }

    /** A server that was stopped has nothing of ours; until then Jetty keeps files in buffers of its pool. */
    @Override
    public void smoke(Point point) throws IOException, InterruptedException {
        Framework framework = Framework.named(point.get(FRAMEWORK));
        List<BufferPool> pools;
        try (SampleFiles files = SampleFiles.create();
                Embedded server = framework.start(
                        new Contents(files.folder()),
                        work(point),
                        point.get(POOL).equals(OURS))) {
            pools = server.pools();
            LoadGenerator generator = new LoadGenerator(Documents.of(files.folder()));
            generator.run(LoadPlan.closed(8, LIMIT).withMaxResponses(SMOKE_RESPONSES), server.port());
        }
        long patience = System.nanoTime() + TimeUnit.SECONDS.toNanos(REST_SECONDS);
        while (sum(pools, PoolStats::leases) > 0 && System.nanoTime() - patience < 0) {
            System.gc(); // what was lost is found by the collector
            Thread.sleep(LOOK_MILLIS);
        }
        try {
            // what Jetty has in its cache of files when it stops, it drops
            check(point, sum(pools, PoolStats::leases), work(point) == Work.FILES ? 0 : sum(pools, PoolStats::leaks));
        } catch (IOException e) {
            pools.forEach(pool ->
                    pool.openLeases().forEach(lease -> e.addSuppressed(new IOException("still out: " + lease))));
            throw e;
        }
    }

    private static long sum(List<BufferPool> pools, ToLongFunction<PoolStats> figure) {
        return pools.stream()
                .distinct()
                .map(BufferPool::stats)
                .mapToLong(figure)
                .sum();
    }

    /** That nothing of ours is out, and nothing was lost but what the framework drops. */
    static void check(Point point, long leases, long leaks) throws IOException {
        boolean lost = leaks > 0 && Framework.named(point.get(FRAMEWORK)).losesNothing();
        if (leases > 0 || lost) {
            throw new IOException(point + ": not given back: leases=" + leases + ", lost=" + leaks);
        }
    }

    private static List<String> jvm(Work work) {
        return work == Work.VIRTUAL ? ROOM_FOR_VIRTUAL : List.of();
    }

    private static Duration seconds(double seconds) {
        return Duration.ofMillis(Math.round(seconds * 1000));
    }

    private static Work work(Point point) {
        return Work.named(point.get(WORK));
    }
}

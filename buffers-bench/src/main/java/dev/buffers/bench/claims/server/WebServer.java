package dev.buffers.bench.claims.server;

import dev.buffers.bench.claims.Depth;
import dev.buffers.bench.claims.Experiment;
import dev.buffers.bench.claims.Figure;
import dev.buffers.bench.claims.Point;
import dev.buffers.bench.figures.Median;
import dev.buffers.bench.http.BufferSource;
import dev.buffers.bench.http.Server;
import dev.buffers.bench.http.ServerNumbers;
import dev.buffers.bench.http.ServerOptions;
import dev.buffers.bench.http.ServerProcess;
import dev.buffers.bench.load.Documents;
import dev.buffers.bench.load.LoadGenerator;
import dev.buffers.bench.load.LoadPlan;
import dev.buffers.bench.load.LoadResult;
import dev.buffers.bench.load.SampleFiles;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * The web server of this bench in a JVM of its own, over each kind of buffer, driven from this one. A fork is a server started
 * anew: it is run warm, then driven in a closed loop for throughput, then in an open loop for latency. Every answer is checked by
 * its length and checksum, and at the end the server must hold no buffer.
 */
final class WebServer implements Experiment {
    static final String ID = "web-server";
    static final String BUFFERS = "buffers";
    static final String CONNECTIONS = "connections";

    static final Figure RATE = new Figure("rate", "requests/s", true);
    static final Figure CPU = new Figure("cpu", "server CPU us/request", false);
    private static final Figure P50 = new Figure("p50", "us to the answer at 50 %", false);
    private static final Figure P99 = new Figure("p99", "us to the answer at 99 %", false);
    private static final Figure ALLOCATED = new Figure("allocated", "B/request", false);

    /** Far below what any of the servers can do, and the same for all. */
    private static final double OPEN_RATE = 2000;

    private static final double OPEN_SECONDS = 0.6;
    private static final double START_SECONDS = 1.0;

    /** With connections that stay, which make the server warm soonest; one run in the point's own shape is thrown away too. */
    private static final double WARM_UP_SECONDS = 0.9;

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int SMOKE_RESPONSES = 700;

    /** What the source measured, in transactions a second, its views cut as {@link ServerKind#BUMP_HEAP} cuts them. */
    private static final Map<ServerKind, Double> THEN = Map.of(
            ServerKind.DIRECT,
            2241.0,
            ServerKind.HEAP,
            2269.0,
            ServerKind.DIRECT_VIEW,
            2304.0,
            ServerKind.HEAP_VIEW,
            2484.0);

    static Point point(ServerKind kind, Shape shape) {
        return Point.of(ID, BUFFERS, kind, CONNECTIONS, shape);
    }

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String question() {
        return "Which buffers serve a web server best, over 600 connections of 1.7 requests each and over 64 that stay?";
    }

    @Override
    public List<Figure> figures() {
        return List.of(RATE, CPU, P50, P99, ALLOCATED);
    }

    @Override
    public Axes axes() {
        return new Axes(BUFFERS, CONNECTIONS);
    }

    @Override
    public Set<Point> points(Depth depth) {
        Set<Point> points = new LinkedHashSet<>();
        THEN.keySet().stream().sorted().forEach(kind -> points.add(point(kind, Shape.LONG_LIVED)));
        if (depth != Depth.QUICK) {
            for (ServerKind kind : ServerKind.values()) {
                points.add(point(kind, Shape.LONG_LIVED));
                if (kind != ServerKind.VIRTUAL_DIRECT_VIEW || depth == Depth.ALL) {
                    points.add(point(kind, Shape.SHORT_LIVED));
                }
            }
        }
        return points;
    }

    @Override
    public double seconds(Point point) {
        Shape shape = shape(point);
        return START_SECONDS + WARM_UP_SECONDS + shape.measuredSeconds() + OPEN_SECONDS;
    }

    @Override
    public Optional<String> notMeasurable(Point point) {
        return kind(point).obstacle();
    }

    @Override
    public Map<Point, Double> then() {
        return THEN.entrySet().stream()
                .collect(Collectors.toMap(then -> point(then.getKey(), Shape.SHORT_LIVED), Map.Entry::getValue));
    }

    @Override
    public Map<String, Double> measure(Point point) throws IOException, InterruptedException {
        ServerKind kind = kind(point);
        Shape shape = shape(point);
        try (SampleFiles files = SampleFiles.create();
                ServerProcess server =
                        ServerProcess.start(point.toString(), kind.jvmArguments(), files.folder(), kind.options())) {
            server.endAfter(LIMIT);
            LoadGenerator generator = new LoadGenerator(Documents.of(files.folder()));
            runs(generator, Shape.LONG_LIVED, WARM_UP_SECONDS, server.port());
            generator.run(shape.run(), server.port());
            ServerNumbers before = server.numbersAtRest();
            List<LoadResult> closed = runs(generator, shape, shape.measuredSeconds(), server.port());
            ServerNumbers after = server.numbersAtRest();
            Duration openTime = Duration.ofMillis(Math.round(OPEN_SECONDS * 1000));
            LoadResult open = generator.run(LoadPlan.open(shape.connections(), openTime, OPEN_RATE), server.port());
            server.numbersAtRest();
            double responses = closed.stream().mapToLong(LoadResult::responses).sum();
            return Map.of(
                    RATE.name(),
                    Median.of(closed.stream().mapToDouble(LoadResult::rate).toArray()),
                    CPU.name(),
                    (after.cpuNanos() - before.cpuNanos()) / 1e3 / responses,
                    P50.name(),
                    open.latencyMicros(50),
                    P99.name(),
                    open.latencyMicros(99),
                    ALLOCATED.name(),
                    (after.allocatedBytes() - before.allocatedBytes()) / responses);
        }
    }

    /** Begins one run after another for some time. */
    private static List<LoadResult> runs(LoadGenerator generator, Shape shape, double seconds, int port)
            throws IOException, InterruptedException {
        long end = System.nanoTime() + Math.round(seconds * 1e9);
        List<LoadResult> results = new ArrayList<>();
        while (results.isEmpty() || System.nanoTime() - end < 0 && results.size() < shape.maxRuns()) {
            results.add(generator.run(shape.run().withSeed(results.size()), port));
        }
        return results;
    }

    @Override
    public void smoke(Point point) throws IOException, InterruptedException {
        ServerKind kind = kind(point);
        try (SampleFiles files = SampleFiles.create();
                BufferSource buffers = kind.buffers();
                Server server = kind.start(ServerOptions.of(files.folder()), buffers)) {
            LoadPlan plan = shape(point).run().withMaxResponses(SMOKE_RESPONSES);
            new LoadGenerator(Documents.of(files.folder())).run(plan, server.port());
            long patience = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
            while ((server.connections() > 0 || buffers.figures().leased() > 0) && System.nanoTime() - patience < 0) {
                Thread.sleep(1);
            }
            if (server.connections() > 0 || buffers.figures().leased() > 0 || server.failures() > 0) {
                throw new IOException(point + ": not given back, or failed: connections=" + server.connections()
                        + ", leased bytes=" + buffers.figures().leased() + ", failures=" + server.failures());
            }
        }
    }

    private static ServerKind kind(Point point) {
        return ServerKind.named(point.get(BUFFERS));
    }

    private static Shape shape(Point point) {
        return Shape.of(point.get(CONNECTIONS));
    }
}

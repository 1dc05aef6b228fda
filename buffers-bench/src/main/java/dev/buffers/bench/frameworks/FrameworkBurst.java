package dev.buffers.bench.frameworks;

import dev.buffers.bench.claims.Depth;
import dev.buffers.bench.claims.Experiment;
import dev.buffers.bench.claims.Figure;
import dev.buffers.bench.claims.Point;
import dev.buffers.bench.jvm.Footprint;
import dev.buffers.bench.load.Documents;
import dev.buffers.bench.load.LoadGenerator;
import dev.buffers.bench.load.LoadPlan;
import dev.buffers.bench.load.SampleFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a framework's JVM keeps of a burst: 600 connections at once ask a user's code for answers of up to 1 MiB, close, and nobody asks for
 * anything for 15 seconds, which is longer than the pool's {@code trim-after}. Counted after one collection, against what was there before.
 */
final class FrameworkBurst implements Experiment {
    private static final String ID = "framework-burst";

    /** By how much the heap in use and the JVM's count of direct memory have grown. */
    static final Figure KEPT = new Figure("kept", "B", false);

    /** By how much the resident set has grown. */
    static final Figure RESIDENT = new Figure("resident", "B", false);

    private static final int CONNECTIONS = 600;
    private static final Duration BURST = Duration.ofSeconds(3);
    private static final Duration QUIET = Duration.ofSeconds(15);
    private static final int FIRST_REQUESTS = 200;

    /** The heap is resident from the start, so that only what is outside it makes a difference to the resident set. */
    private static final List<String> JVM = List.of("-XX:+AlwaysPreTouch");

    static Point point(Framework framework, String pool) {
        return Point.of(ID, FrameworkServer.FRAMEWORK, framework, FrameworkServer.POOL, pool);
    }

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String question() {
        return "What does a framework keep of a burst of 600 connections?";
    }

    @Override
    public List<Figure> figures() {
        return List.of(KEPT, RESIDENT);
    }

    @Override
    public Axes axes() {
        return new Axes(FrameworkServer.FRAMEWORK, FrameworkServer.POOL);
    }

    @Override
    public int mostForks() {
        return 5;
    }

    @Override
    public Set<Point> points(Depth depth) {
        Set<Point> points = new LinkedHashSet<>();
        if (depth == Depth.ALL) {
            for (Framework framework : Framework.values()) {
                points.add(point(framework, FrameworkServer.OWN));
                points.add(point(framework, FrameworkServer.OURS));
            }
        }
        return points;
    }

    @Override
    public double seconds(Point point) {
        return 2 + BURST.toSeconds() + QUIET.toSeconds();
    }

    @Override
    public Optional<String> notMeasurable(Point point) {
        return Files.isReadable(Footprint.STATUS)
                ? Optional.empty()
                : Optional.of("the resident set is read from " + Footprint.STATUS + ", which is Linux's");
    }

    @Override
    public Map<String, Double> measure(Point point) throws IOException, InterruptedException {
        try (SampleFiles files = SampleFiles.create();
                FrameworkProcess server = FrameworkProcess.start(point, Work.STREAMS, files.folder(), JVM)) {
            LoadGenerator generator = new LoadGenerator(Documents.of(files.folder()));
            generator.run(LoadPlan.closed(2, BURST).withMaxResponses(FIRST_REQUESTS), server.port());
            Footprint before = server.collected().footprint();
            generator.run(LoadPlan.closed(CONNECTIONS, BURST), server.port());
            Thread.sleep(QUIET.toMillis());
            Footprint after = server.collected().footprint();
            server.checkRest();
            return Map.of(
                    KEPT.name(), after.growth(before),
                    RESIDENT.name(), after.residentGrowth(before));
        }
    }

    @Override
    public void smoke(Point point) throws IOException, InterruptedException {
        try (SampleFiles files = SampleFiles.create();
                FrameworkProcess server = FrameworkProcess.start(point, Work.STREAMS, files.folder(), JVM)) {
            LoadGenerator generator = new LoadGenerator(Documents.of(files.folder()));
            generator.run(LoadPlan.closed(8, BURST).withMaxResponses(FIRST_REQUESTS), server.port());
            server.checkRest();
        }
    }
}

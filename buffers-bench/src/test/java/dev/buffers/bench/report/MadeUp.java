package dev.buffers.bench.report;

import dev.buffers.bench.claims.Catalogue;
import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.claims.Claim.Trial;
import dev.buffers.bench.claims.Depth;
import dev.buffers.bench.claims.Experiment;
import dev.buffers.bench.claims.Experiment.Axes;
import dev.buffers.bench.claims.Family;
import dev.buffers.bench.claims.Figure;
import dev.buffers.bench.claims.Measured;
import dev.buffers.bench.claims.Point;
import dev.buffers.bench.claims.Point.Grid;
import dev.buffers.bench.claims.Results;
import dev.buffers.bench.figures.Environment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.IntToDoubleFunction;

/** Results as a campaign would give them: a small one in which everything happens once, and one as large as the real one. */
final class MadeUp {
    static final String HOSTILE = "<b>\"heap\" & 'direct'</b> | are `the` *same*";
    static final String NO_VIRTUAL_THREADS = "virtual threads need Java 21 <or later>";

    static final List<Point> FILL = Grid.of("a-fill")
            .with("size", 512, 8192, 65536)
            .with("kind", "array", "heap", "direct")
            .points();
    static final List<Point> NOT_RUN =
            Grid.of("b-transfer").with("size", 8192, 16384).points();
    static final List<Point> VIRTUAL =
            Grid.of("e-virtual").with("kind", "virtual").points();
    static final List<Point> LANES = Grid.of("lane-mixed")
            .with("threads", 1, 2)
            .with("contender", "floor", "buffers", "jetty")
            .points();

    private static final int SEED = 42;

    private MadeUp() {}

    /** Every verdict; the points of {@code a-fill} cost 100 ns times a factor; {@code a-fill 65536 direct} was then 400. */
    static Results small(Depth depth) {
        Measured measured = new Measured();
        for (Point point : FILL) {
            double factor = switch (point.get("kind") + point.get("size")) {
                case "array512", "array8192", "array65536" -> 1;
                case "heap512" -> 2;
                case "direct512" -> 0.5;
                case "heap8192", "direct65536" -> 1.2;
                default -> 1.001;
            };
            // What is made of the same factor twice is within 5 % of itself; direct8192 scatters widely.
            double noise = point.equals(fill(8192, "direct")) ? 0.4 : 0.01;
            fork(measured, point, depth, round -> 100 * factor * (1 + noise * (round % 3 - 1)));
        }
        LANES.stream()
                .filter(point -> !point.get("contender").equals("jetty")
                        || point.get("threads").equals("1"))
                .forEach(point -> fork(measured, point, depth, round -> switch (point.get("contender")) {
                    case "floor" -> 10.0 + round * 0.1;
                    case "buffers" -> 25.0 + round * 0.1;
                    default -> 60.0 + round * 0.1;
                }));
        FakeExperiment fill = FakeExperiment.of("a-fill", new Axes("size", "kind"), FILL)
                .then(Map.of(fill(65536, "direct"), 4000.0))
                .question("What does filling cost, " + HOSTILE + "?");
        FakeExperiment transfer = FakeExperiment.of("b-transfer", new Axes("size", "kind"), NOT_RUN);
        FakeExperiment virtual = FakeExperiment.of("e-virtual", new Axes("size", "kind"), VIRTUAL)
                .obstacle(point -> Optional.of(NO_VIRTUAL_THREADS));
        FakeExperiment lane = FakeExperiment.of("lane-mixed", new Axes("threads", "contender"), LANES);
        List<Claim> claims = List.of(
                claim("H1", HOSTILE, better(512, "array", 512, "heap")),
                claim(
                        "W1",
                        "three times as fast",
                        Trial.better("512", fill(512, "array"), fill(512, "heap"), Figure.TIME, 3)),
                claim("N1", "faster, but is not", better(8192, "array", 65536, "array")),
                claim("R1", "array beats direct", better(512, "array", 512, "direct")),
                claim("I1", "who knows", better(8192, "direct", 8192, "array")),
                claim("D1", "at all sizes", better(512, "array", 512, "heap"), better(512, "array", 512, "direct")),
                claim(
                        "S1",
                        "it makes no difference",
                        Trial.same("8192", fill(8192, "array"), fill(65536, "array"), Figure.TIME)),
                claim("V1", "virtual threads", Trial.better("all", VIRTUAL.get(0), fill(512, "array"), Figure.TIME)),
                claim("T1", "larger is faster", Trial.better("16384", NOT_RUN.get(1), NOT_RUN.get(0), Figure.TIME)));
        List<Point> planned = new ArrayList<>(FILL);
        planned.addAll(NOT_RUN);
        planned.addAll(VIRTUAL);
        planned.addAll(LANES);
        return results(depth, List.of(fill, transfer, virtual, lane), claims, planned, measured);
    }

    static Point fill(int size, String kind) {
        return Point.of("a-fill", "size", size, "kind", kind);
    }

    private static Trial better(int size, String kind, int otherSize, String otherKind) {
        return Trial.better(kind + " to " + otherKind, fill(size, kind), fill(otherSize, otherKind), Figure.TIME);
    }

    private static FakeClaim claim(String id, String statement, Trial... trials) {
        return new FakeClaim(id, statement, "not measured", "all has changed since " + id, List.of(trials));
    }

    private static void fork(Measured measured, Point point, Depth depth, IntToDoubleFunction time) {
        for (int round = 0; round < depth.rounds(); round++) {
            measured.add(point, Map.of("time", time.applyAsDouble(round), "allocated", (double) round));
        }
    }

    /** As many claims, experiments, series and sizes as there may be, with figures and words of likely lengths. */
    static Results large() {
        Random random = new Random(SEED);
        Measured measured = new Measured();
        List<Experiment> experiments = new ArrayList<>();
        List<Claim> claims = new ArrayList<>();
        List<Point> planned = new ArrayList<>();
        Object[] sizes = {512, 1024, 2048, 4096, 8191, 8192, 8193, 16384, 32768, 65536, 131072, 1048576};
        Object[] kinds = {"byte[]", "heap", "direct", "heap-view", "direct-view", "unpooled", "mapped", "varhandle"};
        Object[] targets = {"/dev/null", "file", "socket", "pipe", "loopback"};
        Object[] contenders = {
            "buffers",
            "buffersRecycled",
            "floor",
            "queue",
            "nettyPooled",
            "nettyAdaptive",
            "jetty",
            "undertow",
            "grizzly",
            "allocateDirect",
            "allocateHeap"
        };
        for (int e = 0; e < 25; e++) {
            boolean lane = e >= 20;
            String id = lane
                    ? (e == 24
                            ? "memory-burst"
                            : "lane-"
                                    + List.of("mixed", "window", "handoff", "live")
                                            .get(e - 20))
                    : "abcdef".charAt(e / 4) + "-"
                            + List.of("fill", "write", "copy", "allocate").get(e % 4);
            Grid grid = lane
                    ? Grid.of(id)
                            .with("contender", contenders)
                            .with("threads", e == 21 ? new Object[] {1, 2} : new Object[] {1})
                    : Grid.of(id).with("kind", kinds).with("size", sizes);
            int facets = lane ? 1 : List.of(1, 1, 3, 5).get(e % 4);
            if (facets > 1) {
                grid = grid.with("target", Arrays.copyOf(targets, facets));
            }
            List<Point> points = grid.points();
            boolean wide = e % 2 == 0;
            Map<Point, Double> then = new HashMap<>();
            for (Point point : points) {
                double size = lane ? 1 : Integer.parseInt(point.get("size"));
                double who =
                        Math.abs((lane ? point.get("contender") : point.get("kind")).hashCode() % 100) / 50.0 + 0.5;
                double time = 20 * who * (wide && !lane ? size / 256 : 1 + Math.log(size) / 10);
                if (e == 7 || e == 11 && random.nextInt(4) == 0) {
                    continue;
                }
                for (int round = 0; round < 5; round++) {
                    double noisy = time * Math.exp(random.nextGaussian() * 0.08);
                    measured.add(
                            point,
                            Map.of("time", noisy, "allocated", point.toString().contains("byte") ? size : 0));
                }
                if (e % 5 == 1 && !lane && random.nextInt(10) == 0) {
                    then.put(point, time * 2.2);
                }
            }
            planned.addAll(points);
            Axes axes = lane ? new Axes("threads", "contender") : new Axes("size", "kind", "target");
            FakeExperiment experiment = FakeExperiment.of(id, axes, points)
                    .then(then)
                    .question(
                            "What does it cost to fill and write a buffer of each kind and size, element by element and in bulk?");
            experiments.add(
                    e == 13
                            ? experiment.obstacle(point -> point.get("kind").equals("mapped")
                                    ? Optional.of("needs Java 22 or later")
                                    : Optional.empty())
                            : experiment);
            if (!lane) {
                for (int c = 0; c < (e < 8 ? 2 : 1); c++) {
                    List<Trial> trials = new ArrayList<>();
                    for (int t = 0; t < 1 + e % 6; t++) {
                        Point mine = points.get((t * 7) % points.size());
                        Point other = mine.with("kind", kinds[(c + e + t / 3) % kinds.length]);
                        trials.add(Trial.better(
                                "size " + mine.get("size") + ", " + mine.get("kind") + " to " + other.get("kind"),
                                mine,
                                other,
                                Figure.TIME,
                                e == 3 ? 1.5 : 1.05));
                    }
                    claims.add(new FakeClaim(
                            "ABCDEF".charAt(e / 4) + "" + (e % 4 * 2 + c + 1),
                            "from 2,048 bytes on, filling a byte[], copying it into a direct buffer and writing that beats writing"
                                    + " the byte[] to a stream; at 512 bytes or less the stream wins slightly",
                            e % 3 == 0 ? "not measured" : "8 KiB 1,350; 16 KiB 2,634; 32 KiB 2,721; 64 KiB 2,856 ops/s",
                            e % 4 == 0 ? "JDK-8299336 (21) has raised the buffer of transferTo from 8 to 16 KiB" : "",
                            trials));
                }
            }
        }
        return results(Depth.FULL, experiments, claims, planned, measured);
    }

    private static Results results(
            Depth depth,
            List<? extends Experiment> experiments,
            List<Claim> claims,
            List<Point> planned,
            Measured measured) {
        Family family = new Family() {
            @Override
            public List<Experiment> experiments() {
                return List.copyOf(experiments);
            }

            @Override
            public List<Claim> claims() {
                return claims;
            }
        };
        Environment environment = Environment.here(List.of("-XX:+UseG1GC", "-Xmx1g"));
        return new Results(environment, depth, depth.rounds(), new Catalogue(List.of(family)), planned, measured);
    }
}

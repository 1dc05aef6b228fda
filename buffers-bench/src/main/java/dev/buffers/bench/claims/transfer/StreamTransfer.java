package dev.buffers.bench.claims.transfer;

import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.claims.Depth;
import dev.buffers.bench.claims.Experiment;
import dev.buffers.bench.claims.Family;
import dev.buffers.bench.claims.Figure;
import dev.buffers.bench.claims.JmhExperiment;
import dev.buffers.bench.claims.Point;
import dev.buffers.bench.claims.Point.Grid;
import java.util.List;
import java.util.stream.Stream;

/**
 * Claims B: {@code InputStream.transferTo}, as measured in 2022 and 2023. The source changed the buffer inside the JDK; here a loop by
 * hand has a buffer of each size, and the JDK's own method has the one that the JVM in use gives it.
 */
public final class StreamTransfer implements Family {
    static final Claim.Source SOURCE = new Claim.Source(
            2022,
            "JDK-8299336, InputStream::DEFAULT_BUFFER_SIZE should be 16384",
            "a cloud VM, a custom build of JDK 21, FileInputStream into ByteArrayOutputStream");

    /** The buffer's size where it is not ours to choose. */
    static final String OWN = "own";

    static final int SMALL = 64 << 10;
    static final int THE_SOURCES = 1 << 20;
    static final int LARGE = 64 << 20;
    static final List<Integer> SIZES = List.of(SMALL, THE_SOURCES, LARGE);

    private static final String ID = "stream-transfer";
    private static final Object[] BUFFERS = {8 << 10, 16 << 10, 32 << 10, 64 << 10, 128 << 10};
    private static final int POOLED_BUFFER = 64 << 10;
    private static final double LARGE_FORK_SECONDS = 1.2;

    /** The loop by hand, which the claims are about. */
    static Point loop(int size, int buffer) {
        return point(size, TransferBenchmark.BY_HAND, buffer);
    }

    /** Of the file, for people. */
    static String label(int size) {
        return size < THE_SOURCES ? (size >> 10) + " KiB" : (size >> 20) + " MiB";
    }

    private static Point point(int size, String way, Object buffer) {
        return Point.of(id(size), "size", size, "way", way, "buffer", buffer);
    }

    /** Few transfers of a large file make an iteration, so that it is an experiment of its own. */
    private static String id(int size) {
        return size == LARGE ? ID + "-large" : ID;
    }

    @Override
    public List<Experiment> experiments() {
        return List.of(
                experiment(SMALL, SMALL, THE_SOURCES)
                        .points(Depth.QUICK, quick())
                        .iterations(3, 4, 60)
                        .then(loop(THE_SOURCES, 8 << 10), 1_350)
                        .then(loop(THE_SOURCES, 16 << 10), 2_634)
                        .then(loop(THE_SOURCES, 32 << 10), 2_721)
                        .then(loop(THE_SOURCES, 64 << 10), 2_856)
                        .then(loop(THE_SOURCES, 128 << 10), 2_903)
                        .build(),
                experiment(LARGE, LARGE)
                        .iterations(1, 4, 150)
                        .forkSeconds(LARGE_FORK_SECONDS)
                        .build());
    }

    private static JmhExperiment.Builder experiment(int first, Integer... sizes) {
        String id = id(first);
        return JmhExperiment.of(id, TransferBenchmark.class, "transfer")
                .question(
                        "How many times a second does a file go into a ByteArrayOutputStream, by the size of the buffer between?")
                .axes("buffer", "way", "size")
                .primary(Figure.RATE)
                .jvmArguments("-Xms1g", "-Xmx1g")
                .points(Depth.FULL, full(id, sizes))
                .points(Depth.ALL, all(id, sizes));
    }

    private static List<Point> quick() {
        return concat(
                grid(ID, THE_SOURCES).with("way", TransferBenchmark.BY_HAND).with("buffer", BUFFERS),
                grid(ID, THE_SOURCES).with("way", TransferBenchmark.OF_JDK).with("buffer", OWN),
                grid(ID, THE_SOURCES).with("way", pooled("heap")).with("buffer", POOLED_BUFFER));
    }

    private static List<Point> full(String id, Integer... sizes) {
        return concat(
                grid(id, sizes).with("way", TransferBenchmark.BY_HAND).with("buffer", BUFFERS),
                grid(id, sizes)
                        .with(
                                "way",
                                TransferBenchmark.OF_JDK,
                                TransferBenchmark.OF_JDK + TransferBenchmark.OVER_CHANNEL)
                        .with("buffer", OWN),
                grid(id, sizes)
                        .with("way", pooled("heap"), pooled("direct-view"))
                        .with("buffer", POOLED_BUFFER));
    }

    private static List<Point> all(String id, Integer... sizes) {
        return concat(grid(id, sizes)
                .with(
                        "way",
                        TransferBenchmark.BY_HAND + TransferBenchmark.OVER_CHANNEL,
                        pooled("heap"),
                        pooled("heap-view"),
                        pooled("direct"),
                        pooled("direct-view"))
                .with("buffer", BUFFERS));
    }

    private static String pooled(String policy) {
        return TransferBenchmark.POOLED + policy;
    }

    private static Grid grid(String id, Integer... sizes) {
        return Grid.of(id).with("size", (Object[]) sizes);
    }

    private static List<Point> concat(Grid... grids) {
        return Stream.of(grids).flatMap(grid -> grid.points().stream()).toList();
    }

    @Override
    public List<Claim> claims() {
        return List.of(new B1TwiceAsFast(), new B2NoFurtherGain());
    }
}

package dev.buffers.bench.claims.unmeasured;

import dev.buffers.bench.claims.Depth;
import dev.buffers.bench.claims.Experiment;
import dev.buffers.bench.claims.Figure;
import dev.buffers.bench.claims.Point;
import dev.buffers.bench.claims.Point.Grid;
import dev.buffers.bench.claims.kinds.BufferKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * How much memory does a thread hold that has written one buffer to a channel? The buffer's own bytes, heap or direct, and what
 * the thread keeps unseen: a direct buffer to copy heap buffers through. A JVM of its own asks itself, through its native
 * memory tracking: since JDK 25 these buffers are in no other account.
 */
final class HiddenCache implements Experiment {
    /** Memory that is held for one thread. */
    static final Figure HELD = new Figure("held", "B/thread", false);

    /** Nothing said. */
    static final String UNLIMITED = "none";

    /** In bytes, for {@code -Djdk.nio.maxCachedBufferSize}. */
    static final String LIMITED = "65536";

    private static final String ID = "hiddenCache";
    private static final double SECONDS = 0.6;
    private static final long PATIENCE_SECONDS = 60;

    static Point point(BufferKind kind, int size, String limit) {
        return Point.of(ID, "kind", kind, "size", size, "limit", limit);
    }

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String question() {
        return "How much memory does a thread hold that has written one buffer to a channel?";
    }

    @Override
    public List<Figure> figures() {
        return List.of(HELD);
    }

    @Override
    public Axes axes() {
        return new Axes("size", "kind", "limit");
    }

    @Override
    public Set<Point> points(Depth depth) {
        Set<Point> points = new LinkedHashSet<>();
        points.add(point(BufferKind.direct, 1 << 20, UNLIMITED));
        points.add(point(BufferKind.heap, 1 << 20, UNLIMITED));
        if (depth == Depth.QUICK) {
            return points;
        }
        Grid grid = Grid.of(ID).with("kind", BufferKind.heap, BufferKind.direct);
        points.addAll(
                grid.with("size", 8192, 65536, 1 << 20).with("limit", UNLIMITED).points());
        points.add(point(BufferKind.heap, 1 << 20, LIMITED));
        if (depth == Depth.ALL) {
            points.addAll(grid.with("size", 512, 8192, 65536, 1 << 17, 1 << 20, 16 << 20)
                    .with("limit", UNLIMITED, LIMITED)
                    .points());
        }
        return points;
    }

    @Override
    public double seconds(Point point) {
        return SECONDS;
    }

    @Override
    public Map<String, Double> measure(Point point) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-XX:NativeMemoryTracking=summary");
        if (!point.get("limit").equals(UNLIMITED)) {
            command.add("-Djdk.nio.maxCachedBufferSize=" + point.get("limit"));
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), HiddenCacheProbe.class.getName()));
        command.addAll(List.of(point.get("kind"), point.get("size")));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException("no answer from the probe: " + point);
            }
            String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            if (process.exitValue() != 0) {
                throw new IOException("the probe failed: " + point + ": " + answer);
            }
            return Map.of(HELD.name(), Double.valueOf(answer));
        } finally {
            process.destroyForcibly();
        }
    }

    /** The same: a JVM that has written before would not tell. */
    @Override
    public void smoke(Point point) throws IOException, InterruptedException {
        measure(point);
    }
}

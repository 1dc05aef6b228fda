package dev.buffers.bench.lanes;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.buffers.bench.claims.Depth;
import dev.buffers.bench.claims.Experiment;
import dev.buffers.bench.claims.Figure;
import dev.buffers.bench.claims.Point;
import dev.buffers.bench.jvm.Footprint;
import dev.buffers.bench.lanes.contenders.Contenders;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * An experiment about memory that is kept: one pass in a JVM of its own, which counts what is there before and after. The heap is resident
 * from the start, so that the resident set grows only by what is outside it.
 * A point's one parameter is its contender.
 */
abstract class MemoryLane implements Experiment {

    /** The contender's own count of what it keeps, without any collection. */
    static final Figure KEPT = new Figure("kept", "B", false);

    /** By how much the heap in use and the JVM's count of direct memory have grown, after one collection. */
    static final Figure COLLECTED = new Figure("collected", "B", false);

    /** By how much the resident set has grown, after that collection. */
    static final Figure RESIDENT = new Figure("resident", "B", false);

    static final String CONTENDER = "contender";

    private static final List<String> JVM =
            List.of("-XX:+UseG1GC", "-Xms512m", "-Xmx2g", "-XX:+AlwaysPreTouch", "-XX:MaxDirectMemorySize=1g");
    private static final long PATIENCE_MINUTES = 3;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final String id;
    private final String question;
    private final List<Figure> figures;
    private final Map<Depth, List<String>> contenders = new LinkedHashMap<>();
    private final double seconds;

    MemoryLane(String id, String question, double seconds, Figure... figures) {
        this.id = id;
        this.question = question;
        this.seconds = seconds;
        this.figures = List.of(figures);
    }

    /** Enough for the rule; who keeps what hardly varies. */
    @Override
    public int mostForks() {
        return 3;
    }

    /** Names who is measured from a depth on. */
    final void from(Depth depth, Object... names) {
        List<String> texts = new ArrayList<>();
        for (Object name : names) {
            texts.add(name.toString());
        }
        contenders.put(depth, List.copyOf(texts));
    }

    /** Does the work, or a little of it, and measures it. */
    abstract Map<String, Double> run(String contender, boolean little) throws IOException, InterruptedException;

    /** The point of a contender. */
    final Point point(Object contender) {
        return Point.of(id, CONTENDER, contender);
    }

    @Override
    public final String id() {
        return id;
    }

    @Override
    public final String question() {
        return question;
    }

    @Override
    public final List<Figure> figures() {
        return figures;
    }

    @Override
    public final Axes axes() {
        return new Axes(CONTENDER, CONTENDER);
    }

    @Override
    public final Set<Point> points(Depth depth) {
        Set<Point> points = new LinkedHashSet<>();
        for (Depth d : EnumSet.range(Depth.QUICK, depth)) {
            contenders.getOrDefault(d, List.of()).forEach(name -> points.add(point(name)));
        }
        return points;
    }

    @Override
    public final double seconds(Point point) {
        return seconds;
    }

    @Override
    public Optional<String> notMeasurable(Point point) {
        return Files.isReadable(Footprint.STATUS)
                ? Optional.empty()
                : Optional.of("the resident set is read from " + Footprint.STATUS + ", which is Linux's");
    }

    @Override
    public final void smoke(Point point) throws IOException, InterruptedException {
        run(point.get(CONTENDER), true);
    }

    @Override
    public final Map<String, Double> measure(Point point) throws IOException, InterruptedException {
        String contender = point.get(CONTENDER);
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM);
        command.addAll(ownOptions(contender));
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(MemoryFork.class.getName(), getClass().getName(), contender));
        Process fork =
                new ProcessBuilder(command).redirectError(Redirect.INHERIT).start();
        try (BufferedReader out = fork.inputReader(StandardCharsets.UTF_8)) {
            String answer = out.readLine();
            if (!fork.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES) || fork.exitValue() != 0 || answer == null) {
                throw new IOException("no answer: " + point);
            }
            return JSON.readValue(answer, new TypeReference<LinkedHashMap<String, Double>>() {});
        } finally {
            fork.destroyForcibly();
        }
    }

    private static List<String> ownOptions(String contender) {
        for (Contenders known : Contenders.values()) {
            if (known.name().equals(contender)) {
                return known.jvmArguments();
            }
        }
        return List.of();
    }
}

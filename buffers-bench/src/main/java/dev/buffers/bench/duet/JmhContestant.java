package dev.buffers.bench.duet;

import dev.buffers.bench.duet.JmhChild.Answer;
import dev.buffers.bench.duet.JmhChild.Order;
import dev.buffers.bench.duet.JmhChild.Warm;
import dev.buffers.bench.jvm.ChildJvm;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.runner.CompilerHints;

/** A JVM that runs JMH benchmarks in turns: {@link JmhChild}, on this JVM's Java, with its options and class path and the variant's. */
public final class JmhContestant implements Contestant {
    /** CPU time after which a cell that still compiles is run as it is. */
    private static final long WARM_LIMIT = 5;

    /** The usual CPU time that a cell is warmed, and the usual time without compilation. */
    private static final Duration WARM = Duration.ofSeconds(2);

    private static final Duration QUIET = Duration.ofMillis(300);

    /** The first Java that warns of Unsafe. */
    private static final int UNSAFE_WARNED = 24;

    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final Variant variant;
    private final ChildJvm jvm;
    private final long warmCpuMillis;
    private final long warmQuietMillis;

    private JmhContestant(Variant variant, ChildJvm jvm, Duration warmCpu, Duration warmQuiet) {
        this.variant = variant;
        this.jvm = jvm;
        this.warmCpuMillis = warmCpu.toMillis();
        this.warmQuietMillis = warmQuiet.toMillis();
    }

    /** Starts one that warms up for as long as a measurement needs. */
    public static JmhContestant start(Variant variant, List<String> more) throws IOException {
        return start(variant, more, WARM, QUIET);
    }

    /**
     * Starts one.
     *
     * @param more options of the JVM, from the cells that it will run
     * @param warmCpu how much CPU time it spends on a cell before its first turn
     * @param warmQuiet for how long nothing may have been compiled then
     */
    public static JmhContestant start(Variant variant, List<String> more, Duration warmCpu, Duration warmQuiet)
            throws IOException {
        List<String> arguments = new ArrayList<>();
        arguments.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        CompilerHints.addCompilerHints(arguments); // a fork of JMH's would have them: stubs not inlined, and blackholes
        arguments.add("-Djmh.ignoreLock=true");
        if (Runtime.version().feature() >= UNSAFE_WARNED) {
            arguments.add("--sun-misc-unsafe-memory-access=allow"); // JMH's own
        }
        arguments.addAll(more);
        arguments.addAll(variant.jvmArguments());
        List<String> classPath = new ArrayList<>(variant.classPath());
        classPath.add(System.getProperty("java.class.path"));
        ChildJvm jvm =
                ChildJvm.start(variant.name(), arguments, String.join(File.pathSeparator, classPath), JmhChild.class);
        return new JmhContestant(variant, jvm, warmCpu, warmQuiet);
    }

    @Override
    public void begin(Cell cell) throws IOException {
        Map<String, String> parameters = new HashMap<>(cell.parameters());
        parameters.putAll(variant.parameters());
        order(new Order(
                new Warm(
                        cell.benchmark(),
                        parameters,
                        warmCpuMillis,
                        warmQuietMillis,
                        WARM_LIMIT * Math.max(warmCpuMillis, warmQuietMillis)),
                null));
    }

    @Override
    public Warmth warmed() throws IOException, InterruptedException {
        Warmth warmth = expect(answer().warmth(), "not warm");
        if (!variant.classPath().isEmpty() && variant.classPath().stream().noneMatch(entry -> isFrom(entry, warmth))) {
            throw new IOException(variant.name() + ": the pool's classes are not from " + variant.classPath()
                    + ", found=" + warmth.core());
        }
        return warmth;
    }

    private static boolean isFrom(String entry, Warmth warmth) {
        return Path.of(URI.create(warmth.core())).equals(Path.of(entry));
    }

    @Override
    public void prepare(Slices slices) throws IOException {
        order(new Order(null, slices));
    }

    @Override
    public Warmth ready() throws IOException, InterruptedException {
        return expect(answer().warmth(), "not ready");
    }

    @Override
    public Turn slice() throws IOException, InterruptedException {
        jvm.tell(JmhChild.TURN);
        return expect(answer().turn(), "no turn");
    }

    @Override
    public boolean finished() throws IOException, InterruptedException {
        return expect(answer().agreed(), "not finished");
    }

    @Override
    public Duration cpu() {
        return jvm.cpu();
    }

    @Override
    public void close() {
        jvm.close();
    }

    private void order(Order order) throws IOException {
        jvm.tell(JmhChild.JSON.writeValueAsString(order));
    }

    private Answer answer() throws IOException, InterruptedException {
        Answer answer = JmhChild.JSON.readValue(jvm.line(PATIENCE), Answer.class);
        if (answer.failure() != null) {
            throw new IOException(variant.name() + ": " + answer.failure());
        }
        return answer;
    }

    private <T> T expect(@Nullable T part, String otherwise) throws IOException {
        if (part == null) {
            throw new IOException(variant.name() + ": " + otherwise);
        }
        return part;
    }
}

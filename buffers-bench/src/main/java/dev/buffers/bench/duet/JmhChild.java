package dev.buffers.bench.duet;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.buffers.BufferPool;
import dev.buffers.bench.duet.Contestant.Slices;
import dev.buffers.bench.duet.Contestant.Turn;
import dev.buffers.bench.duet.Contestant.Warmth;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * The program of a JVM in a duet that runs JMH benchmarks, without forks of their own. Each line of its input is answered by one of its
 * output, as JSON; it ends with its input, whatever it does then. A cell is first run as often as it takes to be warm, then once more with
 * as many iterations as there are turns: so each state is set up and torn down by JMH as usual.
 */
public final class JmhChild implements TurnProfiler.Listener {
    static final ObjectMapper JSON = new ObjectMapper();

    /** Among the parameters: no field of the benchmark, but how many threads run it. */
    public static final String THREADS = "threads";

    /** What has a turn. */
    static final String TURN = "turn";

    /** As short as a turn, so that JMH's code between iterations becomes warm too. */
    private static final int WARMUP_MILLIS = 10;

    private static final int LEAST_WARMUPS = 10;

    /** It is quiet while the compilers use a twentieth of the time at most: some small method of JMH's is always being compiled. */
    private static final int COMPILING_ALLOWED = 20;

    /** Reading the clocks more often than this would itself be compiled for seconds. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final BlockingQueue<String> input = new LinkedBlockingQueue<>();
    private final PrintStream answers;
    private final CpuClock clock;

    private Warm cell = new Warm("", Map.of(), 0, 0, 0);
    private @Nullable Slices slices;
    private boolean readyToTell;
    private long warmed;
    private long quietSince;
    private long windowSince;
    private long compiledBefore;
    private long lookedAt;
    private CpuClock.Times looked = new CpuClock.Times(0, 0, 0, 0);
    private long lookedProcess;
    private boolean agreed;
    private long firstThreads;
    private long firstProcess;
    private long lastThreads;
    private long lastProcess;

    private JmhChild(PrintStream answers) throws IOException {
        this.answers = answers;
        this.clock = CpuClock.here();
    }

    /** What the harness says: one of them is there. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Order(@Nullable Warm warm, @Nullable Slices play) {}

    /**
     * A cell to warm up for.
     *
     * @param limitMillis CPU time after which it is given up
     */
    record Warm(String benchmark, Map<String, String> parameters, long cpuMillis, long quietMillis, long limitMillis) {}

    /** What is answered: one of them is there. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Answer(
            @Nullable Warmth warmth,
            @Nullable Turn turn,
            @Nullable String failure,
            @Nullable Boolean agreed) {
        static Answer failed(Throwable problem) {
            return new Answer(null, null, String.valueOf(problem), null);
        }
    }

    public static void main(String[] args) throws Exception {
        PrintStream answers = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        System.setOut(System.err); // what a benchmark prints is no answer
        JmhChild child = new JmhChild(answers);
        TurnProfiler.tell(child);
        Thread reader = new Thread(child::read, "commands");
        reader.setDaemon(true);
        reader.start();
        child.obey();
    }

    private void read() {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                input.add(line);
            }
        } catch (IOException e) {
            // as if it had ended
        }
        Runtime.getRuntime().halt(0);
    }

    private void obey() throws Exception {
        while (true) {
            Order order = JSON.readValue(input.take(), Order.class);
            try {
                if (order.warm() != null) {
                    warm(order.warm());
                } else {
                    play(requireNonNull(order.play()));
                }
            } catch (IOException | RunnerException | RuntimeException e) {
                answer(Answer.failed(root(e)));
            }
        }
    }

    /** JMH wraps what a benchmark throws, and adds it to an exception that says nothing. */
    private static Throwable root(Throwable problem) {
        Throwable root = problem;
        while (root.getCause() != null || root.getSuppressed().length > 0) {
            root = root.getCause() != null ? root.getCause() : root.getSuppressed()[0];
        }
        return root;
    }

    private void warm(Warm wanted) throws IOException, RunnerException {
        cell = wanted;
        slices = null;
        warmed = 0;
        do {
            firstThreads = 0;
            look();
            quietSince = lookedAt;
            beginWindow();
            run(options()
                    .warmupIterations(0)
                    .measurementIterations(warmed == 0 ? iterations(cell.cpuMillis) : iterations(cell.cpuMillis / 4))
                    .measurementTime(TimeValue.milliseconds(WARMUP_MILLIS))
                    .build());
            agreed = clock.agree(lastThreads - firstThreads, lastProcess - firstProcess);
        } while (!isWarm() && TimeUnit.NANOSECONDS.toMillis(warmed) < cell.limitMillis);
        answer(new Answer(warmth(), null, null, null));
    }

    private void play(Slices announced) throws IOException, RunnerException {
        slices = announced;
        readyToTell = true;
        firstThreads = 0;
        // the state is set up anew, but the code is warm
        run(options()
                .warmupIterations(iterations(cell.cpuMillis / 8))
                .measurementIterations(announced.count())
                .measurementTime(TimeValue.milliseconds(announced.millis()))
                .build());
        boolean agreed = clock.agree(lastThreads - firstThreads, lastProcess - firstProcess);
        answer(new Answer(null, null, null, agreed || !announced.threadClock()));
    }

    private static int iterations(long millis) {
        return (int) Math.max(LEAST_WARMUPS, millis / WARMUP_MILLIS);
    }

    private ChainedOptionsBuilder options() {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include("(^|.*\\.)" + cell.benchmark.replace(".", "\\.").replace("$", "\\$") + "$")
                .forks(0)
                .mode(Mode.AverageTime)
                .warmupTime(TimeValue.milliseconds(WARMUP_MILLIS))
                .addProfiler(TurnProfiler.class)
                .shouldFailOnError(true)
                .shouldDoGC(false)
                .verbosity(VerboseMode.SILENT);
        cell.parameters.forEach((name, value) -> {
            if (name.equals(THREADS)) {
                options.threads(Integer.parseInt(value));
            } else {
                options.param(name, value);
            }
        });
        return options;
    }

    private void run(Options options) throws IOException, RunnerException {
        int found = new Runner(options).run().size();
        if (found > 1) {
            throw new IOException("not one benchmark: " + cell.benchmark + ", found=" + found);
        }
    }

    @Override
    public CpuClock clock() {
        return clock;
    }

    @Override
    public boolean threadClock() {
        return slices == null ? clock.hasThreadClock() : slices.threadClock();
    }

    @Override
    public boolean awaitTurn(boolean warmup) throws Exception {
        if (isTurn(warmup)) {
            if (readyToTell) {
                readyToTell = false;
                answer(new Answer(warmth(), null, null, null));
            }
            String line = input.take();
            if (!line.equals(TURN)) {
                throw new IOException("not a turn: " + line);
            }
        }
        if (firstThreads == 0) {
            firstThreads = clock.times().allNanos();
            firstProcess = clock.processNanos();
        }
        return slices != null;
    }

    @Override
    public void done(boolean warmup, Turn turn) throws IOException {
        lastThreads = clock.times().allNanos();
        lastProcess = clock.processNanos();
        if (isTurn(warmup)) {
            answer(new Answer(null, turn, null, null));
        }
    }

    @Override
    public void warmedOn() throws IOException {
        if (System.nanoTime() - lookedAt < LOOK_NANOS) {
            return;
        }
        CpuClock.Times before = looked;
        long processBefore = lookedProcess;
        look();
        warmed += clock.hasThreadClock() ? looked.nanos() - before.nanos() : lookedProcess - processBefore;
        long quiet = TimeUnit.MILLISECONDS.toNanos(cell.quietMillis);
        boolean compiles = looked.compilingNanos() - compiledBefore > quiet / COMPILING_ALLOWED;
        if (compiles) {
            quietSince = lookedAt;
        }
        if (compiles || lookedAt - windowSince >= quiet) {
            beginWindow();
        }
    }

    private void beginWindow() {
        windowSince = lookedAt;
        compiledBefore = looked.compilingNanos();
    }

    private void look() throws IOException {
        looked = clock.times();
        lookedProcess = clock.processNanos();
        lastThreads = looked.allNanos();
        lastProcess = lookedProcess;
        lookedAt = System.nanoTime();
    }

    /** Whether an iteration is one that was announced. */
    private boolean isTurn(boolean warmup) {
        return !warmup && slices != null;
    }

    private Warmth warmth() {
        return new Warmth(
                TimeUnit.NANOSECONDS.toMillis(warmed),
                TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - quietSince),
                isWarm(),
                agreed,
                TimeUnit.NANOSECONDS.toMicros(clock.resolutionNanos()),
                String.valueOf(
                        BufferPool.class.getProtectionDomain().getCodeSource().getLocation()));
    }

    private boolean isWarm() {
        return TimeUnit.NANOSECONDS.toMillis(warmed) >= cell.cpuMillis
                && TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - quietSince) >= cell.quietMillis;
    }

    private void answer(Answer answer) throws IOException {
        answers.println(JSON.writeValueAsString(answer));
    }
}

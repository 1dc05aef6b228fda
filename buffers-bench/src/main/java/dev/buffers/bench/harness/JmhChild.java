// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.harness;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.buffers.BufferPool;
import dev.buffers.bench.harness.Contestant.Slices;
import dev.buffers.bench.harness.Contestant.Turn;
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
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * The program of a measured JVM that runs JMH benchmarks, without JMH forks. Each line of its input is answered by one of its
 * output, as JSON; it ends with its input, whatever it does then. A cell is first run as often as it takes to be warm, then once more with
 * as many iterations as there are turns: so each state is set up and torn down by JMH as usual.
 */
public final class JmhChild {
    static final ObjectMapper JSON = new ObjectMapper();

    /** Among the parameters: no field of the benchmark, but how many threads run it. */
    public static final String THREADS = "threads";

    static final String TURN = "turn";

    /** In place of an answer: why there is none. */
    static final String FAILURE = "failure";

    /** As short as a turn, so that JMH's code between iterations becomes warm too. */
    private static final int WARMUP_MILLIS = 10;

    private static final int LEAST_WARMUPS = 5;
    private static final int COMPILERS_SHARE = 20;
    private static final int MOST_WARMING = 5;

    /** Reading the clocks more often than this would itself be compiled for seconds. */
    private static final long READING_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final BlockingQueue<String> input = new LinkedBlockingQueue<>();
    private final PrintStream answers;
    private final CpuClock clock = CpuClock.here();

    private Warm cell = new Warm("", Map.of(), Comparison.Pace.ONCE);
    private Warmup warmup = new Warmup(cell.pace, COMPILERS_SHARE, MOST_WARMING);
    private CpuClock.Reading observed = clock.read();
    private long observedAt;
    private @Nullable Slices slices;
    private boolean readyToTell;
    private boolean begun;

    /** CPU time of an iteration of the cell. One operation may be longer than the iteration was to be. */
    private double iterationMillis;

    private JmhChild(PrintStream answers) throws IOException {
        this.answers = answers;
    }

    /** What the harness says: one of them is there. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Order(@Nullable Warm warm, @Nullable Slices run) {}

    record Warm(String benchmark, Map<String, String> parameters, Comparison.Pace pace) {}

    public static void main(String[] args) throws Exception {
        PrintStream answers = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        System.setOut(System.err); // what a benchmark prints is no answer
        JmhChild child = new JmhChild(answers);
        TurnProfiler.current = child;
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
                    run(requireNonNull(order.run()));
                }
            } catch (IOException | RunnerException | RuntimeException e) {
                answer(Map.of(FAILURE, String.valueOf(root(e))));
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
        Comparison.Pace pace =
                wanted.benchmark().equals(cell.benchmark()) ? wanted.pace().again() : wanted.pace();
        cell = wanted;
        slices = null;
        warmup = new Warmup(pace, COMPILERS_SHARE, MOST_WARMING);
        int iterations = LEAST_WARMUPS;
        boolean agrees;
        do {
            long before = warmup.usedMillis();
            observed = clock.read();
            observedAt = System.nanoTime();
            warmup.begin(observed.compilingNanos());
            run(0, iterations, WARMUP_MILLIS);
            // By the last reading before: JMH's threads have ended since, and their counts with them.
            agrees = clock.agrees();
            observe(); // all of its iterations may have been shorter than the time between two readings
            iterationMillis = Math.max(WARMUP_MILLIS, (warmup.usedMillis() - before) / (double) iterations);
            iterations = iterations(warmup.nextMillis());
        } while (warmup.goesOn());
        String core = String.valueOf(
                BufferPool.class.getProtectionDomain().getCodeSource().getLocation());
        answer(warmup.warmth(agrees, core));
    }

    private void run(Slices announced) throws IOException, RunnerException {
        slices = announced;
        readyToTell = true;
        // the state is set up anew, but the code is warm
        run(iterations(cell.pace.warmMillis() / 8), announced.count(), announced.millis());
        answer(clock.agrees() || !announced.threadClock());
    }

    private int iterations(long millis) {
        return (int) Math.max(1, Math.ceil(millis / iterationMillis));
    }

    private void run(int warmups, int iterations, int millis) throws IOException, RunnerException {
        begun = false;
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include("(^|.*\\.)" + cell.benchmark.replace(".", "\\.").replace("$", "\\$") + "$")
                .forks(0)
                .mode(Mode.AverageTime)
                .warmupIterations(warmups)
                .warmupTime(TimeValue.milliseconds(WARMUP_MILLIS))
                .measurementIterations(iterations)
                .measurementTime(TimeValue.milliseconds(millis))
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
        int found = new Runner(options.build()).run().size();
        if (found > 1) {
            throw new IOException("not one benchmark: " + cell.benchmark + ", found=" + found);
        }
    }

    CpuClock clock() {
        return clock;
    }

    /** Whether the CPU time of the turns is the sum over threads. */
    boolean threadClock() {
        return requireNonNull(slices).threadClock();
    }

    /** Waits until an iteration may begin, and says whether its figures are wanted. */
    boolean awaitTurn(boolean isWarmup) throws IOException, InterruptedException {
        if (isTurn(isWarmup)) {
            if (readyToTell) {
                readyToTell = false;
                answer(true);
            }
            String line = input.take();
            if (!line.equals(TURN)) {
                throw new IOException("not a turn: " + line);
            }
        }
        if (!begun) {
            begun = true;
            clock.begin();
        }
        return slices != null;
    }

    void done(boolean isWarmup, Turn turn) throws IOException {
        if (isTurn(isWarmup)) {
            answer(turn);
        }
    }

    /** After an iteration whose figures are not wanted. */
    void warmedOn() throws IOException {
        if (System.nanoTime() - observedAt >= READING_NANOS) {
            observe();
        }
    }

    private void observe() throws IOException {
        CpuClock.Reading before = observed;
        observed = clock.read();
        observedAt = System.nanoTime();
        warmup.observe(observed.since(before, clock.hasThreadClock()), observed.compilingNanos());
    }

    private boolean isTurn(boolean isWarmup) {
        return !isWarmup && slices != null;
    }

    private void answer(Object answer) throws IOException {
        answers.println(JSON.writeValueAsString(answer));
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.harness;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.buffers.bench.jvm.ChildJvm;
import dev.buffers.bench.jvm.Footprint;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A server in a separate JVM, which stays up while the load takes turns between it and others; what counts is the CPU time of the
 * server for a request. Its program answers each line of its input with its {@link Numbers}. The connections stay open between the turns.
 */
public abstract class LoadContestant implements Contestant {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration WARMING = Duration.ofMillis(100);

    /** A load at a low rate first warms up with another one, and then at its own rate, at which a server sleeps and wakes more often. */
    private static final Duration OWN_RATE_WARMING = Duration.ofMillis(1500);

    private static final int COMPILERS_SHARE = 5;
    private static final int MOST_WARMING = 4;
    private static final int REST_SECONDS = 20;
    private static final int ASK_MILLIS = 2;

    /** A server's thread tells that it is done before it pauses; the kernel's count is right once it has paused. */
    private static final int PAUSE_MILLIS = 1;

    private final String name;
    private final ChildJvm jvm;
    private final Comparison.Pace pace;
    private final CpuClock clock;
    private String work = "";
    private Map<String, String> parameters = Map.of();
    private @Nullable Load load;
    private Warmup warmup;
    private CpuClock.Reading warmedTo = CpuClock.Reading.NOTHING;
    private Slices slices = new Slices(0, 0, true);
    private boolean begun;
    private boolean closed;

    protected LoadContestant(String name, ChildJvm jvm, Comparison.Pace pace) {
        this.name = name;
        this.jvm = jvm;
        this.pace = pace;
        this.clock = CpuClock.of(jvm.pid());
        this.warmup = new Warmup(pace, COMPILERS_SHARE, MOST_WARMING);
    }

    /** Connections to the server, and the requests over them. */
    public interface Load {
        Done drive(Duration time) throws IOException, InterruptedException;

        void close() throws IOException;
    }

    /**
     * The operations done, and their figures.
     *
     * @param figures percentiles of latency, for instance
     */
    public record Done(long ops, Map<String, Double> figures) {}

    /**
     * The numbers that a server's program reports.
     *
     * @param leasedBytes or whatever is more than nothing as long as a buffer is out
     */
    public record Numbers(long compilingMillis, long allocatedBytes, int connections, long leasedBytes, long failures) {

        /** For such a program: what its JVM has compiled and allocated so far, and what its server says. */
        public static Numbers here(int connections, long leasedBytes, long failures) {
            return new Numbers(
                    ManagementFactory.getCompilationMXBean().getTotalCompilationTime(),
                    Footprint.allocatedBytes(),
                    connections,
                    leasedBytes,
                    failures);
        }
    }

    protected abstract Load connect(String work, Map<String, String> parameters)
            throws IOException, InterruptedException;

    /** What warms a server for this work: another one where that asks little of the server. */
    protected String warming(String its) {
        return its;
    }

    @Override
    public final void begin(Cell cell, Map<String, String> its) throws IOException, InterruptedException {
        work = cell.work();
        parameters = its;
        load = connect(warming(work), parameters);
        warmup = new Warmup(pace, COMPILERS_SHARE, MOST_WARMING);
        warmup.begin(compilingNanos());
        warmedTo = clock.begin();
    }

    @Override
    public final Optional<Warmth> warm() throws IOException, InterruptedException {
        requireNonNull(load).drive(WARMING);
        CpuClock.Reading now = clock.read();
        warmup.observe(now.since(warmedTo, false), compilingNanos());
        warmedTo = now;
        return warmup.goesOn() ? Optional.empty() : Optional.of(warmup.warmth(clock.agrees(), name));
    }

    @Override
    public final void prepare(Slices announced) throws IOException, InterruptedException {
        if (!warming(work).equals(work)) {
            requireNonNull(load).close();
            load = connect(work, parameters);
            load.drive(OWN_RATE_WARMING);
        }
        slices = announced;
        begun = false;
    }

    @Override
    public final Turn slice() throws IOException, InterruptedException {
        Numbers before = numbers();
        CpuClock.Reading used = begun ? clock.read() : clock.begin();
        begun = true;
        long startMicros = Turn.micros();
        long start = System.nanoTime();
        Done done = requireNonNull(load).drive(Duration.ofMillis(slices.millis()));
        long wall = System.nanoTime() - start;
        Thread.sleep(PAUSE_MILLIS);
        CpuClock.Reading now = clock.read();
        long cpu = now.since(used, slices.threadClock());
        Map<String, Double> figures = new HashMap<>(done.figures());
        double allocated = numbers().allocatedBytes() - before.allocatedBytes();
        figures.put("allocated", Math.max(1, allocated / done.ops()));
        return new Turn(startMicros, wall, cpu, done.ops(), now.noise(used), figures);
    }

    /** Also checks that the server then holds nothing, and has not failed. */
    @Override
    public final boolean finished() throws IOException, InterruptedException {
        boolean agreed = clock.agrees();
        requireNonNull(load).close();
        long patience = System.nanoTime() + TimeUnit.SECONDS.toNanos(REST_SECONDS);
        Numbers numbers = numbers();
        while (numbers.connections() > 0 || numbers.leasedBytes() > 0) {
            if (System.nanoTime() - patience > 0) {
                throw new IOException(name + ": not given back: " + numbers);
            }
            Thread.sleep(ASK_MILLIS);
            numbers = numbers();
        }
        if (numbers.failures() > 0) {
            throw new IOException(name + ": the server failed: failures=" + numbers.failures());
        }
        return agreed || !slices.threadClock();
    }

    @Override
    public final Duration cpu() {
        return jvm.cpu();
    }

    /** Once: an interrupted run is closed by two threads. */
    @Override
    public final synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            if (load != null) {
                load.close();
            }
        } catch (IOException e) {
            // the server is ended anyway
        } finally {
            jvm.close();
        }
    }

    private Numbers numbers() throws IOException, InterruptedException {
        return JSON.readValue(jvm.ask(), Numbers.class);
    }

    private long compilingNanos() throws IOException, InterruptedException {
        return TimeUnit.MILLISECONDS.toNanos(numbers().compilingMillis());
    }
}

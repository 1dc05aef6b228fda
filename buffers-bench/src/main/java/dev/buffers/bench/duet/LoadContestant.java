package dev.buffers.bench.duet;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.buffers.bench.jvm.ChildJvm;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A server in a JVM of its own, which stays up while the load takes turns between it and others; what counts is the CPU time of the
 * server for a request. Its program answers each line of its input with its {@link Numbers}. The connections stay open between the turns.
 */
public abstract class LoadContestant implements Contestant {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration WARMING = Duration.ofMillis(100);
    private static final int WARM_LIMIT = 2;

    /** A tenth: some small method of a server is always being compiled. */
    private static final long COMPILING_ALLOWED = WARMING.toMillis() / 10;

    private static final int REST_SECONDS = 20;
    private static final int LOOK_MILLIS = 2;

    /** A server's thread tells that it is done before it pauses; the kernel's count is right once it has paused. */
    private static final int PAUSE_MILLIS = 1;

    private final String name;
    private final ChildJvm jvm;
    private final Match.Pace pace;
    private final CpuClock clock;
    private @Nullable Load load;
    private Slices slices = new Slices(0, 0, true);
    private long warmedMillis;
    private long quietSince;
    private long firstThreads;
    private long firstProcess;
    private long lastThreads;
    private long lastProcess;
    private boolean begun;

    protected LoadContestant(String name, ChildJvm jvm, Match.Pace pace) {
        this.name = name;
        this.jvm = jvm;
        this.pace = pace;
        this.clock = CpuClock.of(jvm.pid());
    }

    /** Connections to the server, and what is sent over them. */
    public interface Load {
        /** For so long. */
        Done drive(Duration time) throws IOException, InterruptedException;

        /** Ends the connections. */
        void close() throws IOException;
    }

    /**
     * What was done.
     *
     * @param figures percentiles of latency, for instance
     */
    public record Done(long ops, Map<String, Double> figures) {}

    /**
     * What a server's program says.
     *
     * @param leasedBytes or whatever is more than nothing as long as a buffer is out
     */
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Numbers(
            long compilingMillis, long allocatedBytes, int connections, long leasedBytes, long failures) {}

    /** Connects. */
    protected abstract Load connect(String work, Map<String, String> parameters)
            throws IOException, InterruptedException;

    protected final ChildJvm jvm() {
        return jvm;
    }

    @Override
    public final void begin(Cell cell, Map<String, String> parameters) throws IOException, InterruptedException {
        load = connect(cell.work(), parameters);
        warmedMillis = 0;
    }

    @Override
    public final Warmth warmed() throws IOException, InterruptedException {
        long limit = WARM_LIMIT * Math.max(1L, Math.max(pace.warmMillis(), pace.quietMillis()));
        long compiled = numbers().compilingMillis();
        quietSince = System.nanoTime();
        begin();
        do {
            requireNonNull(load).drive(WARMING);
            warmedMillis = TimeUnit.NANOSECONDS.toMillis(clock.processNanos() - firstProcess);
            long now = numbers().compilingMillis();
            if (now - compiled > COMPILING_ALLOWED) {
                quietSince = System.nanoTime();
            }
            compiled = now;
        } while (!isWarm() && warmedMillis < limit);
        read();
        return warmth();
    }

    @Override
    public final void prepare(Slices announced) {
        slices = announced;
        begun = false;
    }

    @Override
    public final Turn slice() throws IOException, InterruptedException {
        if (!begun) {
            begun = true;
            begin();
        }
        Numbers before = numbers();
        CpuClock.Times times = clock.times();
        long process = clock.processNanos();
        long[] switches = clock.switches();
        Instant start = Instant.now();
        long begin = System.nanoTime();
        Done done = requireNonNull(load).drive(Duration.ofMillis(slices.millis()));
        long wall = System.nanoTime() - begin;
        Thread.sleep(PAUSE_MILLIS);
        long[] switchesNow = clock.switches();
        CpuClock.Times now = clock.times();
        long cpu = slices.threadClock() ? now.nanos() - times.nanos() : clock.processNanos() - process;
        Numbers after = numbers();
        read();
        Map<String, Double> figures = new HashMap<>(done.figures());
        double allocated = after.allocatedBytes() - before.allocatedBytes();
        figures.put("allocated", Math.max(1, allocated / done.ops()));
        return new Turn(
                TimeUnit.MILLISECONDS.toMicros(start.toEpochMilli()),
                wall,
                Math.max(1, cpu),
                done.ops(),
                now.delayNanos() - times.delayNanos(),
                switchesNow[0] - switches[0],
                switchesNow[1] - switches[1],
                after.compilingMillis() - before.compilingMillis(),
                figures);
    }

    /** Also checks that the server then holds nothing, and has not failed. */
    @Override
    public final boolean finished() throws IOException, InterruptedException {
        boolean agreed = agreed();
        requireNonNull(load).close();
        long patience = System.nanoTime() + TimeUnit.SECONDS.toNanos(REST_SECONDS);
        Numbers numbers = numbers();
        while (numbers.connections() > 0 || numbers.leasedBytes() > 0) {
            if (System.nanoTime() - patience > 0) {
                throw new IOException(name + ": not given back: " + numbers);
            }
            Thread.sleep(LOOK_MILLIS);
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

    @Override
    public final void close() {
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

    private void begin() throws IOException {
        firstThreads = clock.times().allNanos();
        firstProcess = clock.processNanos();
        read();
    }

    private void read() throws IOException {
        lastThreads = clock.times().allNanos();
        lastProcess = clock.processNanos();
    }

    private boolean agreed() {
        return clock.agree(lastThreads - firstThreads, lastProcess - firstProcess);
    }

    private boolean isWarm() {
        return warmedMillis >= pace.warmMillis()
                && TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - quietSince) >= pace.quietMillis();
    }

    private Warmth warmth() {
        return new Warmth(
                warmedMillis,
                TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - quietSince),
                isWarm(),
                clock.hasThreadClock() && agreed(),
                TimeUnit.NANOSECONDS.toMicros(clock.resolutionNanos()),
                name);
    }
}

package dev.buffers.bench.duet;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/** What others did on this machine between two moments, from {@code /proc/stat}. */
public final class Machine {
    static final Path PROC = Path.of("/proc");

    /** Above this share of the machine others disturb what is measured. */
    public static final double BEARABLE = 0.1;

    private static final int IDLE = 3;
    private static final int IOWAIT = 4;
    private static final int STEAL = 7;
    private static final double TICKS_A_SECOND = 100; // USER_HZ, the same on all systems that we know

    private final Path proc;
    private final long[] before;

    private Machine(Path proc) throws IOException {
        this.proc = proc;
        this.before = ticks();
    }

    static Machine watch(Path proc) throws IOException {
        return new Machine(proc);
    }

    /**
     * What others did.
     *
     * @param others the share of all cores' time that other processes and the kernel's own threads had
     * @param steal the share that the hypervisor gave to other machines
     * @param load how many threads ran or waited for a core, on average over a minute
     */
    public record Load(double others, double steal, double load) {
        /** Whether the figures taken meanwhile can be relied on. */
        @JsonIgnore
        public boolean isQuiet() {
            return others + steal <= BEARABLE;
        }

        String percent() {
            return Math.round(100 * (others + steal)) + " %";
        }
    }

    /** What others did until now; empty where that cannot be known. */
    Optional<Load> since(Duration ours) throws IOException {
        long[] ticks = ticks();
        if (before.length == 0 || ticks.length == 0) {
            return Optional.empty();
        }
        Arrays.setAll(ticks, i -> ticks[i] - before[i]);
        double all = Arrays.stream(ticks).sum();
        double mine = ours.toNanos() / 1e9 * TICKS_A_SECOND;
        double others = Math.max(0, all - ticks[IDLE] - ticks[IOWAIT] - ticks[STEAL] - mine);
        String average = Files.readString(proc.resolve("loadavg"));
        return Optional.of(new Load(
                others / Math.max(1, all),
                ticks[STEAL] / Math.max(1, all),
                Double.parseDouble(average.substring(0, average.indexOf(' ')))));
    }

    /** The first line: user, nice, system, idle, iowait, irq, softirq, steal; empty where there is none. */
    private long[] ticks() throws IOException {
        Path stat = proc.resolve("stat");
        if (!Files.isReadable(stat)) {
            return new long[0];
        }
        return Arrays.stream(Files.readAllLines(stat).get(0).strip().split(" +", -1))
                .skip(1)
                .limit(STEAL + 1)
                .mapToLong(Long::parseLong)
                .toArray();
    }
}

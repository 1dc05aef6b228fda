// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.harness;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

/** The work of others on this machine between two moments, from {@code /proc/stat}. */
public final class Machine {
    public static final Path PROC = Path.of("/proc");

    /** Above this share of the machine, others disturb the measurement. */
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

    public static Machine watch(Path proc) throws IOException {
        return new Machine(proc);
    }

    /**
     * What others did.
     *
     * @param others the share of all cores' time that other processes and the kernel's own threads had
     * @param steal the share that the hypervisor gave to other machines
     * @param load how many threads ran or waited for a core, on average over a minute
     * @param busiest the processes that used most of that, with their shares
     */
    public record Load(double others, double steal, double load, Map<String, Double> busiest) {
        private static final double MOST = 0.9;

        /** Whether the others disturbed little. */
        @JsonIgnore
        public boolean isQuiet() {
            return others + steal <= BEARABLE;
        }

        /** How many times as wide an interval becomes by a pair that others disturbed: 1.5 if they used a third of the machine. */
        double widening() {
            return isQuiet() ? 1 : 1 / (1 - Math.min(MOST, others + steal));
        }

        public Load with(Map<String, Double> processes) {
            return new Load(others, steal, load, processes);
        }

        public long percent() {
            return Math.round(100 * (others + steal));
        }
    }

    /** What others did until now; empty where that cannot be known. */
    public Optional<Load> since(Duration ours) throws IOException {
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
                Double.parseDouble(average.substring(0, average.indexOf(' '))),
                Map.of()));
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

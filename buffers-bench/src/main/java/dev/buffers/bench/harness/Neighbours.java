// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.harness;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The CPU time of the other processes of this machine from a moment on: what to close. */
final class Neighbours {
    private static final int MOST = 3;
    private static final double LEAST_SHARE = 0.01;

    private final Instant begin = Instant.now();
    private final Map<Long, Duration> before = new LinkedHashMap<>();

    private Neighbours() {
        others().forEach(process -> before.put(process.pid(), cpu(process)));
    }

    static Neighbours watch() {
        return new Neighbours();
    }

    private record Use(String name, double share) {}

    /** The busiest so far, by name and number, with their shares of the machine. */
    Map<String, Double> busiest() {
        double all = Duration.between(begin, Instant.now()).toNanos()
                * (double) Runtime.getRuntime().availableProcessors();
        List<Use> uses = others().map(process -> new Use(name(process), used(process) / all))
                .filter(use -> use.share >= LEAST_SHARE)
                .sorted((one, other) -> Double.compare(other.share, one.share))
                .limit(MOST)
                .toList();
        Map<String, Double> busiest = new LinkedHashMap<>();
        uses.forEach(use -> busiest.put(use.name, use.share));
        return busiest;
    }

    private double used(ProcessHandle process) {
        return cpu(process)
                .minus(before.getOrDefault(process.pid(), Duration.ZERO))
                .toNanos();
    }

    private static Stream<ProcessHandle> others() {
        ProcessHandle self = ProcessHandle.current();
        Set<Long> ours = Stream.concat(Stream.of(self), self.descendants())
                .map(ProcessHandle::pid)
                .collect(Collectors.toSet());
        return ProcessHandle.allProcesses().filter(process -> !ours.contains(process.pid()));
    }

    private static Duration cpu(ProcessHandle process) {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    private static String name(ProcessHandle process) {
        String command = process.info()
                .command()
                .map(Path::of)
                .map(path -> "" + path.getFileName())
                .orElse("process");
        return command + ", pid " + process.pid();
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.harness;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Stream;

/**
 * The machine and the programs that the figures come from.
 *
 * @param feature the Java version that measured, as 17
 * @param flags of the JVMs that were measured
 */
public record Environment(
        String when, String java, int feature, String system, String processor, int cores, List<String> flags) {

    public static Environment here() {
        return new Environment(
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                property("java.vm.name") + " " + property("java.vm.version") + ", " + property("java.vm.vendor"),
                Runtime.version().feature(),
                property("os.name") + " " + property("os.version") + " " + property("os.arch"),
                processorName(),
                Runtime.getRuntime().availableProcessors(),
                ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                        .filter(flag -> !flag.startsWith("-Dshow."))
                        .toList());
    }

    /** Whether figures from both can be put together. */
    boolean isAlike(Environment other) {
        return java.equals(other.java) && processor.equals(other.processor) && flags.equals(other.flags);
    }

    private static String property(String key) {
        return System.getProperty(key, "?");
    }

    private static String processorName() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("?");
        } catch (IOException e) {
            return "?";
        }
    }
}

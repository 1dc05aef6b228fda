// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.harness;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;

/**
 * The heap of a JVM that takes turns: of one size, and written to before the first turn. A JVM with a heap of the default size writes to
 * most pages for the first time during the measurement. The system's work for that costs a contender that allocates a few bytes for each
 * operation a twentieth or a tenth, and costs nothing in a server that has run for a minute.
 */
final class Heap {
    private static final long MEBI = 1 << 20;
    private static final long LARGEST = 1024;

    /** Three JVMs take turns, and they share the machine with the one that measures. */
    private static final long PARTS = 8;

    private static final List<String> SIZES = List.of(
            "-Xm", "-XX:MaxHeapSize=", "-XX:InitialHeapSize=", "-XX:MinHeapSize=", "-XX:MaxRAM", "-XX:InitialRAM");

    private Heap() {}

    /** The options to put before {@code given}; none if these set a size. */
    static List<String> options(List<String> given) {
        return options(
                given,
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize());
    }

    /** The options on a machine, or in a container, with that many bytes. */
    static List<String> options(List<String> given, long machine) {
        if (given.stream().anyMatch(option -> SIZES.stream().anyMatch(option::startsWith))) {
            return List.of();
        }
        String size = Math.min(LARGEST, machine / PARTS / MEBI) + "m";
        return List.of("-Xms" + size, "-Xmx" + size, "-XX:+AlwaysPreTouch");
    }
}

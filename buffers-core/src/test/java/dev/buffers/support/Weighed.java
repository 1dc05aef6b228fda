// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.PoolStats;
import dev.buffers.internal.memory.DirectLimit;
import dev.buffers.internal.pool.SlabPool;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** The costs of a program in a separate JVM: figures that it prints and its test keeps. */
public final class Weighed {
    private static final String FIGURE = "scale: ";
    private static final Path REPORT = Path.of("target", "scale");

    private Weighed() {}

    /** Runs it, and keeps the figures that it prints. */
    public static void run(Class<?> main, String... options) throws IOException, InterruptedException {
        String output = Jvm.run(1500, main, options);
        String figures = main.getSimpleName() + ", java " + Runtime.version().feature() + ", "
                + String.join(" ", options) + "\n"
                + output.lines()
                        .filter(line -> line.startsWith(FIGURE))
                        .map(line -> "  " + line.substring(FIGURE.length()) + "\n")
                        .reduce("", String::concat);
        assertTrue(figures.contains("  "), output);
        System.out.println(figures);
        Files.createDirectories(REPORT);
        Files.writeString(
                REPORT.resolve("figures.txt"), figures, UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    public static void print(String format, Object... values) {
        System.out.println(FIGURE + String.format(Locale.ROOT, format, values));
    }

    /** How many milliseconds that takes. */
    public static double millis(Threads.Action action) throws Exception {
        long start = System.nanoTime();
        action.run();
        return (System.nanoTime() - start) / 1e6;
    }

    /** The bytes of the heap that are reachable. */
    public static long heap() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    /** The bytes that the process has in memory, where Linux tells. */
    public static long resident() throws IOException {
        Path status = Path.of("/proc/self/status");
        return !Files.exists(status)
                ? 0
                : Files.readAllLines(status).stream()
                        .filter(line -> line.startsWith("VmRSS:"))
                        .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) << 10)
                        .findFirst()
                        .orElse(0);
    }

    /** Prints the memory that one pool, and the JVM, hold just now. */
    public static void printMemory(String when, BufferPool pool) throws IOException {
        PoolStats stats = pool.stats();
        print(
                "%s: leases %,d, leased %,d MiB, cached %,d MiB, reserved %,d MiB, dropped %,d MiB; direct %,d MiB; resident %,d MiB",
                when,
                stats.leases(),
                stats.leasedBytes() >> 20,
                stats.cachedBytes() >> 20,
                stats.reservedBytes() >> 20,
                stats.droppedBytes() >> 20,
                DirectLimit.used() >> 20,
                resident() >> 20);
    }

    /** How long a round of the daemon takes that finds nothing new, and one over memory that has lain quiet for days. */
    public static void printTicks(BufferPool pool) throws Exception {
        SlabPool slabs = (SlabPool) pool;
        long now = System.nanoTime();
        double first = millis(() -> slabs.tick(now + TimeUnit.SECONDS.toNanos(2)));
        double again = millis(() -> slabs.tick(now + TimeUnit.SECONDS.toNanos(4)));
        print("a tick %.2f ms, another %.2f ms, stats() %.2f ms", first, again, millis(pool::stats));
    }

    /** Nothing is out, the cap held, and all memory goes back to the system. */
    public static void assertAllBack(BufferPool pool) throws IOException {
        Conservation.check(pool);
        Conservation.becomesEmpty(pool, true);
        Conservation.check(pool);
        Eventually.collected("and the JVM has it no more", () -> DirectLimit.used() < 1 << 20);
        printMemory("trimmed and collected", pool);
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.harness;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sums over threads, of which some begin and end. */
class ThreadTimesTest {
    @TempDir
    private Path tasks;

    private ThreadTimes times;

    @BeforeEach
    void open() {
        times = new ThreadTimes(tasks);
    }

    @Test
    void sumsCpuTimeDelayAndSwitches() throws IOException {
        thread("10", "5000000 200 7\n");
        thread("11", "1000000 300 9\n");
        assertArrayEquals(new long[] {6_000_000, 500, 16}, times.total());
        assertEquals(1_000_000, times.of("11"));
        assertEquals(0, times.of("12"));
    }

    @Test
    void endedThreadKeepsItsCpuTime() throws IOException {
        thread("10", "5000 1 1\n");
        thread("11", "1000 2 1\n");
        times.total();
        end("11");
        thread("10", "6000 1 1\n");
        assertEquals(7000, times.total()[ThreadTimes.CPU]);
        assertEquals(7000, times.total()[ThreadTimes.CPU]);
    }

    @Test
    void newThreadWithReusedNumberAddsItsCpuTime() throws IOException {
        thread("10", "5000 1 1\n");
        times.total();
        thread("10", "40 0 1\n");
        assertEquals(5040, times.total()[ThreadTimes.CPU]);
        thread("10", "50 0 1\n");
        assertEquals(5050, times.total()[ThreadTimes.CPU]);
    }

    @Test
    void threadEndingDuringReadKeepsItsCpuTime() throws IOException {
        thread("10", "5000 1 1\n");
        times.total();
        Files.delete(tasks.resolve("10/schedstat"));
        assertEquals(5000, times.total()[ThreadTimes.CPU]);
    }

    @Test
    void compilersAreKnownByNameEvenAfterTheirEnd() throws IOException {
        thread("10", "5000 1 1\n");
        thread("11", "1000 2 1\n");
        thread("12", "300 3 1\n");
        thread("13", "20 4 1\n");
        name("10", "java");
        name("11", "C2 CompilerThre");
        name("12", "C1 CompilerThre");
        name("13", "java"); // a compiler that has just begun
        times.total();
        assertEquals(1300, times.ofCompilers());
        name("13", "C2 CompilerThre");
        assertEquals(1320, times.ofCompilers());
        end("11");
        thread("12", "400 3 1\n");
        assertEquals(6420, times.total()[ThreadTimes.CPU]);
        assertEquals(1420, times.ofCompilers());
        thread("12", "50 1 1\n"); // another thread, with its number
        name("12", "worker");
        times.total();
        assertEquals(1420, times.ofCompilers());
    }

    @Test
    void unreadableFileIsAnError() throws IOException {
        thread("10", "none of it\n");
        assertThrows(IOException.class, times::total);
        assertThrows(IOException.class, new ThreadTimes(tasks.resolve("nowhere"))::total);
    }

    @Test
    void sumsIncludeThreadOfThisProcess() throws Exception {
        if (!Files.exists(ThreadTimes.TASKS)) {
            return; // not Linux
        }
        ThreadTimes live = new ThreadTimes(ThreadTimes.TASKS);
        long before = live.total()[ThreadTimes.CPU];
        long[] used = new long[1];
        Thread worker = new Thread(() -> used[0] = burn());
        worker.start();
        long now = live.total()[ThreadTimes.CPU];
        while (worker.isAlive()) {
            now = live.total()[ThreadTimes.CPU];
        }
        // the worker's last reading may be a tick old
        assertTrue(now - before >= used[0] - 20_000_000, () -> used[0] + " used");
    }

    private static long burn() {
        long used = 0;
        while (used < 100_000_000) {
            used = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        }
        return used;
    }

    private void thread(String number, String schedstat) throws IOException {
        Files.createDirectories(tasks.resolve(number));
        Files.writeString(tasks.resolve(number).resolve("schedstat"), schedstat);
    }

    private void name(String number, String name) throws IOException {
        Files.writeString(tasks.resolve(number).resolve("comm"), name + "\n");
    }

    private void end(String number) throws IOException {
        Files.delete(tasks.resolve(number).resolve("schedstat"));
        Files.deleteIfExists(tasks.resolve(number).resolve("comm"));
        Files.delete(tasks.resolve(number));
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The work of others, from the kernel's counts. */
class MachineTest {
    @TempDir
    private Path proc;

    @Test
    void busyTimeThatIsNotOursIsOthers() throws IOException {
        Machine.Load load = load("cpu  1700 0 200 2500 80 5 15 500 0 0", Duration.ofSeconds(6));
        // 2000 ticks: 700 user, 100 system, 10 irq and softirq, 1000 idle, 40 waiting, 150 stolen
        assertEquals((810 - 600) / 2000.0, load.others(), 1e-9);
        assertEquals(150 / 2000.0, load.steal(), 1e-9);
        assertEquals(1.25, load.load());
        assertFalse(load.isQuiet());
    }

    @Test
    void ourTimeIsNoDisturbance() throws IOException {
        Machine.Load load = load("cpu  2000 0 100 2390 40 5 5 360 0 0", Duration.ofSeconds(12));
        assertEquals(0, load.others());
        assertTrue(load.isQuiet());
    }

    @Test
    void intervalsWidenByShareOfOthers() {
        assertEquals(1, new Machine.Load(0.05, 0.05, 1, Map.of()).widening());
        assertEquals(2, new Machine.Load(0.4, 0.1, 1, Map.of()).widening(), 1e-9);
        assertEquals(10, new Machine.Load(1, 0.5, 1, Map.of()).widening(), 1e-9);
    }

    @Test
    void busiestProcessIsNamedUnlessOurs() throws Exception {
        Neighbours neighbours = Neighbours.watch();
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(200);
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        String self = ", pid " + ProcessHandle.current().pid();
        Map<String, Double> busiest = neighbours.busiest();
        assertTrue(busiest.size() <= 3 && busiest.keySet().stream().noneMatch(name -> name.endsWith(self)));
    }

    @Test
    void withoutTheKernelsCountNothingIsKnown() throws IOException {
        assertTrue(Machine.watch(proc).since(Duration.ZERO).isEmpty());
    }

    private Machine.Load load(String after, Duration ours) throws IOException {
        Files.writeString(proc.resolve("stat"), "cpu  1000 0 100 1500 40 0 10 350 0 0\ncpu0 1 2 3\n");
        Files.writeString(proc.resolve("loadavg"), "1.25 0.80 0.50 2/300 4711\n");
        Machine machine = Machine.watch(proc);
        Files.writeString(proc.resolve("stat"), after + "\ncpu0 1 2 3\n");
        return machine.since(ours).orElseThrow();
    }
}

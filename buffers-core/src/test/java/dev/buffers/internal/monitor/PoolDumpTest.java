// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.monitor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.buffers.AcquireOutcome;
import dev.buffers.PoolStats;
import dev.buffers.ReleaseOutcome;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PoolDumpTest {
    private static final PoolStats STATS = new Statistics.PoolFigures(
            1 << 20,
            5000,
            300,
            600,
            4000,
            100,
            70_000,
            4,
            2,
            1,
            6,
            7,
            8_000_000,
            9,
            10,
            11,
            Map.of(AcquireOutcome.DEPOT, 1234L, AcquireOutcome.REJECTED, 0L),
            Map.of(ReleaseOutcome.RECYCLED, 5L),
            List.of(new Statistics.ClassFigures(128, 1, 2, 3, 1, 3)));

    @Test
    void tableShowsAllFigures() {
        assertEquals("""
            pool web, cap 1m
            memory          bytes  of cap
            cap         1,048,576  100.0%
            reserved        5,000    0.5%
              leased          300    0.0%
              cached          600    0.1%
              uncarved      4,000    0.4%
              lost            100    0.0%
            dropped        70,000    6.7%
            size   leased  cached  slabs  hits  misses  hit rate
            128         1       2      3     1       3     25.0%
            other       3
            regions: 2 now; 10 bytes trimmed, 11 collections asked for
            waiters: 6 now; 7 waits before, 8 ms in all
            acquires: depot 1,234
            releases: recycled 5
            lost leases: 9
            open leases: 4
            """, PoolDump.of("web", STATS, OpenLeases.ofReports(List.of())));
    }
}

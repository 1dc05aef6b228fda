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
    private record OfClass(int size, long leased, long cached, long slabs, long hits, long misses)
            implements PoolStats.SizeClass {}

    private static final PoolStats STATS = new PoolStats() {
        @Override
        public long maxBytes() {
            return 1 << 20;
        }

        @Override
        public long reservedBytes() {
            return 5000;
        }

        @Override
        public long leasedBytes() {
            return 300;
        }

        @Override
        public long cachedBytes() {
            return 600;
        }

        @Override
        public long uncarvedBytes() {
            return 4000;
        }

        @Override
        public long lostBytes() {
            return 100;
        }

        @Override
        public long droppedBytes() {
            return 70_000;
        }

        @Override
        public long leases() {
            return 4;
        }

        @Override
        public long regions() {
            return 2;
        }

        @Override
        public long slabs() {
            return 1;
        }

        @Override
        public long waiters() {
            return 6;
        }

        @Override
        public long waits() {
            return 7;
        }

        @Override
        public long waitedNanos() {
            return 8_000_000;
        }

        @Override
        public long leaks() {
            return 9;
        }

        @Override
        public long trimmedBytes() {
            return 10;
        }

        @Override
        public Map<AcquireOutcome, Long> acquiresByOutcome() {
            return Map.of(AcquireOutcome.DEPOT, 1234L, AcquireOutcome.REJECTED, 0L);
        }

        @Override
        public Map<ReleaseOutcome, Long> releasesByOutcome() {
            return Map.of(ReleaseOutcome.RECYCLED, 5L);
        }

        @Override
        public List<PoolStats.SizeClass> sizeClasses() {
            return List.of(new OfClass(128, 1, 2, 3, 1, 3));
        }
    };

    @Test
    void lineShowsMainFigures() {
        assertEquals(
                "BufferPool[web, heap, closed, max=1m, reserved=5000, leased=300 in 4 buffers, waiters=6, lost=9"
                        + " leases]",
                PoolDump.line("web", "heap", STATS, true));
    }

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
            waiters: 6 now; 7 waits before, 8 ms in all
            acquires: depot 1,234
            releases: recycled 5
            lost leases: 9
            open leases: 4
            """, PoolDump.of("web", STATS, OpenLeases.of(List.of())));
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A warm-up ends once it can be seen to be quiet, and each of its runs is long enough for that. */
class WarmupTest {
    private static final int MOST = 5;

    @Test
    void nextRunIsLongerThanQuietPeriod() {
        for (Comparison.Pace pace : new Comparison.Pace[] {Comparison.Pace.USUAL, Comparison.Pace.USUAL.again()}) {
            Warmup warmup = new Warmup(pace, 20, MOST);
            warmup.begin(0);
            assertEquals(pace.warmMillis(), warmup.nextMillis(), "all that it needs, at first");
            use(warmup, pace.warmMillis(), TimeUnit.SECONDS.toNanos(1)); // it has compiled to the end
            assertTrue(warmup.goesOn());
            assertTrue(warmup.nextMillis() > pace.quietMillis(), () -> pace + ", next=" + warmup.nextMillis());
        }
    }

    @Test
    void endlessCompilationEndsWarmupAtLimit() {
        Comparison.Pace pace = Comparison.Pace.USUAL.again();
        Warmup warmup = new Warmup(pace, 20, MOST);
        warmup.begin(0);
        long compiled = 0;
        while (warmup.goesOn()) {
            compiled += TimeUnit.SECONDS.toNanos(1);
            use(warmup, pace.warmMillis(), compiled);
        }
        assertEquals((long) MOST * pace.warmMillis(), warmup.usedMillis());
    }

    private static void use(Warmup warmup, int millis, long compiledNanos) {
        warmup.observe(TimeUnit.MILLISECONDS.toNanos(millis), compiledNanos);
    }
}

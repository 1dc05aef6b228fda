// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.monitor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.buffers.LeakReport;
import dev.buffers.internal.slab.AcquireTrace;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OpenLeaseTest {

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void reportTellsSizeAgeAndThread(boolean lost) {
        AcquireTrace trace = new AcquireTrace(0, 100);
        LeakReport report = new OpenLease("web", 128, trace).report(lost, trace.nanoTime + TimeUnit.SECONDS.toNanos(3));
        assertEquals("web", report.pool());
        assertEquals(128, report.capacity());
        assertEquals(lost, report.lost());
        LeakReport.Acquisition known = report.acquisition().orElseThrow();
        assertEquals(100, known.size());
        assertEquals(3, known.age().toSeconds());
        assertEquals(Thread.currentThread().getName(), known.thread());
    }

    @Test
    void reportWithoutTraceHasCapacityOnly() {
        assertEquals(
                new LeakReport("web", 128, false, Optional.empty()),
                new OpenLease("web", 128, null).report(false, System.nanoTime()));
    }
}

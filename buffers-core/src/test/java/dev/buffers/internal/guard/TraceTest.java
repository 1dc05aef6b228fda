// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.guard;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.LeakReport;
import dev.buffers.LeakReport.Touch;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TraceTest {
    private final Trace trace = new Trace(100, 128);

    private static StackTraceElement frame(String type) {
        return new StackTraceElement(type, "method", "File.java", 7);
    }

    @Test
    void stackBeginsWithTheCallerOfThePool() {
        StackTraceElement user = frame("org.example.Server");
        StackTraceElement callback = frame("dev.buffers.internal.signals.Callbacks");
        Throwable at = new Throwable("here");
        at.setStackTrace(
                new StackTraceElement[] {frame("dev.buffers.internal.guard.GuardedPool"), user, callback, user});
        assertArrayEquals(new StackTraceElement[] {user, callback, user}, Trace.stack(at));
        assertTrue(Trace.text(at).startsWith("here\n\tat org.example.Server.method(File.java:7)\n"));
        assertEquals("", Trace.text(null));
    }

    @Test
    void reportTellsSizeAgeAndThread() {
        LeakReport report = trace.report("web", true, trace.nanoTime + TimeUnit.SECONDS.toNanos(3));
        assertEquals("web", report.pool());
        assertEquals(128, report.capacity());
        assertTrue(report.lost());
        LeakReport.Acquisition known = report.acquisition().orElseThrow();
        assertEquals(100, known.size());
        assertEquals(3, known.age().toSeconds());
        assertEquals(Thread.currentThread().getName(), known.thread());
    }

    @Test
    void latestEightHintsAreKept() {
        IntStream.range(0, 12).forEach(trace::touch);
        List<Touch> kept = trace.report("web", false, System.nanoTime())
                .acquisition()
                .orElseThrow()
                .touches();
        assertEquals(
                List.of("4", "5", "6", "7", "8", "9", "10", "11"),
                kept.stream().map(Touch::hint).toList());
    }

    @Test
    void releaseNamesItsThread() {
        trace.release();
        assertEquals("released here, by thread " + Thread.currentThread().getName(), trace.released.getMessage());
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.slab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class AcquireTraceTest {
    private static final String OURS = "dev.buffers.internal.";

    private static StackTraceElement frame(String type) {
        return new StackTraceElement(type, "method", null, 1);
    }

    @Test
    void stackBeginsWithCallerOfPool() {
        AcquireTrace trace = new AcquireTrace(SlotState.FIRST, 100);
        StackTraceElement caller = frame("example.Server");
        StackTraceElement callback = frame(OURS + "slab.Eraser");
        trace.acquired.setStackTrace(new StackTraceElement[] {
            frame(OURS + "slab.AcquireTrace"), frame(OURS + "pool.SlowAcquire"), caller, callback
        });
        assertEquals(List.of(caller, callback), AcquireTrace.stack(trace.acquired), "ours below the caller stay");
    }

    @Test
    void stackOfLibraryFramesAloneIsEmpty() {
        AcquireTrace trace = new AcquireTrace(SlotState.FIRST, 100);
        trace.acquired.setStackTrace(new StackTraceElement[] {frame(OURS + "pool.SlabPool")});
        assertTrue(AcquireTrace.stack(trace.acquired).isEmpty());
    }

    @Test
    void traceBelongsToItsTenancyOnly() {
        long stamp = 5 * SlotState.GENERATION + SlotState.FIRST;
        AcquireTrace trace = new AcquireTrace(stamp, 100);
        assertTrue(trace.isOf(stamp + SlotState.HOLD), "a further lease is out");
        assertTrue(trace.isOf(5 * SlotState.GENERATION + SlotState.HOLD), "the first has ended");
        assertFalse(trace.isOf(6 * SlotState.GENERATION + SlotState.FIRST), "the next tenancy");
        assertEquals(100, trace.size);
        assertEquals(Thread.currentThread().getName(), trace.thread);
    }
}

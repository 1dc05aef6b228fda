// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.signals;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.buffers.support.Logged;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SizeListenerTest {
    private static final String POOL = "size-listener-test";

    private final ThreadLocal<String> calling = new ThreadLocal<>();

    @Test
    void threadIsMarkedWhileListenerRuns() {
        List<String> told = new ArrayList<>();
        new SizeListener(size -> told.add(calling.get() + " " + size)).call(7, POOL, calling);
        assertEquals(List.of("a size listener 7"), told);
        assertNull(calling.get());
    }

    @Test
    void throwingListenerIsLoggedOnceAMinute() {
        IllegalStateException thrown = new IllegalStateException("mine");
        SizeListener listener = new SizeListener(size -> {
            throw thrown;
        });
        try (Logged log = new Logged(POOL)) {
            for (int i = 0; i < 3; i++) {
                listener.call(i, POOL, calling);
            }
            assertEquals(1, log.records().size());
            assertSame(thrown, log.records().get(0).getThrown());
        }
        assertNull(calling.get());
    }
}

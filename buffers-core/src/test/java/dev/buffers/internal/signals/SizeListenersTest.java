// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.signals;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Logged;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;

class SizeListenersTest {
    private static final String POOL = "size-listeners-test";

    private final SizeListeners listeners = new SizeListeners();
    private final ThreadLocal<String> calling = new ThreadLocal<>();
    private final List<String> told = new ArrayList<>();

    private void notifyOf(int size) {
        listeners.notify(size, POOL, calling);
    }

    @Test
    void listenersAreNotifiedInOrder() {
        listeners.add(size -> told.add("a" + size));
        listeners.add(size -> told.add("b" + size));
        notifyOf(1);
        notifyOf(2);
        assertEquals(List.of("a1", "b1", "a2", "b2"), told);
    }

    @Test
    void listenerAddedTwiceIsRemovedOnce() {
        IntConsumer listener = size -> told.add("x");
        assertTrue(listeners.isEmpty());
        listeners.add(listener);
        listeners.add(listener);
        listeners.remove(listener);
        notifyOf(1);
        assertEquals(List.of("x"), told);
        listeners.remove(size -> {});
        assertFalse(listeners.isEmpty());
        listeners.remove(listener);
        assertTrue(listeners.isEmpty());
    }

    @Test
    void threadIsMarkedWhileListenerRuns() {
        listeners.add(size -> told.add(calling.get()));
        notifyOf(1);
        assertEquals(List.of("a size listener"), told);
        assertNull(calling.get());
    }

    @Test
    void throwingListenerIsLoggedAndOthersAreStillNotified() {
        IllegalStateException thrown = new IllegalStateException("mine");
        listeners.add(size -> {
            throw thrown;
        });
        listeners.add(size -> told.add("b" + size));
        try (Logged log = new Logged(POOL)) {
            notifyOf(1);
            notifyOf(2);
            notifyOf(3);
            assertEquals(1, log.records().size(), "once a minute");
            assertSame(thrown, log.records().get(0).getThrown());
        }
        assertEquals(List.of("b1", "b2", "b3"), told);
        assertNull(calling.get());
    }
}

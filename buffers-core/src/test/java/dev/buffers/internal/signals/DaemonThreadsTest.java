// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.signals;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URL;
import java.net.URLClassLoader;
import org.junit.jupiter.api.Test;

class DaemonThreadsTest {

    /** Whichever thread is the creator: no object of an application stays reachable through a thread of the library. */
    @Test
    void threadInheritsNothingFromItsCreator() throws Exception {
        InheritableThreadLocal<String> inherited = new InheritableThreadLocal<>();
        Thread[] made = new Thread[1];
        String[] seen = {"not run"};
        Thread maker = new Thread(new ThreadGroup("mine"), () -> {
            Thread.currentThread().setContextClassLoader(new URLClassLoader(new URL[0]));
            inherited.set("mine");
            made[0] = new DaemonThreads("made").newThread(() -> seen[0] = inherited.get());
        });
        maker.start();
        maker.join();
        assertEquals("made", made[0].getName());
        assertTrue(made[0].isDaemon());
        assertNull(made[0].getContextClassLoader());
        assertNull(made[0].getThreadGroup().getParent(), "the root group");
        assertFalse(made[0].isAlive(), "the caller starts it");
        made[0].start();
        made[0].join();
        assertNull(seen[0]);
    }
}

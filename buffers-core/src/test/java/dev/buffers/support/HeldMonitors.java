// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support;

import java.lang.management.ManagementFactory;
import java.lang.management.MonitorInfo;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Looks, where the library calls code that may block or take a lock of the JDK, whether the current thread holds a monitor of the library.
 * Any platform thread.
 */
public final class HeldMonitors {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final String OURS = "dev.buffers.internal.";

    private final Set<String> reached = ConcurrentHashMap.newKeySet();
    private final Set<String> held = ConcurrentHashMap.newKeySet();

    /** Notes that the current thread is at {@code place}, and the monitors that it took in a method of the library. */
    public void check(String place) {
        reached.add(place);
        ThreadInfo info =
                THREADS.getThreadInfo(new long[] {Thread.currentThread().getId()}, true, false)[0];
        Arrays.stream(info.getLockedMonitors())
                .filter(HeldMonitors::isOurs)
                .forEach(monitor -> held.add(place + ": " + monitor.getClassName() + " locked by "
                        + monitor.getLockedStackFrame().getClassName() + "."
                        + monitor.getLockedStackFrame().getMethodName()));
    }

    private static boolean isOurs(MonitorInfo monitor) {
        return monitor.getLockedStackFrame().getClassName().startsWith(OURS)
                || monitor.getClassName().startsWith(OURS);
    }

    /** The places that threads have reached. */
    public Set<String> reached() {
        return new TreeSet<>(reached);
    }

    /** The monitors that a thread held at such a place. */
    public Set<String> held() {
        return new TreeSet<>(held);
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.jvm;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;

/** The JVM's own count of direct memory, from a moment on. */
public final class DirectMemory {
    private final long before = used();

    /** Bytes allocated in direct buffers that the collector has not freed yet, by any holder. */
    public static long used() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(bean -> bean.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
    }

    /** By how much that has grown since this was made. */
    public long growth() {
        return Math.max(0, used() - before);
    }
}

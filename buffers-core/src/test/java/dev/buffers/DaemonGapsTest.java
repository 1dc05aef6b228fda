// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.buffers.support.Eventually;
import dev.buffers.support.Leases;
import dev.buffers.support.Threads;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** The one thread for all pools: how it copes with bad listeners, and with a name that another pool has taken over. */
class DaemonGapsTest {

    private static BufferPool.Builder views(String name) {
        return BufferPool.builder(name).policy("heap-view").max(8 << 20);
    }

    @Test
    void listenerThatThrowsOrInterruptsDoesNotStopTheDaemon() throws Exception {
        AtomicInteger told = new AtomicInteger();
        BufferPool bad = views("bad")
                .onLeak(report -> {
                    Thread.currentThread().interrupt();
                    throw new UnsupportedOperationException("from the listener");
                })
                .build();
        try (bad;
                BufferPool good = views("good")
                        .onLeak(report -> {
                            told.incrementAndGet();
                            Thread.currentThread().interrupt();
                        })
                        .build()) {
            Leases.lose(bad, 4096);
            Eventually.collected("the loss is heard of", () -> bad.stats().leaks() == 1);
            Leases.lose(good, 4096);
            Eventually.collected("another pool's listener is told", () -> told.get() == 1);
            Thread daemon = Threads.daemons().get(0);
            Eventually.within(
                    100,
                    () -> { // of 300 ms: the daemon does not spin
                        long before = cpuNanos(daemon);
                        LockSupport.parkNanos(300_000_000);
                        return (cpuNanos(daemon) - before) / 1_000_000;
                    });
        }
    }

    private static long cpuNanos(Thread thread) {
        return ManagementFactory.getThreadMXBean().getThreadCpuTime(thread.getId());
    }

    @Test
    void nameReusedByAnotherPoolIsNotFreed() throws Exception {
        WeakReference<BufferPool> closed = closedWithALeaseOut();
        try (BufferPool second = views("handed-on").build()) {
            assertEquals("handed-on", second.name());
            Eventually.collected("the first is collected", () -> closed.get() == null);
            Thread.sleep(1_300); // the daemon's next look at it
            try (BufferPool third = views("handed-on").build()) {
                assertEquals("handed-on-2", third.name());
            }
        }
    }

    private static WeakReference<BufferPool> closedWithALeaseOut() {
        BufferPool pool = views("handed-on").build();
        Leases.lose(pool, 4096);
        pool.close();
        return new WeakReference<>(pool);
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.signals;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A size listener of a pool, which is notified of the size of each acquire.
 *
 * <p>Any thread. It runs with no magazine, claim or lock held. While it runs, its pool refuses the calls of its thread.
 */
final class SizeListener {
    private static final long LOG_EVERY = 60_000_000_000L; // a constant: this class needs no initialiser

    final IntConsumer consumer;

    /** Failures that the log does not show yet; the next field is the time of the last one in the log. */
    private final AtomicLong failures = new AtomicLong();

    private final AtomicLong logged = new AtomicLong(System.nanoTime() - LOG_EVERY);

    SizeListener(IntConsumer consumer) {
        this.consumer = consumer;
    }

    /**
     * Notifies it. Logs what it throws, since the acquiring thread has nothing to do with it and owns a slot.
     *
     * @param calling names, while it is not null, the user code that this thread runs for the pool
     */
    void call(int size, String pool, ThreadLocal<@Nullable String> calling) {
        try {
            try {
                calling.set("a size listener");
                consumer.accept(size);
            } finally {
                calling.set(null); // to remove it would make garbage at each acquire
            }
        } catch (Throwable e) {
            failed(pool, e);
        }
    }

    private void failed(String pool, Throwable thrown) {
        failures.incrementAndGet();
        long now = System.nanoTime();
        long last = logged.get();
        if (now - last < LOG_EVERY || !logged.compareAndSet(last, now)) {
            return;
        }
        long more = failures.getAndSet(0) - 1;
        Callbacks.warn(
                "a size listener has thrown: pool=" + pool + (more > 0 ? "; and " + more + " more" : ""), thrown);
    }
}

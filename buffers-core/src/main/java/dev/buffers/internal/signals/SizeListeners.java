// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.signals;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The size listeners of a pool, which are notified of the size of each acquire.
 *
 * <p>Any thread. Listeners run with no magazine, claim or lock held, and may be added and removed at the same time. While one runs, its
 * pool refuses the calls of its thread.
 */
final class SizeListeners {
    private static final long LOG_EVERY = TimeUnit.MINUTES.toNanos(1);

    private final List<Listener> listeners = new CopyOnWriteArrayList<>();

    void add(IntConsumer listener) {
        listeners.add(new Listener(listener));
    }

    void remove(IntConsumer listener) {
        for (Listener one : listeners) {
            if (one.consumer.equals(listener)) {
                listeners.remove(one);
                return;
            }
        }
    }

    boolean isEmpty() {
        return listeners.isEmpty();
    }

    /**
     * Notifies all listeners. Logs what a listener throws, since the acquiring thread has nothing to do with it and owns a slot.
     *
     * @param calling names, while it is not null, the user code that this thread runs for the pool
     */
    void notify(int size, String pool, ThreadLocal<@Nullable String> calling) {
        try {
            for (Listener listener : listeners) {
                listener.call(size, pool, calling);
            }
        } catch (Throwable e) {
            // No heap or no stack to notify them all, or to log that.
        }
    }

    private static final class Listener {
        private final IntConsumer consumer;

        /** Failures that the log does not show yet; the next field is the time of the last one in the log. */
        private final AtomicLong failures = new AtomicLong();

        private final AtomicLong logged = new AtomicLong(System.nanoTime() - LOG_EVERY);

        Listener(IntConsumer consumer) {
            this.consumer = consumer;
        }

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
}

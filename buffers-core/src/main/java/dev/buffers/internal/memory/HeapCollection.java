// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.memory;

import dev.buffers.internal.signals.DaemonThreads;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Begins garbage collections: one in ten seconds at most, for all pools of this JVM.
 *
 * <p>Any thread, with no lock held. Each collection has its own thread: with a concurrent collector {@code System.gc()} returns only when
 * the collection has ended, and until then the pools' daemon serves waiters.
 */
public final class HeapCollection {
    /** Nanoseconds between two collections. */
    public static final long LEAST_PAUSE = TimeUnit.SECONDS.toNanos(10);

    private static final AtomicLong LAST = new AtomicLong(System.nanoTime() - LEAST_PAUSE);

    private HeapCollection() {}

    /** Whether the last one was long enough ago, at {@code now}, a {@link System#nanoTime}. */
    public static boolean isAllowed(long now) {
        return now - LAST.get() >= LEAST_PAUSE;
    }

    /** Begins one; false when the JVM ignores such requests, has no memory for a thread, or another thread was first. */
    public static boolean begin(long now) {
        long last = LAST.get();
        if (now - last < LEAST_PAUSE || !LAST.compareAndSet(last, now) || areDisabled()) {
            return false;
        }
        try {
            new DaemonThreads("buffers-collection").newThread(System::gc).start();
            return true;
        } catch (OutOfMemoryError e) {
            return false; // the heap is collected for that reason, or the next attempt has a thread
        }
    }

    /** Whether the JVM runs with {@code -XX:+DisableExplicitGC}. */
    public static boolean areDisabled() {
        return DirectLimit.flag("DisableExplicitGC");
    }
}

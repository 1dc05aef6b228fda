// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.guard;

import dev.buffers.LeakReport;
import dev.buffers.LeakReport.Touch;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Where and when a lease was acquired and released, and the hints of its user. Refers to no lease, view or memory.
 *
 * <p>Any thread. The data about the acquire is immutable.
 */
final class Trace {
    private static final String OURS = "dev.buffers.internal.";
    private static final int MOST_TOUCHES = 8;

    final int capacity;

    /** The bytes asked for. */
    final int size;

    final long nanoTime = System.nanoTime();

    private final String thread = Thread.currentThread().getName();
    final Throwable acquired;
    volatile @Nullable Throwable released;

    /** Whether the lease was reported as overdue. Plain, for the tick alone. */
    boolean overdue;

    /** Guarded by the lock of this. */
    private List<Touch> touches = List.of();

    Trace(int size, int capacity) {
        this.size = size;
        this.capacity = capacity;
        this.acquired = new Throwable("acquired here, by thread " + thread);
    }

    void release() {
        released = new Throwable(
                "released here, by thread " + Thread.currentThread().getName());
    }

    /** Keeps the latest hints. Calls {@code toString} of the hint. */
    void touch(Object hint) {
        String text;
        try {
            text = String.valueOf(hint);
        } catch (Throwable e) {
            text = "toString has thrown: " + e.getClass().getName();
        }
        Touch touch =
                new Touch(text, age(System.nanoTime()), Thread.currentThread().getName());
        synchronized (this) {
            Touch[] more = Arrays.copyOf(touches.toArray(new Touch[0]), touches.size() + 1);
            more[touches.size()] = touch;
            touches = List.of(Arrays.copyOfRange(more, Math.max(0, more.length - MOST_TOUCHES), more.length));
        }
    }

    private synchronized List<Touch> touches() {
        return touches;
    }

    private Duration age(long now) {
        return Duration.ofNanos(Math.max(0, now - nanoTime));
    }

    /** The report as of {@code now}, a reading of {@link System#nanoTime}. */
    LeakReport report(String pool, boolean lost, long now) {
        LeakReport.Acquisition known =
                new LeakReport.Acquisition(size, age(now), thread, List.of(stack(acquired)), touches());
        return new LeakReport(pool, capacity, lost, Optional.of(known));
    }

    /** The stack without the frames of our own at its top. */
    static StackTraceElement[] stack(Throwable at) {
        return Arrays.stream(at.getStackTrace())
                .dropWhile(frame -> frame.getClassName().startsWith(OURS))
                .toArray(StackTraceElement[]::new);
    }

    /** The message and the stack, one frame a line; empty for null. */
    static String text(@Nullable Throwable at) {
        return at == null
                ? ""
                : at.getMessage()
                        + Arrays.stream(stack(at))
                                .map(frame -> "\n\tat " + frame)
                                .collect(Collectors.joining());
    }
}

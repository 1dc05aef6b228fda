// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.slab;

import dev.buffers.LeakReport.Acquisition;
import dev.buffers.LeakReport.Touch;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where and when a lease was acquired, and where it came later; kept for those leases that the settings {@code leaks} and {@code guard}
 * select. It refers to no lease and no view.
 *
 * <p>Any thread. The data about the acquire is immutable, so a thread that finds a trace in a slot, in whatever race, reads it completely.
 * Where an input was handed off is null until then, and volatile.
 */
public final class AcquireTrace {
    /** The packages whose classes acquire for their caller, adapters included: their frames tell nothing to the reader of a stack. */
    private static final List<String> OURS = List.of(
            "dev.buffers.internal.",
            "dev.buffers.io.",
            "dev.buffers.grizzly.",
            "dev.buffers.jetty.",
            "dev.buffers.tlschannel.",
            "dev.buffers.tomcat.",
            "dev.buffers.undertow.");

    private static final int MOST_TOUCHES = 8;
    private static final Touch[] UNTOUCHED = {};

    /** The state with which its tenancy began; shows whether this trace belongs to the slot's present tenancy. */
    final long stamp;

    /** The bytes asked for. */
    public final int size;

    public final long nanoTime = System.nanoTime();
    public final String thread = Thread.currentThread().getName();
    public final Throwable acquired;

    /** Where the input of a channel was handed to its user, who did not acquire it. */
    private volatile @Nullable HandOff handedOff;

    /** Whether the lease was reported because it is out for too long. Plain, for the tick alone. */
    public boolean reported;

    /** Guarded by the lock of this. */
    private Touch[] touches = UNTOUCHED;

    public AcquireTrace(long stamp, int size) {
        this.stamp = stamp;
        this.size = size;
        this.acquired = new Throwable("acquired here, by thread " + thread);
    }

    private static final class HandOff {
        final String thread = Thread.currentThread().getName();
        final Throwable stack = new Throwable("handed off here, by thread " + thread);
    }

    /** A stack without the frames of our own at its top: it begins with the library's caller. */
    public static List<StackTraceElement> stack(Throwable at) {
        return Arrays.stream(at.getStackTrace())
                .dropWhile(frame -> isOurs(frame.getClassName()))
                .toList();
    }

    static boolean isOurs(String type) {
        return OURS.stream().anyMatch(type::startsWith);
    }

    /** Called by the thread that gives a channel's input to its user: reports name that place instead of the read. */
    public void handOff() {
        try {
            handedOff = new HandOff();
        } catch (OutOfMemoryError e) {
            // Reports name the read.
        }
    }

    /** The stack with which the lease came to its user. */
    public Throwable given() {
        HandOff later = handedOff;
        return later == null ? acquired : later.stack;
    }

    /** Keeps the latest hints of the lease's user. */
    public void touch(Object hint) {
        String text = text(hint); // with no lock held
        Touch touch =
                new Touch(text, age(System.nanoTime()), Thread.currentThread().getName());
        synchronized (this) {
            int from = Math.max(0, touches.length + 1 - MOST_TOUCHES);
            Touch[] more = Arrays.copyOfRange(touches, from, touches.length + 1);
            more[more.length - 1] = touch;
            touches = more; // last: whatever is thrown before, those that were there stay
        }
    }

    /** Calls the user's code. */
    private static String text(Object hint) {
        try {
            return String.valueOf(hint);
        } catch (Throwable e) {
            return "toString has thrown: " + e.getClass().getName();
        }
    }

    /** What a report tells of the lease, with its age at {@code now}, a {@link System#nanoTime}. */
    public Acquisition acquisition(long now) {
        HandOff later = handedOff;
        return new Acquisition(
                size,
                age(now),
                later == null ? thread : later.thread,
                stack(later == null ? acquired : later.stack),
                touches());
    }

    /** The hints that are kept, the earliest first. */
    synchronized List<Touch> touches() {
        return List.of(touches);
    }

    /** How long the lease was open at {@code now}, a {@link System#nanoTime}. */
    public Duration age(long now) {
        return Duration.ofNanos(Math.max(0, now - nanoTime));
    }

    /** Whether a slot in this state is still in the tenancy of this trace. */
    public boolean isOf(long state) {
        return SlotState.sameTenancy(stamp, state);
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.guard;

import dev.buffers.internal.signals.Callbacks;
import dev.buffers.internal.signals.FlightEvents;
import dev.buffers.internal.signals.PoolState;
import dev.buffers.internal.slab.AcquireTrace;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reports what the guard finds to Flight Recorder and the log, each with the stacks of the acquire, the release and the finding.
 *
 * <p>Any thread, with no lock held. No more than 100 findings a minute are logged.
 */
final class Findings {
    private static final int MOST_LOGGED = 100;

    private final PoolState pool;

    /** How many findings are not in the log yet. */
    private final AtomicInteger unlogged = new AtomicInteger();

    /** Guarded by the lock of this, like the next one. */
    private long minute;

    private int logged;

    Findings(PoolState pool) {
        this.pool = pool;
    }

    /** What the guard can find. */
    enum Kind {
        WRITE_AFTER_RELEASE("a buffer was written to after its release"),
        OVERRUN("a buffer was written to past its end, through array()"),
        UNDERRUN("a buffer was written to before its start, through array()"),
        DOUBLE_RELEASE("a buffer was released twice"),
        USE_AFTER_RELEASE("a buffer was used after its release"),
        RELEASE_AFTER_CLOSE("a buffer was released after its pool was closed"),
        IO_IN_FLIGHT("a buffer was released while an I/O was using it"),
        TWO_THREADS("a ChannelBuffers was used by two threads at once");

        final String text;

        Kind(String text) {
            this.text = text;
        }
    }

    /** Makes the error for the use of a lease that has ended, with the stacks of the acquire and of the release. */
    IllegalStateException ended(Tenancy tenancy, boolean release, @Nullable Throwable released) {
        IllegalStateException error = new IllegalStateException("PooledBuffer already released: pool=" + pool.name()
                + ", capacity=" + tenancy.capacity + "; the suppressed exceptions show where");
        error.addSuppressed(stripped(tenancy.trace.given()));
        if (released != null) {
            error.addSuppressed(stripped(released));
        }
        Kind kind = release ? Kind.DOUBLE_RELEASE : Kind.USE_AFTER_RELEASE;
        report(kind, tenancy.capacity, tenancy.trace.given(), released, withoutPool(error));
        return error;
    }

    /** Makes the error for two threads that are in one {@code ChannelBuffers}. */
    IllegalStateException twoThreads(Thread other) {
        Throwable there = new Throwable("the other one is here, thread " + other.getName());
        there.setStackTrace(other.getStackTrace());
        IllegalStateException error = new IllegalStateException("two threads use one ChannelBuffers at once: "
                + Thread.currentThread().getName() + ", " + other.getName());
        error.addSuppressed(there);
        report(Kind.TWO_THREADS, 0, there, null, withoutPool(error));
        return error;
    }

    /** An error keeps the frames of a stream or an adapter that has made the call. */
    private static Throwable withoutPool(Throwable error) {
        error.setStackTrace(Arrays.stream(error.getStackTrace())
                .dropWhile(frame -> frame.getClassName().startsWith("dev.buffers.internal."))
                .toArray(StackTraceElement[]::new));
        return error;
    }

    private static Throwable stripped(Throwable at) {
        at.setStackTrace(AcquireTrace.stack(at).toArray(new StackTraceElement[0]));
        return at;
    }

    /** The message and the stack, one frame a line; empty for null. */
    private static String text(@Nullable Throwable at) {
        return at == null
                ? ""
                : at.getMessage()
                        + AcquireTrace.stack(at).stream()
                                .map(frame -> "\n\tat " + frame)
                                .collect(Collectors.joining());
    }

    void report(Kind kind, Tenancy tenancy, @Nullable Throwable found) {
        report(kind, tenancy.capacity, tenancy.trace.given(), tenancy.released, found);
    }

    private void report(
            Kind kind,
            int capacity,
            @Nullable Throwable acquired,
            @Nullable Throwable released,
            @Nullable Throwable found) {
        try {
            String acquiredAt = text(acquired);
            String releasedAt = text(released);
            String foundAt = text(found);
            FlightEvents.guardFinding(pool.name(), kind.name(), capacity, acquiredAt, releasedAt, foundAt);
            if (mayLog()) {
                String line = kind.text + ": pool=" + pool.name() + ", capacity=" + capacity + "\n" + acquiredAt + "\n"
                        + releasedAt + "\n" + foundAt;
                unlogged.incrementAndGet();
                pool.call(new Callbacks.Callback("the log", () -> {
                    unlogged.decrementAndGet();
                    Callbacks.warn(line, null);
                }));
            }
        } catch (OutOfMemoryError e) {
            // The finding is not reported, but its caller goes on.
        }
    }

    private synchronized boolean mayLog() {
        long now = System.nanoTime() / TimeUnit.MINUTES.toNanos(1);
        logged = now == minute ? logged + 1 : 1;
        minute = now;
        return logged <= MOST_LOGGED && unlogged.get() < MOST_LOGGED;
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.signals;

import dev.buffers.AcquireOutcome;
import dev.buffers.Exhaustion;
import dev.buffers.PoolExhaustedException;
import dev.buffers.PoolStats;
import dev.buffers.internal.text.DurationText;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Counts and logs the acquires that a pool refuses, and logs those that it serves beyond its cap. Makes the errors of those that throw,
 * and records these in Flight Recorder; a {@code tryAcquire} that returns null is only in the periodic event's {@code refused}.
 *
 * <p>Any thread, with no lock held.
 */
public final class Refusals {
    /*
     * The log gets a line for the first refusal, and then at most one a minute; the same for acquires beyond the cap. The pool's own thread
     * writes it (Callbacks).
     *
     *   field of a Line  written by                                    mode                   read by             mode
     *   next             the thread whose acquire the log shows        compareAndSet          an acquiring thread volatile
     *   unlogged         an acquiring thread; to 0 with each line      getAndAdd, getAndSet   the same            volatile
     */
    private static final long LOG_EVERY = TimeUnit.MINUTES.toNanos(1);
    private static final int NO_CLASS = -1;

    private final PoolState pool;
    final Line refused = new Line();
    private final Line beyond = new Line();

    public Refusals(PoolState pool) {
        this.pool = pool;
    }

    /** Counts a refusal and makes its error. */
    public PoolExhaustedException error(int size, String reason) {
        count(size, reason);
        PoolStats stats = pool.stats();
        FlightEvents.exhausted(pool.name(), size, reason, stats);
        return uncounted(size, reason, stats);
    }

    /** The beginning of a reason: how long it waited since then, a {@link System#nanoTime}, and whether an interrupt has ended that. */
    public static String waited(boolean interrupted, long since) {
        long millis = Math.max(1, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - since));
        return (interrupted ? "interrupted after " : "waited ") + DurationText.of(Duration.ofMillis(millis)) + ", ";
    }

    /** The error of a call that is no acquire. */
    public PoolExhaustedException uncounted(int size, String reason) {
        return uncounted(size, reason, pool.stats());
    }

    private PoolExhaustedException uncounted(int size, String reason, PoolStats stats) {
        String full = reason + " (" + advice(reason) + ")";
        return new PoolExhaustedException(pool.name(), size, full, stats, isHopeless(reason));
    }

    /** Counts a refusal; writes no event. */
    public void count(int size, String reason) {
        pool.counters.acquired(AcquireOutcome.REJECTED, NO_CLASS);
        if (!isHopeless(reason)) {
            pool.counters.refused(size);
        }
        pool.notifySizeListeners(size);
        if (refused.isDue()) {
            log(refused, () -> uncounted(size, reason).getMessage(), "; refused since the last such line: ");
        }
    }

    /** Adds an acquire beyond the cap, because {@code at-limit=unpooled}; true when the log needs its line. Its pool counts it. */
    public boolean beyondIsDue() {
        return beyond.isDue();
    }

    /** Logs the line of acquires beyond the cap, with this one. */
    public void logBeyond(int size, String reason) {
        log(beyond, () -> beyond(size, reason), "; acquires beyond the cap since the last such line: ");
    }

    private String beyond(int size, String reason) {
        PoolStats stats = pool.stats();
        return "pool is full, buffers come from the heap beyond its cap: pool=" + pool.name() + ", size=" + size
                + ", reason=" + reason + " (" + advice(reason) + "), max=" + stats.maxBytes() + ", reserved="
                + stats.reservedBytes() + ", leased=" + stats.leasedBytes() + ", lost=" + stats.lostBytes()
                + ", dropped=" + stats.droppedBytes() + ", leases=" + stats.leases();
    }

    private void log(Line line, Supplier<String> text, String several) {
        try {
            long unlogged = line.unlogged.getAndSet(0);
            String message = text.get() + (unlogged > 1 ? several + unlogged : "");
            pool.callbacks().add(new Callbacks.Callback("the log", () -> Callbacks.warn(message, null)));
        } catch (OutOfMemoryError e) {
            // The next line says how many acquires there were.
        }
    }

    /** A line of the log that stands for many acquires. */
    static final class Line {
        /** When it may be written again, in {@link System#nanoTime} terms. */
        final AtomicLong next = new AtomicLong(System.nanoTime());

        private final AtomicLong unlogged = new AtomicLong();

        /** Adds one acquire; true for the one with which to write the line. */
        private boolean isDue() {
            unlogged.getAndIncrement();
            long due = next.get();
            long now = System.nanoTime();
            return now - due >= 0 && next.compareAndSet(due, now + LOG_EVERY);
        }
    }

    /** How to avoid the refusal, if so much memory is wanted regularly. */
    private String advice(String reason) {
        PlacedSettings settings = pool.settings();
        if (reason.contains("the JVM is out of memory")) {
            return "give the JVM more memory";
        } else if (reason.contains("the JVM's limit for direct memory")) {
            return "raise -XX:MaxDirectMemorySize";
        }
        boolean fails = settings.atLimit().kind() == Exhaustion.Kind.FAIL && !isHopeless(reason);
        return "raise " + settings.where("max") + (fails ? ", or wait: " + settings.where("at-limit", "wait:1s") : "");
    }

    /** Whether even an empty pool would refuse it. */
    private static boolean isHopeless(String reason) {
        return reason.contains("can never succeed");
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support;

import static org.junit.jupiter.api.Assertions.fail;

import dev.buffers.internal.upkeep.MaintenanceThread;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Waits for what another thread or the collector is about to do, until a deadline that only a broken build meets. How fast the machine
 * is, and what else it has to do, decides nothing. {@link Mutants}, whose builds are broken, sets {@code test.patience} to fewer seconds.
 */
public final class Eventually {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(Integer.getInteger("test.patience", 300));
    private static final int MOST_LOOKS = 200;

    private Eventually() {}

    /** Does something, and says how many milliseconds it took. */
    public interface Attempt<E extends Exception> {
        long millis() throws E;
    }

    public static void holds(String what, BooleanSupplier condition) {
        poll(() -> what, condition, () -> {});
    }

    /** The same, with a collection before each look, and a tick, which handles what that has found. */
    public static void collected(String what, BooleanSupplier condition) {
        collected(() -> what, condition);
    }

    /** With figures of the last look. */
    public static void collected(Supplier<String> what, BooleanSupplier condition) {
        poll(what, condition, () -> {
            System.gc();
            MaintenanceThread.requestTick();
        });
    }

    /**
     * What takes no longer than this: an attempt may be, which says how many milliseconds it took. A machine that has other things to do
     * makes any one of them take longer, but not all; only what always takes too long fails.
     */
    public static <E extends Exception> void within(long millis, Attempt<E> attempt) throws E {
        long deadline = deadline();
        long shortest = Long.MAX_VALUE;
        while (shortest > millis) {
            shortest = Math.min(shortest, attempt.millis());
            if (shortest > millis && isPast(deadline)) {
                fail("takes longer than " + millis + " ms: the shortest of many attempts took " + shortest + " ms");
            }
        }
    }

    /** The same of something that need not say how long it took. */
    public static void within(long millis, Runnable attempt) {
        within(millis, () -> {
            long start = System.nanoTime();
            attempt.run();
            return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        });
    }

    /** For loops of a test's own: when to give up. */
    public static long deadline() {
        return System.nanoTime() + PATIENCE_NANOS;
    }

    public static boolean isPast(long deadline) {
        return System.nanoTime() - deadline > 0;
    }

    /** A collection takes longer than a look, and often what it has found shows later: each comes after a longer pause than the one before. */
    private static void poll(Supplier<String> what, BooleanSupplier condition, Runnable between) {
        long deadline = deadline();
        int next = 0;
        for (int looks = 0; !condition.getAsBoolean(); looks++) {
            if (isPast(deadline)) {
                fail("did not happen: " + what.get());
            }
            if (looks == next) {
                between.run();
                next = Math.min(2 * looks + 1, looks + MOST_LOOKS);
            }
            LockSupport.parkNanos(1_000_000);
        }
    }
}

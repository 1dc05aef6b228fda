package dev.buffers;

import static org.junit.jupiter.api.Assertions.fail;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Polls for what another thread or the collector is about to do, until a deadline that only a broken build meets. */
final class Eventually {
    private static final long PATIENCE_SECONDS = 20;

    private Eventually() {}

    static void holds(String what, BooleanSupplier condition) {
        poll(what, condition, () -> {});
    }

    /** The same, with a collection before each look. */
    static void collected(String what, BooleanSupplier condition) {
        poll(what, condition, System::gc);
    }

    private static void poll(String what, BooleanSupplier condition, Runnable meanwhile) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                fail("did not happen: " + what);
            }
            meanwhile.run();
            LockSupport.parkNanos(1_000_000);
        }
    }
}

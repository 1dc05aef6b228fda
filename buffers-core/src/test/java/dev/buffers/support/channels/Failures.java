// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support.channels;

import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/** What channels throw. */
public final class Failures {
    private Failures() {}

    /** One that says nothing of an I/O still going on. */
    static Throwable any(Random random) {
        return switch (random.nextInt(3)) {
            case 0 -> new IOException("scripted");
            case 1 -> new UnsupportedOperationException("scripted");
            default -> new AssertionError("scripted");
        };
    }

    /** Those of a call that was cut short. */
    public static List<IOException> cutShort() {
        return List.of(
                new AsynchronousCloseException(),
                new ClosedByInterruptException(),
                new java.net.SocketTimeoutException("scripted"),
                new java.nio.channels.InterruptedByTimeoutException());
    }

    /** What the call of another thread, or a transfer, failed with. */
    public static Throwable of(Future<?> future) {
        return assertThrows(ExecutionException.class, future::get).getCause();
    }

    /** Throws anything where no checked exception may be thrown. */
    @SuppressWarnings("unchecked")
    public static <T extends Throwable> T sneak(Throwable thrown) throws T {
        throw (T) thrown;
    }

    public static boolean isScripted(Throwable thrown) {
        return "scripted".equals(thrown.getMessage());
    }
}

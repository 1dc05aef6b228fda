// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.memory;

import dev.buffers.internal.signals.Callbacks;
import dev.buffers.internal.text.ByteSize;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Whether the container, or the machine, has room for the largest heap and for a pool's direct memory beside it. Where it has not, the
 * system may end the process while the pool is still below its cap.
 *
 * <p>Any thread. Logged once in the life of the JVM, for the first such pool.
 */
public final class MemoryRoom {
    private static final AtomicBoolean LOGGED = new AtomicBoolean();

    private MemoryRoom() {}

    public static void check(String pool, long max) {
        complaint(pool, max, DirectLimit.heap(), DirectLimit.machine()).ifPresent(line -> {
            if (LOGGED.compareAndSet(false, true)) {
                Callbacks.warn(line, null);
            }
        });
    }

    /** What to log, if anything, where {@code memory} is what the container or machine has. */
    static Optional<String> complaint(String pool, long max, long heap, long memory) {
        if (memory <= 0 || max <= memory - heap) {
            return Optional.empty();
        }
        return Optional.of(
                "the heap and this pool's direct memory may together take more than the container or machine has: pool="
                        + pool + ", memory=" + mebibytes(memory) + ", heap=" + mebibytes(heap) + ", max="
                        + mebibytes(max)
                        + "; leave room: for example -Xmx" + mebibytes(memory / 2) + " -XX:MaxDirectMemorySize="
                        + mebibytes(memory / 4) + ", or -Dbuffers.max=" + mebibytes(memory / 8)
                        + " and a smaller heap (docs/sizing.md)");
    }

    private static String mebibytes(long bytes) {
        return ByteSize.text(bytes < ByteSize.MIB ? bytes : bytes / ByteSize.MIB * ByteSize.MIB);
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.monitor;

import dev.buffers.BufferPool;
import dev.buffers.PoolStats;
import dev.buffers.internal.signals.Callbacks;
import dev.buffers.internal.signals.PoolName;
import dev.buffers.internal.signals.PoolState;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Shows a pool to the rest of the JVM: by its name and its JMX beans. {@link #run} ends that, and does not hold the pool.
 *
 * <p>Any thread.
 */
public final class Exposure implements Runnable {
    private final PoolName name;
    private final @Nullable MBeans beans;

    /** Of a pool that is being made. */
    public Exposure(PoolState pool) {
        this.name = pool.ownedName();
        this.beans = pool.settings().jmx() ? new MBeans(pool.name()) : null;
    }

    /** Called when the pool is ready. */
    public void begin(BufferPool shown) {
        if (beans != null) {
            try {
                beans.register(shown);
            } catch (OutOfMemoryError e) { // of direct memory, too: the server may have to make the JDK's beans first
                Callbacks.warn(
                        "a pool is not shown over JMX for lack of memory: pool=" + shown.name() + ", error="
                                + e.getMessage(),
                        null);
            }
        }
    }

    @Override
    public void run() {
        try {
            if (beans != null) {
                beans.close();
            }
        } finally {
            name.free(); // last: the beans of the next pool of this name have its name
        }
    }

    /** Tells the log of the leases that are out of a pool that was just closed: once it is closed, nothing else will. */
    public static void warnOfOpenLeases(PoolState pool, Supplier<List<OpenLease>> open) {
        try {
            PoolStats stats = pool.stats();
            if (stats.leases() > 0) {
                String line = OpenLeases.ofLeases(open.get())
                        .atClose(
                                pool.name(),
                                pool.settings().where("leaks", "all"),
                                stats.leases(),
                                stats.leasedBytes());
                pool.call(new Callbacks.Callback("the log", () -> Callbacks.warn(line, null)));
            }
        } catch (OutOfMemoryError | StackOverflowError | LinkageError e) {
            // The pool is closed all the same.
        }
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.springboot;

import dev.buffers.PoolExhaustedException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Counts and logs the requests that are answered 503. The log gets a line for the first of each kind, and then at most one a minute.
 *
 * <p>Any thread. Both fields of a count are volatile; the thread whose compare-and-set moves {@code nextLog} writes the line.
 */
final class RejectedRequests {
    private static final Log LOG = LogFactory.getLog(RejectedRequests.class);
    private static final long LOG_EVERY = TimeUnit.MINUTES.toNanos(1);

    private final int maxRequests;
    private final Count tooMany = new Count();
    private final Count noBuffer = new Count();

    RejectedRequests(int maxRequests) {
        this.maxRequests = maxRequests;
    }

    void forTooManyRequests() {
        if (tooMany.add()) {
            LOG.warn("too many requests in progress, answered 503: " + PoolsOfEnvironment.MAX_REQUESTS + "="
                    + maxRequests + ", answered so since the start=" + tooMany.sum());
        }
    }

    void forWantOfBuffer(PoolExhaustedException full) {
        if (noBuffer.add()) {
            LOG.warn("no buffer for a request, answered 503: answered so since the start=" + noBuffer.sum() + "; "
                    + full.getMessage());
        }
    }

    long tooMany() {
        return tooMany.sum();
    }

    long withoutBuffer() {
        return noBuffer.sum();
    }

    private static final class Count {
        private final AtomicLong sum = new AtomicLong();
        private final AtomicLong nextLog = new AtomicLong(System.nanoTime());

        /** True when the log needs a line. */
        boolean add() {
            sum.incrementAndGet();
            long due = nextLog.get();
            long now = System.nanoTime();
            return now - due >= 0 && nextLog.compareAndSet(due, now + LOG_EVERY);
        }

        long sum() {
            return sum.get();
        }
    }
}

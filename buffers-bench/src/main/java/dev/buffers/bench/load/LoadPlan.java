// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.load;

import java.time.Duration;

/**
 * What load to put on a server.
 *
 * @param connections open at the same time
 * @param threads that drive them
 * @param time during which requests are sent
 * @param maxResponses after which no more are sent; for all threads together
 * @param rate requests a second to be sent whatever the server does (open loop), with exponential gaps; 0 for a closed loop, where
 *     each connection sends its next request when the last answer is complete
 * @param connectFirst whether the clock starts when all connections are open, which then stay, or each run opens and closes its own
 */
public record LoadPlan(
        int connections, int threads, Duration time, long maxResponses, double rate, boolean connectFirst) {

    public LoadPlan {
        if (threads < 1 || connections < threads) {
            throw new IllegalArgumentException(
                    "every thread needs a connection: threads=" + threads + ", connections=" + connections);
        }
        if (!(rate >= 0)) {
            throw new IllegalArgumentException("not a rate: rate=" + rate);
        }
    }

    public static LoadPlan closed(int connections, Duration time) {
        return new LoadPlan(connections, Math.min(2, connections), time, Long.MAX_VALUE, 0, true);
    }

    /** An open loop of one thread, which does not sleep between close requests: timers are coarser than the latencies measured. */
    public static LoadPlan open(int connections, Duration time, double rate) {
        return new LoadPlan(connections, 1, time, Long.MAX_VALUE, rate, true);
    }

    public LoadPlan withMaxResponses(long value) {
        return new LoadPlan(connections, threads, time, value, rate, connectFirst);
    }

    /** Each run opens its connections as part of the timed work, and lasts for the time of the plan. */
    public LoadPlan timingConnects() {
        return new LoadPlan(connections, threads, time, maxResponses, rate, false);
    }

    boolean isOpenLoop() {
        return rate > 0;
    }
}

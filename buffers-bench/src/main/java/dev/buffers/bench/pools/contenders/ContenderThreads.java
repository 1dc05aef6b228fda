// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.pools.contenders;

import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads of a JMH fork, made by the contender that it measures: Netty and Grizzly keep their thread-local caches for threads of their
 * own kind. JMH finds this class by the options of {@link #of}.
 */
public final class ContenderThreads extends ThreadPoolExecutor {
    private static final String CONTENDER = "workloads.contender";

    /** What JMH calls. */
    public ContenderThreads(int maxThreads, String prefix) {
        super(maxThreads, maxThreads, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
            Thread thread =
                    Contenders.valueOf(System.getProperty(CONTENDER, "")).thread(task);
            thread.setName(prefix + "-" + thread.getName());
            thread.setDaemon(true);
            return thread;
        });
    }

    /** The options of a fork that uses a contender's threads. */
    static List<String> of(Contenders contender) {
        return List.of(
                "-Djmh.executor=CUSTOM",
                "-Djmh.executor.class=" + ContenderThreads.class.getName(),
                "-D" + CONTENDER + "=" + contender);
    }
}

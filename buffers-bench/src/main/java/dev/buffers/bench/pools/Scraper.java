// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.pools;

import dev.buffers.bench.harness.Outside;
import dev.buffers.bench.pools.contenders.Contender;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A thread that does again and again what a scrape makes a server do: it reads a contender's figures and writes them as text. */
final class Scraper implements AutoCloseable {
    private static final String ACQUIRES = "buffers_pool_acquires_total{";

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(Scraper::daemon);
    private final AtomicLong scrapes = new AtomicLong();
    private final ScheduledFuture<?> task;

    /** Scrapes once, and from then on that often. */
    Scraper(Contender source, int perSecond) {
        long nanos = TimeUnit.SECONDS.toNanos(1) / perSecond;
        source.showIn(registry);
        scrape();
        task = thread.scheduleAtFixedRate(this::scrape, nanos, nanos, TimeUnit.NANOSECONDS);
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "scraper");
        thread.setDaemon(true);
        Outside.leaveOut(thread);
        return thread;
    }

    private void scrape() {
        String text = registry.scrape();
        if (!text.contains(ACQUIRES)) {
            throw new IllegalStateException("the pool's meters are missing: text=" + text);
        }
        scrapes.incrementAndGet();
    }

    /** So far. */
    long scrapes() {
        return scrapes.get();
    }

    /** Ends, and checks that every scrape had what it asked for: the first that has not is the last. */
    @Override
    public void close() {
        boolean failed = task.isDone();
        thread.shutdownNow();
        if (failed) {
            throw new IllegalStateException("a scrape failed: scrapes=" + scrapes);
        }
    }
}

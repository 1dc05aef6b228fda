// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.micrometer;

import dev.buffers.BufferPolicy;
import dev.buffers.BufferPool;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The meters of one pool, in as many registries as it is bound to, until it is closed.
 *
 * <p>Each meter has the tags {@code pool} (its name), {@code policy} and {@code memory} ({@code heap} or {@code direct}), and those
 * given here. A Prometheus registry accepts a name only with the same keys every time: give all pools the same.
 *
 * <p><b>Ownership.</b> A registry keeps the pool reachable until this is closed or the registry is gone; nothing static does. Closing
 * this does not close the pool. A pool that is closed first is shown as it is from then on. When a pool of the same name, policy
 * and tags is bound to the same registry, its meters take the place of all of these: those that it does not have are removed.
 *
 * <p><b>Threads.</b> Any.
 *
 * <p><b>Cost.</b> None per acquire or release, unless {@linkplain Builder#requestedSizes requested sizes} are shown. A scrape adds up
 * the pool's figures once: all meters read within 100 milliseconds by the registry's clock come from one {@link BufferPool#stats}.
 * A meter that is read again shows a new one, so what a registry publishes when it is closed is complete.
 */
public final class BufferPoolMetrics implements MeterBinder, AutoCloseable {
    private static final Set<String> OURS = Set.of("pool", "policy", "memory", "size", "outcome");

    private final BufferPool pool;
    private final Tags tags;
    private final boolean waits;
    private final boolean requestedSizes;
    private final ReentrantLock lock = new ReentrantLock();
    private final IdentityHashMap<MeterRegistry, PoolMeters> bound = new IdentityHashMap<>();
    private boolean closed;

    /**
     * Meters that are not in any registry yet.
     *
     * @param pool to be shown; it stays the caller's
     * @param tags added to every meter
     * @throws IllegalArgumentException when a tag is one that the meters have anyway
     */
    public BufferPoolMetrics(BufferPool pool, Iterable<Tag> tags) {
        this(builder(pool).tags(tags));
    }

    private BufferPoolMetrics(Builder builder) {
        this.pool = builder.pool;
        this.waits = builder.waits;
        this.requestedSizes = builder.requestedSizes;
        for (Tag tag : builder.tags) {
            if (OURS.contains(tag.getKey())) {
                throw new IllegalArgumentException("tag is the meters' own: tag=" + tag.getKey());
            }
        }
        BufferPolicy policy = pool.settings().policy();
        this.tags = builder.tags.and(
                "pool", pool.name(), "policy", policy.name(), "memory", policy.direct() ? "direct" : "heap");
    }

    /**
     * For more meters than the usual ones.
     *
     * @param pool to be shown; it stays the caller's
     * @return what makes them
     */
    public static Builder builder(BufferPool pool) {
        return new Builder(pool);
    }

    /**
     * Shows the pool in the registry until the result is closed.
     *
     * @param registry where
     * @param pool to be shown; it stays the caller's
     * @return the meters, the caller's to close
     */
    public static BufferPoolMetrics monitor(MeterRegistry registry, BufferPool pool) {
        return monitor(registry, pool, List.of());
    }

    /**
     * Shows the pool in the registry, with more tags, until the result is closed.
     *
     * @param registry where
     * @param pool to be shown; it stays the caller's
     * @param tags added to every meter
     * @return the meters, the caller's to close
     * @throws IllegalArgumentException when a tag is one that the meters have anyway
     */
    public static BufferPoolMetrics monitor(MeterRegistry registry, BufferPool pool, Tag... tags) {
        return monitor(registry, pool, Arrays.asList(tags));
    }

    /**
     * Shows the pool in the registry, with more tags, until the result is closed.
     *
     * @param registry where
     * @param pool to be shown; it stays the caller's
     * @param tags keys and values in turn, added to every meter
     * @return the meters, the caller's to close
     * @throws IllegalArgumentException when a tag is one that the meters have anyway
     */
    public static BufferPoolMetrics monitor(MeterRegistry registry, BufferPool pool, String... tags) {
        return monitor(registry, pool, Tags.of(tags));
    }

    /**
     * Shows the pool in the registry, with more tags, until the result is closed.
     *
     * @param registry where
     * @param pool to be shown; it stays the caller's
     * @param tags added to every meter
     * @return the meters, the caller's to close
     * @throws IllegalArgumentException when a tag is one that the meters have anyway
     */
    public static BufferPoolMetrics monitor(MeterRegistry registry, BufferPool pool, Iterable<Tag> tags) {
        return builder(pool).tags(tags).monitor(registry);
    }

    /**
     * Shows the pool in one more registry; in one where it is shown already, anew.
     *
     * @param registry where
     * @throws IllegalStateException when this is closed
     */
    @Override
    public void bindTo(MeterRegistry registry) {
        Objects.requireNonNull(registry, "registry");
        lock.lock();
        try {
            if (closed) {
                throw new IllegalStateException("metrics are closed: pool=" + pool.name());
            }
            PoolMeters former = bound.remove(registry);
            if (former != null) {
                former.close();
            }
            bound.put(registry, PoolMeters.register(registry, pool::stats, tags, this::registerMore));
        } finally {
            lock.unlock();
        }
    }

    private void registerMore(PoolMeters meters) {
        if (waits) {
            meters.registerWaits();
        }
        if (requestedSizes) {
            meters.registerRequestedSizes(pool);
        }
    }

    /** Removes the meters from every registry. Closing again does nothing. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            bound.values().forEach(PoolMeters::close);
            bound.clear();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Says which meters beyond the usual ones a pool is shown with.
     *
     * <p><b>Threads.</b> One at a time.
     */
    public static final class Builder {
        private final BufferPool pool;
        private Tags tags = Tags.empty();
        private boolean waits;
        private boolean requestedSizes;

        private Builder(BufferPool pool) {
            this.pool = Objects.requireNonNull(pool, "pool");
        }

        /**
         * Adds tags to every meter.
         *
         * @param more keys and values in turn
         * @return this
         */
        public Builder tags(String... more) {
            return tags(Tags.of(more));
        }

        /**
         * Adds tags to every meter.
         *
         * @param more which
         * @return this
         */
        public Builder tags(Iterable<Tag> more) {
            tags = tags.and(more);
            return this;
        }

        /**
         * Also {@code buffers.pool.waits}, a timer of the waits for room. Costs acquires nothing.
         *
         * @return this
         */
        public Builder waits() {
            waits = true;
            return this;
        }

        /**
         * Also {@code buffers.pool.requested}, a summary of the sizes that acquires ask for, in bytes. Each acquire then records one
         * value in each registry, which takes longer than the acquire itself. The pool keeps the summary until the meters are closed.
         *
         * @return this
         */
        public Builder requestedSizes() {
            requestedSizes = true;
            return this;
        }

        /**
         * Meters that are not in any registry yet.
         *
         * @return the meters, the caller's to bind and to close
         * @throws IllegalArgumentException when a tag is one that the meters have anyway
         */
        public BufferPoolMetrics build() {
            return new BufferPoolMetrics(this);
        }

        /**
         * Shows the pool in the registry until the result is closed.
         *
         * @param registry where
         * @return the meters, the caller's to close
         * @throws IllegalArgumentException when a tag is one that the meters have anyway
         */
        public BufferPoolMetrics monitor(MeterRegistry registry) {
            BufferPoolMetrics metrics = build();
            metrics.bindTo(registry);
            return metrics;
        }
    }
}

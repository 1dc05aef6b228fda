// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.springboot;

import dev.buffers.micrometer.BufferPoolMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import org.springframework.core.Ordered;

/**
 * The meters of all pools, in each registry that Boot binds; gone with the context, before the pools. The first binder, so that meters
 * that the application binds for the same pool take the place of these.
 */
final class PoolMeterBinder implements MeterBinder, Ordered, AutoCloseable {
    private final List<BufferPoolMetrics> metrics;

    PoolMeterBinder(StarterPools pools) {
        this.metrics = pools.all().stream()
                .map(pool -> BufferPoolMetrics.builder(pool).waits().build())
                .toList();
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        metrics.forEach(each -> each.bindTo(registry));
    }

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public void close() {
        metrics.forEach(BufferPoolMetrics::close);
    }
}

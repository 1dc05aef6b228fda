// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.springboot;

import dev.buffers.micrometer.BufferPoolMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;

/** The meters of all pools, in each registry that Boot binds; gone with the context, before the pools. */
final class PoolMeterBinder implements MeterBinder, AutoCloseable {
    private final List<BufferPoolMetrics> metrics;

    PoolMeterBinder(ServerBufferPools pools) {
        this.metrics = pools.all().stream()
                .map(pool -> BufferPoolMetrics.builder(pool).build())
                .toList();
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        metrics.forEach(each -> each.bindTo(registry));
    }

    @Override
    public void close() {
        metrics.forEach(BufferPoolMetrics::close);
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.springboot;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/** Always up: a pool at its cap is a busy server, and restarting that would not help. The figures are the details. */
final class BuffersHealthIndicator extends AbstractHealthIndicator {
    private final StarterPools pools;

    BuffersHealthIndicator(StarterPools pools) {
        this.pools = pools;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        builder.up();
        pools.all().forEach(pool -> builder.withDetail(pool.name(), PoolFigures.brief(pool)));
    }
}

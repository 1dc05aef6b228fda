// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.springboot;

import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/** The pools' meters, where Micrometer is on the class path. */
@AutoConfiguration(after = BuffersAutoConfiguration.class)
@ConditionalOnClass(MeterBinder.class)
@ConditionalOnBean(StarterPools.class)
class BuffersMetricsAutoConfiguration {

    @Bean
    PoolMeterBinder serverBufferMeters(StarterPools pools) {
        return new PoolMeterBinder(pools);
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.springboot;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.context.annotation.Bean;

/** The health detail {@code buffers}, unless {@code management.health.buffers.enabled=false}. */
@AutoConfiguration(after = BuffersAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnEnabledHealthIndicator.class)
@ConditionalOnEnabledHealthIndicator("buffers")
@ConditionalOnBean(StarterPools.class)
class BuffersHealthAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    BuffersHealthIndicator buffersHealthIndicator(StarterPools pools) {
        return new BuffersHealthIndicator(pools);
    }
}

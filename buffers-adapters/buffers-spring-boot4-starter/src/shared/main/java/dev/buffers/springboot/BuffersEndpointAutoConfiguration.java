// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.springboot;

import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** The endpoint {@code buffers}, where the actuator is on the class path and exposes it. */
@AutoConfiguration(after = BuffersAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnAvailableEndpoint(endpoint = BuffersEndpoint.class)
@ConditionalOnBean(StarterPools.class)
class BuffersEndpointAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    BuffersEndpoint buffersEndpoint(StarterPools pools) {
        return new BuffersEndpoint(pools);
    }
}

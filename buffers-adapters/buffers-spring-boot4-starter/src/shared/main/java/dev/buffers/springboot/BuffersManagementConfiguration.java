// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.springboot;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextType;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;

/**
 * The actuator's separate server, if there is one, on the pools, unless {@code buffers.spring.enabled=false}: its context does not see
 * the application's customizers.
 */
@ManagementContextConfiguration(value = ManagementContextType.CHILD, proxyBeanMethods = false)
@ConditionalOnBean(ServerBufferPools.class)
@ConditionalOnProperty(name = "buffers.spring.enabled", havingValue = "true", matchIfMissing = true)
class BuffersManagementConfiguration {

    @Bean
    PoolCustomizer managementBufferPoolCustomizer(ServerBufferPools pools, ObjectProvider<ServerAdapter> adapters) {
        return new PoolCustomizer(pools, adapters.orderedStream().toList());
    }
}

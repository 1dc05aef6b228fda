// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.springboot;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;

/** The embedded server on the pools, where there is one, unless {@code buffers.spring.enabled=false}. */
@AutoConfiguration(after = BuffersAutoConfiguration.class)
@ConditionalOnClass(WebServerFactoryCustomizer.class)
@ConditionalOnBean(ServerBufferPools.class)
@ConditionalOnProperty(name = "buffers.spring.enabled", havingValue = "true", matchIfMissing = true)
class BuffersWebServerAutoConfiguration {

    @Bean
    PoolCustomizer serverBufferPoolCustomizer(ServerBufferPools pools, ObjectProvider<ServerAdapter> adapters) {
        return new PoolCustomizer(pools, adapters.orderedStream().toList());
    }
}

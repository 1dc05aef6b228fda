// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.springboot.docs;

// tag::requested-sizes
import dev.buffers.micrometer.BufferPoolMetrics;
import dev.buffers.springboot.ServerBufferPools;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
public class RequestedSizes {
    @Bean
    BufferPoolMetrics requestedSizesOfServer(ServerBufferPools pools) {
        return BufferPoolMetrics.builder(pools.pool()).waits().requestedSizes().build();
    }
}
// end::requested-sizes

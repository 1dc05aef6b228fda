// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.springboot;

import dev.buffers.BufferPool;
import dev.buffers.LeakReport;
import java.util.function.Consumer;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Fallback;
import org.springframework.core.env.Environment;

/** The server's pools as beans; with {@code buffers.spring.enabled=false} too, when the server keeps its own. */
@AutoConfiguration
class BuffersAutoConfiguration {

    /** The pools, closed with the context, after the server. Beans that take leak reports are notified of the pools' leaks. */
    @Bean
    @ConditionalOnMissingBean
    ServerBufferPools serverBufferPools(Environment environment, ObjectProvider<Consumer<LeakReport>> onLeak) {
        return PoolsOfEnvironment.open(
                environment, leak -> onLeak.orderedStream().forEach(listener -> listener.accept(leak)));
    }

    /** The first of the pools, for the application's own use; an application that defines a pool gets that one injected. */
    @Bean(destroyMethod = "") // they close it
    @Fallback
    BufferPool serverBufferPool(ServerBufferPools pools) {
        return pools.pool();
    }

    /** What the log says where no server is on them. */
    @Bean
    PoolsWithoutServer serverBufferPoolsWithoutServer(ApplicationContext context, ServerBufferPools pools) {
        return new PoolsWithoutServer(context, pools);
    }
}

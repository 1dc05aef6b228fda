// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.springboot;

import dev.buffers.BufferPool;
import dev.buffers.LeakReport;
import java.util.function.Consumer;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** The server's pools and the application's as beans; with {@code buffers.spring.enabled=false} too, when the server keeps its own. */
@AutoConfiguration
class BuffersAutoConfiguration {

    /** The pools, closed with the context, after the server. Beans that take leak reports are notified of the leaks of all pools. */
    @Bean
    @ConditionalOnMissingBean
    ServerBufferPools serverBufferPools(Environment environment, ObjectProvider<Consumer<LeakReport>> onLeak) {
        return PoolsOfEnvironment.open(
                environment, leak -> onLeak.orderedStream().forEach(listener -> listener.accept(leak)));
    }

    /**
     * The pool of the application's code, apart from the server's: whatever the application leases or closes, the server can answer. An
     * application that defines a pool has that one alone.
     */
    @Bean
    @ConditionalOnMissingBean
    BufferPool applicationBufferPool(Environment environment, ObjectProvider<Consumer<LeakReport>> onLeak) {
        return PoolsOfEnvironment.openForApplication(
                environment, leak -> onLeak.orderedStream().forEach(listener -> listener.accept(leak)));
    }

    /** The pools that can be seen from outside. */
    @Bean
    StarterPools starterBufferPools(
            ServerBufferPools server, @Qualifier("applicationBufferPool") ObjectProvider<BufferPool> application) {
        return new StarterPools(server, application.getIfAvailable());
    }

    /** What the log says where no server is on them. */
    @Bean
    PoolsWithoutServer serverBufferPoolsWithoutServer(ApplicationContext context, ServerBufferPools pools) {
        return new PoolsWithoutServer(context, pools);
    }
}

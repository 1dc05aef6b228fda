package dev.buffers.springboot;

import dev.buffers.BufferPool;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Fallback;
import org.springframework.core.env.Environment;

/** The server's pools as beans, unless {@code buffers.spring.enabled=false}. */
@AutoConfiguration
@ConditionalOnProperty(name = "buffers.spring.enabled", havingValue = "true", matchIfMissing = true)
class BuffersAutoConfiguration {

    /** The pools, closed with the context, after the server. */
    @Bean
    @ConditionalOnMissingBean
    ServerBufferPools serverBufferPools(Environment environment) {
        return PoolsOfEnvironment.open(environment);
    }

    /** The first of them, for the application's own use; where the application has a pool of its own, that one is injected. */
    @Bean(destroyMethod = "") // they close it
    @Fallback
    BufferPool serverBufferPool(ServerBufferPools pools) {
        return pools.pool();
    }
}

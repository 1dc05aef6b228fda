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
public class BuffersAutoConfiguration {

    /**
     * The pools, closed with the context, after the server.
     *
     * @param environment has their settings
     * @return the pools
     */
    @Bean
    @ConditionalOnMissingBean
    public ServerBufferPools serverBufferPools(Environment environment) {
        return PoolsOfEnvironment.open(environment);
    }

    /**
     * The first of them, for the application's own use. Where the application has a pool of its own, that one is injected.
     *
     * @param pools which close it
     * @return the pool
     */
    @Bean(destroyMethod = "")
    @Fallback
    public BufferPool serverBufferPool(ServerBufferPools pools) {
        return pools.pool();
    }
}

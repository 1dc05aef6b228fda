// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.springboot;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

/** Says once, when the application's context is there, that no server has been put on the pools. */
final class PoolsWithoutServer implements ApplicationListener<ContextRefreshedEvent> {
    private static final Log LOG = LogFactory.getLog(PoolsWithoutServer.class);

    private final ApplicationContext context;
    private final ServerBufferPools pools;

    PoolsWithoutServer(ApplicationContext context, ServerBufferPools pools) {
        this.context = context;
        this.pools = pools;
    }

    @Override
    public void onApplicationEvent(ContextRefreshedEvent event) {
        if (event.getApplicationContext() == context && !pools.servesServer()) {
            LOG.info(
                    "no server takes its buffers from the pool '" + pools.pool().name() + "'");
        }
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.springboot;

import java.util.List;
import java.util.Map;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.web.server.WebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.core.Ordered;

/**
 * Puts the embedded server on the pools. The last customizer, so that it sees what others did. Each server says in the log that it is on
 * the pool when it is made: a test without a server has a factory all the same.
 */
final class PoolCustomizer implements WebServerFactoryCustomizer<WebServerFactory>, Ordered {
    private static final Log LOG = LogFactory.getLog(PoolCustomizer.class);

    /** By the first part of Boot's version. */
    private static final Map<String, String> STARTERS =
            Map.of("3", "buffers-spring-boot3-starter", "4", "buffers-spring-boot4-starter");

    private final ServerBufferPools pools;
    private final List<ServerAdapter> adapters;

    PoolCustomizer(ServerBufferPools pools, List<ServerAdapter> adapters) {
        this.pools = pools;
        this.adapters = adapters;
    }

    @Override
    public void customize(WebServerFactory factory) {
        String server = factory.getClass().getSimpleName().replaceFirst("(Servlet|Reactive)?WebServerFactory$", "");
        for (ServerAdapter adapter : adapters) {
            if (adapter.adapt(factory, pools, () -> started(server))) {
                return;
            }
        }
        String wrongStarter = wrongStarter(SpringBootVersion.getVersion());
        if (wrongStarter == null) {
            LOG.info(server + " keeps its own buffers");
        } else {
            LOG.warn(server + " keeps its own buffers: " + wrongStarter);
        }
    }

    /** The fault of a starter for another Boot, whose adapters find no server here. Null when there is none, or no starter to name. */
    static @Nullable String wrongStarter(@Nullable String bootVersion) {
        String boot = bootVersion == null ? "" : bootVersion.replaceFirst("\\..*", "");
        String starter = STARTERS.get(boot);
        return starter == null || boot.equals(ThisStarter.BOOT)
                ? null
                : "this starter is for Spring Boot " + ThisStarter.BOOT + ": version=" + bootVersion
                        + "; accepted: dev.buffers:" + starter;
    }

    private void started(String server) {
        pools.serve();
        String pool = pools.pool().name();
        String heap = pools.heapPool().name();
        String withTls = server.equals("Tomcat") && !heap.equals(pool) ? ", with TLS from '" + heap + "'" : "";
        LOG.info(server + " takes its buffers from the pool '" + pool + "'" + withTls);
    }

    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }
}

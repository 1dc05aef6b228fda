// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.springboot;

import org.eclipse.jetty.server.Server;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.jetty.ConfigurableJettyWebServerFactory;
import org.springframework.context.annotation.Bean;

/** What puts Jetty on the pools. */
@AutoConfiguration(after = BuffersAutoConfiguration.class)
@ConditionalOnClass({Server.class, ConfigurableJettyWebServerFactory.class})
@ConditionalOnBean(ServerBufferPools.class)
class BuffersJettyAutoConfiguration {

    @Bean
    ServerAdapter jettyBufferPoolAdapter() {
        return new JettyAdapter();
    }
}

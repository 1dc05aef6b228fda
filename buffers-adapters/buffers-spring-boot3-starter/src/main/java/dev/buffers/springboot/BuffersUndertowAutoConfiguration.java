// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.springboot;

import io.undertow.Undertow;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.web.embedded.undertow.ConfigurableUndertowWebServerFactory;
import org.springframework.context.annotation.Bean;

/** What puts Undertow on the pools. */
@AutoConfiguration(after = BuffersAutoConfiguration.class)
@ConditionalOnClass({Undertow.class, ConfigurableUndertowWebServerFactory.class})
@ConditionalOnBean(ServerBufferPools.class)
class BuffersUndertowAutoConfiguration {

    @Bean
    ServerAdapter undertowBufferPoolAdapter() {
        return new UndertowAdapter();
    }
}

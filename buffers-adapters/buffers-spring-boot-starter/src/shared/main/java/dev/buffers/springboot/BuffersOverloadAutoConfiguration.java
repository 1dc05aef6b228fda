// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.springboot;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;

/** What a servlet application answers when there is too much to do. */
@AutoConfiguration(after = BuffersAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass({Filter.class, FilterRegistrationBean.class})
@ConditionalOnBean(ServerBufferPools.class)
class BuffersOverloadAutoConfiguration {

    @Bean
    FilterRegistrationBean<OverloadFilter> serverOverloadFilter(Environment environment) {
        var registration = new FilterRegistrationBean<>(new OverloadFilter(maxRequests(environment)));
        // An asynchronous request fails in its ASYNC dispatch.
        registration.setDispatcherTypes(DispatcherType.REQUEST, DispatcherType.ASYNC);
        registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
        return registration;
    }

    private static int maxRequests(Environment environment) {
        int most = Binder.get(environment)
                .bind(PoolsOfEnvironment.MAX_REQUESTS, Integer.class)
                .orElse(Integer.MAX_VALUE);
        if (most < 1) {
            throw new InvalidConfigurationPropertyValueException(
                    PoolsOfEnvironment.MAX_REQUESTS, most, "accepted: 1 or more; no limit if it is not set");
        }
        return most == Integer.MAX_VALUE ? 0 : most;
    }
}

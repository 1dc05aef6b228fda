// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.springboot;

import io.micrometer.core.instrument.binder.MeterBinder;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;

/** What a servlet application answers when there is too much to do. */
@AutoConfiguration(after = BuffersAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass({Filter.class, FilterRegistrationBean.class})
@ConditionalOnBean(ServerBufferPools.class)
class BuffersOverloadAutoConfiguration {

    /** What the filter rejects, for the log and the meters. */
    @Bean
    RejectedRequests serverRejectedRequests(Environment environment) {
        return new RejectedRequests(maxRequests(environment));
    }

    @Bean
    FilterRegistrationBean<OverloadFilter> serverOverloadFilter(
            Environment environment, RejectedRequests rejected, ObjectProvider<UnlimitedPaths> unlimited) {
        var registration = new FilterRegistrationBean<>(new OverloadFilter(
                maxRequests(environment), rejected, unlimited.getIfAvailable(() -> UnlimitedPaths.NONE)));
        // An asynchronous request fails in its ASYNC dispatch.
        registration.setDispatcherTypes(DispatcherType.REQUEST, DispatcherType.ASYNC);
        registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
        return registration;
    }

    /** With the actuator. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({PathMappedEndpoints.class, ManagementPortType.class})
    static class Management {
        @Bean
        UnlimitedPaths managementPaths(ObjectProvider<PathMappedEndpoints> endpoints, Environment environment) {
            return new ManagementPaths(endpoints, environment);
        }
    }

    /** With Micrometer. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterBinder.class)
    static class Meters {
        @Bean
        RejectedRequestMeters serverRejectedRequestMeters(RejectedRequests rejected) {
            return new RejectedRequestMeters(rejected);
        }
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

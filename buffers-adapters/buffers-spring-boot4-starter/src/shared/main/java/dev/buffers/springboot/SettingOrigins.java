// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.springboot;

import dev.buffers.BufferPool;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.Environment;

/** A pool's settings with where Spring has them from, which to the pool is all the builder. Any thread. */
final class SettingOrigins {
    private static final String BUILDER = "(builder";

    private final Environment environment;

    SettingOrigins(Environment environment) {
        this.environment = environment;
    }

    /** As {@code pool.settings()} shows them, one a line. {@code role} is the pool's name in the properties. */
    List<String> lines(BufferPool pool, String role) {
        return pool.settings()
                .toString()
                .lines()
                .skip(1)
                .map(line -> withOrigin(line, role))
                .toList();
    }

    private String withOrigin(String line, String role) {
        int builder = line.lastIndexOf(BUILDER);
        int equals = line.indexOf('=');
        if (builder < 0 || equals < 0) {
            return line;
        }
        String key = line.substring(0, equals).strip();
        ConfigurationProperty property = property(PoolsOfEnvironment.PREFIX + role + "." + key);
        if (property == null) {
            property = property(PoolsOfEnvironment.PREFIX + key);
        }
        if (property == null) {
            return line; // fixed by the starter
        }
        String origin = property.getOrigin() == null ? String.valueOf(property.getSource()) : "" + property.getOrigin();
        return line.substring(0, builder + 1) + origin + line.substring(builder + BUILDER.length());
    }

    private @Nullable ConfigurationProperty property(String name) {
        ConfigurationPropertyName wanted = ConfigurationPropertyName.of(name);
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            ConfigurationProperty property = source.getConfigurationProperty(wanted);
            if (property != null) {
                return property;
            }
        }
        return null;
    }
}

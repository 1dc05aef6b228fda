// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.springboot;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.PropertySourceOrigin;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;

/**
 * Where Spring has found a setting, in the words of the pool's messages.
 *
 * @param property its name there, such as {@code buffers.server.max}, or {@code BUFFERS_MAX} in the environment
 * @param place such as {@code class path resource [application.yml] - 2:8}; system properties and the environment are called as the pool
 *     calls them
 */
record SettingPlace(String property, String place) {

    /** Of the property with that name, which has a value. */
    static SettingPlace of(Environment environment, String name) {
        ConfigurationProperty found = find(environment, name);
        if (found == null) {
            return new SettingPlace(name, "Spring's environment");
        }
        Origin origin = found.getOrigin();
        if (!(origin instanceof PropertySourceOrigin in)) {
            return new SettingPlace(name, String.valueOf(origin == null ? found.getSource() : origin));
        }
        String source = in.getPropertySource().getName();
        if (source.equals(StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME)) {
            return new SettingPlace(in.getPropertyName(), "-D" + in.getPropertyName());
        } else if (source.startsWith(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME)) {
            return new SettingPlace(in.getPropertyName(), "environment " + in.getPropertyName());
        }
        return new SettingPlace(name, in.getOrigin() == null ? "property source " + source : "" + in.getOrigin());
    }

    private static @Nullable ConfigurationProperty find(Environment environment, String name) {
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

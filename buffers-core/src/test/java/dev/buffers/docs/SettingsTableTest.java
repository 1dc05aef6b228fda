// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.docs;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.PoolSettings;
import dev.buffers.internal.settings.Setting;
import dev.buffers.internal.settings.SettingKey;
import dev.buffers.support.Refusal;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** No part of the code has forgotten a setting. */
class SettingsTableTest {
    static List<SettingKey<?>> keys() {
        return SettingKey.ALL;
    }

    @Test
    void everyKeyThatIsDeclaredIsListed() throws IllegalAccessException {
        for (Field field : SettingKey.class.getDeclaredFields()) {
            if (field.getType() == SettingKey.class) {
                assertTrue(SettingKey.ALL.contains(field.get(null)), field.getName());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("keys")
    void everyKeyRefusesNonsenseAndNamesAcceptedValues(SettingKey<?> key) {
        String nonsense = key == SettingKey.POLICY ? "" : "nonsense";
        Refusal.of(
                () -> Setting.read(key, key.property(), nonsense, "-D" + key.property()),
                "bad value: buffers." + key.name() + "=" + nonsense + " (from -Dbuffers." + key.name() + ") is ",
                "; accepted: " + key.accepted());
    }

    @ParameterizedTest
    @MethodSource("keys")
    void everyKeyHasASetterAndAnAccessor(SettingKey<?> key) {
        String method = camelCase(key.name());
        assertTrue(methods(BufferPool.Builder.class).contains(method), "no Builder." + method);
        String accessor = key == SettingKey.MAX ? "maxBytes" : method;
        assertTrue(methods(PoolSettings.class).contains(accessor), "no PoolSettings." + accessor);
    }

    private static Set<String> methods(Class<?> type) {
        return Arrays.stream(type.getDeclaredMethods())
                .map(java.lang.reflect.Method::getName)
                .collect(Collectors.toSet());
    }

    private static String camelCase(String name) {
        int dash = name.indexOf('-');
        return dash < 0
                ? name
                : name.substring(0, dash) + Character.toUpperCase(name.charAt(dash + 1)) + name.substring(dash + 2);
    }
}

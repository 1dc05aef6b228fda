// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.PoolSettings;
import dev.buffers.support.Refusal;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class SettingKeyTest {
    static Stream<SettingKey<?>> all() {
        return SettingKey.ALL.stream();
    }

    private static <T> String readAndWritten(SettingKey<T> key, String text) {
        return key.write(key.read(text));
    }

    @ParameterizedTest
    @MethodSource("all")
    void everyKeyReadsAndWritesItsDefault(SettingKey<?> key) {
        assertEquals(key.defaultText(), readAndWritten(key, key.defaultText()));
        assertEquals("buffers." + key.name(), key.toString());
        assertSame(key, SettingKey.named(key.name()).orElseThrow());
        assertTrue(SettingKey.names().contains(key.name()));
    }

    @Test
    void everyKeyThatIsDeclaredIsListed() throws IllegalAccessException {
        for (Field field : SettingKey.class.getDeclaredFields()) {
            if (field.getType() == SettingKey.class) {
                assertTrue(SettingKey.ALL.contains(field.get(null)), field.getName());
            }
        }
    }

    @Test
    void acceptedValuesOfChoiceAreListed() {
        assertEquals("never or release or acquire", SettingKey.ZERO.accepted());
    }

    @ParameterizedTest
    @MethodSource("all")
    void everyKeyRefusesNonsenseAndNamesAcceptedValues(SettingKey<?> key) {
        String nonsense = key == SettingKey.POLICY ? "" : "nonsense";
        Refusal.of(
                () -> Setting.read(key, key.property(), nonsense, "-D" + key.property()),
                "bad value: buffers." + key.name() + "=" + nonsense + " (from -Dbuffers." + key.name() + ") is ",
                "; accepted: " + key.accepted());
    }

    @ParameterizedTest
    @MethodSource("all")
    void everyKeyHasASetterAndAnAccessor(SettingKey<?> key) {
        String method = Pattern.compile("-(.)")
                .matcher(key.name())
                .replaceAll(next -> next.group(1).toUpperCase(Locale.ROOT));
        assertTrue(methods(BufferPool.Builder.class).contains(method), "no Builder." + method);
        String accessor = key == SettingKey.MAX ? "maxBytes" : method;
        assertTrue(methods(PoolSettings.class).contains(accessor), "no PoolSettings." + accessor);
    }

    private static Set<String> methods(Class<?> type) {
        return Stream.of(type.getDeclaredMethods()).map(Method::getName).collect(Collectors.toSet());
    }

    @Test
    void noTwoHaveOneName() {
        Set<String> names = new HashSet<>();
        all().forEach(key -> assertTrue(names.add(key.name()), key::name));
        assertEquals(Optional.empty(), SettingKey.named("max.size"));
    }

    @ParameterizedTest
    @CsvSource({
        "max-size, 64k, 64k",
        "max-size, 65536, 64k",
        "thread-cache, 0, 0",
        "at-limit, unpooled, unpooled",
        "at-limit, wait:1500ms, wait:1500ms",
        "at-limit, wait:PT10S, wait:10s",
        "leaks, sample:128, sample:128",
        "trim-after, off, off",
        "guard, on, on",
        "jmx, true, true",
        "max, 50%, 50%",
    })
    void aTextBecomesAValueAndThatItsShortestText(String name, String text, String written) {
        assertEquals(written, readAndWritten(SettingKey.named(name).orElseThrow(), text));
    }

    @ParameterizedTest
    @CsvSource({"web, BUFFERS_WEB_", "web-heap, BUFFERS_WEB_HEAP_", "web.2, BUFFERS_WEB_2_", "größe, BUFFERS_GRÖSSE_"})
    void variableHasUnderscoresForOtherCharacters(String pool, String prefix) {
        assertEquals(prefix, SettingKey.variablePrefix(pool));
    }

    @ParameterizedTest
    @CsvSource({"max, MAX, MAX", "max-size, MAX_SIZE, MAXSIZE", "at-limit, AT_LIMIT, ATLIMIT"})
    void variableEndsInTwoSpellings(String key, String usual, String ofSpringBoot) {
        assertEquals(
                List.of(usual, ofSpringBoot),
                SettingKey.named(key).orElseThrow().variables());
    }
}

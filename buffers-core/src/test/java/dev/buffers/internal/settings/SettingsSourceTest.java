// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.buffers.Exhaustion;
import dev.buffers.PoolSettings;
import dev.buffers.support.Explicit;
import dev.buffers.support.Refusal;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsSourceTest {
    private final ExplicitSettings explicit = new Explicit();
    private final Map<String, String> options = new HashMap<>();
    private final Map<String, String> environment = new HashMap<>();
    private final Map<String, String> file = new HashMap<>();

    private SettingsSource source() {
        return new SettingsSource(
                "web", explicit, options, environment, new SettingsFile("buffers.properties at u", file));
    }

    private String zero() {
        return source().get(SettingKey.ZERO).toString();
    }

    @Test
    void thePlacesCountInTheirOrder() {
        assertEquals("zero=never (default)", zero());
        file.put("buffers.zero", "acquire");
        assertEquals("zero=acquire (buffers.properties at u)", zero());
        file.put("buffers.web.zero", "release");
        assertEquals("zero=release (buffers.properties at u)", zero());
        environment.put("BUFFERS_ZERO", "acquire");
        assertEquals("zero=acquire (environment BUFFERS_ZERO)", zero());
        environment.put("BUFFERS_WEB_ZERO", "release");
        assertEquals("zero=release (environment BUFFERS_WEB_ZERO)", zero());
        options.put("buffers.zero", "acquire");
        assertEquals("zero=acquire (-Dbuffers.zero)", zero());
        options.put("buffers.web.zero", "release");
        assertEquals("zero=release (-Dbuffers.web.zero)", zero());
        explicit.zero(PoolSettings.Zeroing.NEVER);
        assertEquals("zero=never (builder)", zero());
    }

    @Test
    void poolOfServerHasAnotherDefaultAndTheSamePlaces() {
        assertEquals("at-limit=fail (default)", atLimit());
        explicit.forServer();
        assertEquals("at-limit=unpooled (default, for a server's pool)", atLimit());
        file.put("buffers.at-limit", "fail");
        assertEquals("at-limit=fail (buffers.properties at u)", atLimit());
        environment.put("BUFFERS_AT_LIMIT", "wait:1s");
        assertEquals("at-limit=wait:1s (environment BUFFERS_AT_LIMIT)", atLimit());
        options.put("buffers.at-limit", "fail");
        assertEquals("at-limit=fail (-Dbuffers.at-limit)", atLimit());
        explicit.atLimit(Exhaustion.waiting(Duration.ofSeconds(2)));
        assertEquals("at-limit=wait:2s (builder)", atLimit());
    }

    private String atLimit() {
        return source().get(SettingKey.AT_LIMIT).toString();
    }

    @Test
    void ofTwoSpellingsOfVariableOverriddenOneIsNotChecked() {
        environment.put("BUFFERS_MAXSIZE", "much");
        environment.put("BUFFERS_MAX_SIZE", "32k");
        assertEquals(
                "max-size=32k (environment BUFFERS_MAX_SIZE)",
                source().get(SettingKey.MAX_SIZE).toString());
        environment.remove("BUFFERS_MAX_SIZE");
        Refusal.of(this::source, "bad value: BUFFERS_MAXSIZE=much (from environment BUFFERS_MAXSIZE)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"MAX", "buffers_max", "BUFFERS_", "BUFFERS_MAX_", "BUFFERS_MA_X", "BUFFERS_API_MAX"})
    void otherVariablesAreNone(String variable) {
        environment.put(variable, "1m");
        assertEquals(
                List.of(),
                source().all().stream().filter(setting -> !setting.isDefault()).toList());
    }

    @Test
    void otherPoolsAndOtherLibrariesAreNotOurs() {
        options.put("buffers.other.zero", "release");
        options.put("buffers.other.nonsense", "x");
        options.put("buffers.web2.zero", "release");
        options.put("buffersize", "x");
        options.put("buffers", "x");
        options.put("my.buffers.zero", "release");
        file.put("buffers.other.zero", "release");
        assertEquals("zero=never (default)", zero());
    }

    @ParameterizedTest
    @CsvSource({
        "buffers.polcy, buffers.policy",
        "buffers.web.polcy, buffers.web.policy",
        "buffers.max.size, buffers.max-size" // and no pool called max
    })
    void unknownKeyIsAnErrorWithSuggestion(String key, String meant) {
        options.put(key, "heap");
        Refusal.of(
                this::source,
                "unknown key: " + key + "=heap (from -D" + key + "), did you mean " + meant
                        + "?; accepted after buffers. or buffers.<pool>.: policy, max, at-limit");
    }

    /** Spring Boot reads them itself. */
    @Test
    void systemPropertyOfTheStarterIsNoSettingOfItsPool() {
        options.put("buffers.server.max-requests", "3");
        new SettingsSource("server", new Explicit(), options, Map.of(), new SettingsFile("none", Map.of()));
        file.put("buffers.server.max-requests", "3");
        SettingsFile ours = new SettingsFile("u", file);
        Refusal.of(
                () -> new SettingsSource("server", new Explicit(), Map.of(), Map.of(), ours),
                "unknown key: buffers.server.max-requests=3 (from u)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"buffers.foo", "buffers.", "buffers..max", "buffers.web.", "buffers.web.max.x", "buffers.web"})
    void meaninglessPropertyIsAnError(String property) {
        options.put(property, "1");
        Refusal.of(this::source, "unknown key: " + property + "=1 (from -D" + property + ")");
    }

    @ParameterizedTest
    @ValueSource(strings = {"fresh", "recycled", ""})
    void removedSettingIsRefusedWithReason(String text) {
        String reason = "; remove it: each lease is always a new object";
        options.put("buffers.leases", text);
        Refusal.of(this::source, "removed setting: buffers.leases=" + text + " (from -Dbuffers.leases)" + reason);
        options.put("buffers.web.leases", text);
        Refusal.of(
                this::source, "removed setting: buffers.web.leases=" + text + " (from -Dbuffers.web.leases)" + reason);
        options.clear();
        file.put("buffers.leases", text);
        Refusal.of(
                this::source, "removed setting: buffers.leases=" + text + " (from buffers.properties at u)" + reason);
        file.clear();
        for (String variable : List.of("BUFFERS_LEASES", "BUFFERS_WEB_LEASES")) {
            environment.put(variable, text);
            Refusal.of(
                    this::source,
                    "removed setting: " + variable + "=" + text + " (from environment " + variable + ")" + reason);
            environment.clear();
        }
    }

    @Test
    void removedSettingOfAnotherPoolIsIgnored() {
        options.put("buffers.other.leases", "recycled");
        environment.put("BUFFERS_OTHER_LEASES", "recycled");
        assertEquals("zero=never (default)", zero());
    }

    @Test
    void overriddenBadValueIsAnError() {
        explicit.max(1 << 20);
        options.put("buffers.max", "");
        Refusal.of(this::source, "bad value: buffers.max= (from -Dbuffers.max)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a.b", "a b", "a\tb", ".", "policy", "max", "trim-after"})
    void aPoolNeedsANameThatSettingsCanUse(String name) {
        Refusal.of(
                () -> new SettingsSource(name, explicit, options, environment, new SettingsFile("u", file)),
                "name=",
                "accepted: one or more characters without dots and white space, not the name of a setting");
    }

    @Test
    void aPoolsNameIsNotNull() {
        assertThrows(
                NullPointerException.class,
                () -> new SettingsSource(null, explicit, options, environment, new SettingsFile("u", file)));
    }
}

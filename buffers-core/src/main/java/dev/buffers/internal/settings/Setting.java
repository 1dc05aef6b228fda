// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.settings;

import dev.buffers.PoolSettings;
import dev.buffers.internal.text.Spelling;
import org.jspecify.annotations.Nullable;

/**
 * One setting with its value and origin.
 *
 * @param property the name under which it was found, such as {@code buffers.web.max}
 * @param origin where it was found: {@code builder}, {@code -Dbuffers.web.max}, {@code buffers.properties at <url>}, {@code default}
 * @param note further information on the value for a reader, or empty
 */
public record Setting<T>(SettingKey<T> key, String property, T value, String origin, String note) {

    private static final String DEFAULT = "default";

    /** Reads a text that was found under a property's name. */
    public static <T> Setting<T> read(SettingKey<T> key, String property, String text, String origin) {
        try {
            return new Setting<>(key, property, key.read(text.strip()), origin, "");
        } catch (IllegalArgumentException e) {
            String fault = e.getMessage() + Spelling.didYouMean(Suggestion.of(key, text));
            throw refusal(property, text, origin, fault, key.accepted(), e);
        }
    }

    public static <T> Setting<T> ofBuilder(SettingKey<T> key, String text) {
        return read(key, key.property(), text, "builder");
    }

    public static <T> Setting<T> ofDefault(SettingKey<T> key) {
        return read(key, key.property(), key.defaultText(), DEFAULT);
    }

    public boolean isDefault() {
        return origin.equals(DEFAULT);
    }

    /** This setting with another value, and the reason for it. */
    Setting<T> adjusted(T newValue, String why) {
        return new Setting<>(key, property, newValue, origin, why);
    }

    /** The error that names the fault of this value. */
    IllegalArgumentException refused(String fault, String accepted) {
        return refusal(property, key.write(value), origin + noteSuffix(), fault, accepted, null);
    }

    private static IllegalArgumentException refusal(
            String property, String text, String origin, String fault, String accepted, @Nullable Throwable cause) {
        return new IllegalArgumentException(
                "bad value: " + property + "=" + text + " (from " + origin + ") " + fault + "; accepted: " + accepted,
                cause);
    }

    /** One line of {@link PoolSettings#toString}. */
    @Override
    public String toString() {
        return key.name() + "=" + key.write(value) + " (" + origin + noteSuffix() + ")";
    }

    private String noteSuffix() {
        return note.isEmpty() ? "" : ", " + note;
    }
}

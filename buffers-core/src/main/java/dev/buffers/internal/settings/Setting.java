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
 * @param origin where it was found: {@code builder}, {@code -Dbuffers.web.max}, {@code buffers.properties at <url>}, {@code default}, or a
 *     framework's configuration
 * @param note further information on the value for a reader, or empty
 */
public record Setting<T>(SettingKey<T> key, String property, T value, String origin, String note) {

    private static final String DEFAULT = "default";
    private static final String BUILDER = "builder";

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
        return read(key, key.property(), text, BUILDER);
    }

    public static <T> Setting<T> ofDefault(SettingKey<T> key) {
        return read(key, key.property(), key.defaultText(), DEFAULT);
    }

    /** The origin of a setting from that environment variable. */
    static String ofVariable(String name) {
        return "environment " + name;
    }

    /** Whether a framework's place may not be called that. */
    static boolean isReserved(String place) {
        return place.equals(DEFAULT) || place.equals(BUILDER);
    }

    public boolean isDefault() {
        return origin.equals(DEFAULT);
    }

    /**
     * Where its user can change it, in the words of a message. {@code value} is empty, or {@code =} and the value to set.
     *
     * @param own the pool's own property, for a setting that nothing has set
     */
    String where(String own, String value) {
        if (isDefault()) {
            return own + value;
        } else if (origin.equals(BUILDER)) {
            return "the builder's " + key.name() + value;
        } else if (origin.equals("-D" + property)) {
            return origin + value;
        }
        String place = origin.equals(ofVariable(property)) ? "the environment" : origin;
        return property + value + " in " + place;
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

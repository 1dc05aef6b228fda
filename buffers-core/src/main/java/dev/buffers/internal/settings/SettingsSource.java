// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.settings;

import dev.buffers.Exhaustion;
import dev.buffers.internal.text.Spelling;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * The settings of one pool from four places, the first one wins: the builder, {@code -Dbuffers.<pool>.<key>} and {@code
 * -Dbuffers.<key>}, the environment ({@code BUFFERS_<POOL>_<KEY>}, {@code BUFFERS_<KEY>}), {@code buffers.properties}. In each the pool's
 * own keys come before those for all pools. Without any of them, the default holds: that of a
 * server's own pool, if the builder says so.
 *
 * <p>Every value for this pool is read and checked, even when an earlier place overrides it, so that no mistake stays hidden. The
 * environment is different: a variable is checked only if nothing before it has the key, because a program cannot choose its environment.
 */
public final class SettingsSource {

    private final Map<SettingKey<?>, Setting<?>> found;

    public SettingsSource(
            String pool,
            ExplicitSettings explicit,
            Map<String, String> systemProperties,
            Map<String, String> environment,
            SettingsFile file) {
        checkName(pool);
        found = new HashMap<>(explicit.settings());
        String ownPrefix = SettingKey.PREFIX + pool + ".";
        Map<String, String> ofPools = new HashMap<>(systemProperties);
        ofPools.keySet().removeAll(SettingKey.OF_STARTER);
        addProperties(ofPools, ownPrefix, property -> "-D" + property);
        addVariables(environment, SettingKey.variablePrefix(pool));
        addVariables(environment, SettingKey.VARIABLE_PREFIX);
        file.properties().forEach((property, text) -> {
            if (!property.startsWith(SettingKey.PREFIX)) { // the file is only ours, so this was meant for us
                throw unknown(SettingKey.PREFIX, property, property, text, file.origin());
            }
        });
        addProperties(file.properties(), ownPrefix, property -> file.origin());
        if (explicit.isForServer()) {
            found.putIfAbsent(
                    SettingKey.AT_LIMIT,
                    Setting.ofDefault(SettingKey.AT_LIMIT).adjusted(Exhaustion.unpooled(), "for a server's pool"));
        }
    }

    /** Refuses a name with a dot or equal to a key, which would make {@code buffers.<pool>.<key>} ambiguous. */
    private static void checkName(String pool) {
        Objects.requireNonNull(pool, "pool");
        String accepted = "; accepted: one or more characters without dots and white space, not the name of a setting";
        if (pool.isEmpty() || pool.chars().anyMatch(c -> c == '.' || Character.isWhitespace(c))) {
            throw new IllegalArgumentException("bad pool name: name=\"" + pool + '"' + accepted);
        }
        if (SettingKey.named(pool).isPresent()) {
            throw new IllegalArgumentException("pool name is a setting's: name=" + pool + accepted);
        }
    }

    /** Adds each property that concerns this pool: its own ones first, each time in the order of the property names. */
    private void addProperties(Map<String, String> properties, String ownPrefix, UnaryOperator<String> origin) {
        for (String prefix : List.of(ownPrefix, SettingKey.PREFIX)) {
            new TreeMap<>(properties).forEach((property, text) -> {
                if (property.startsWith(prefix) && (prefix.equals(ownPrefix) || isOfAllPools(property))) {
                    String name = property.substring(prefix.length());
                    String from = origin.apply(property);
                    SettingKey<?> key =
                            SettingKey.named(name).orElseThrow(() -> unknown(prefix, name, property, text, from));
                    found.putIfAbsent(key, Setting.read(key, property, text, from));
                }
            });
        }
    }

    /** Whether no pool's name follows the prefix. A setting's name before a dot is a mistake ({@code buffers.max.size}): no pool has it. */
    private static boolean isOfAllPools(String property) {
        String name = property.substring(SettingKey.PREFIX.length());
        int dot = name.indexOf('.');
        return dot <= 0 || SettingKey.named(name.substring(0, dot)).isPresent();
    }

    /** Adds the variables with this prefix that no earlier place overrides. {@code MAX_SIZE} wins over {@code MAXSIZE}. */
    private void addVariables(Map<String, String> environment, String prefix) {
        for (SettingKey<?> key : SettingKey.ALL) {
            for (String end : key.variables()) {
                String name = prefix + end;
                String text = environment.get(name);
                if (text != null && !found.containsKey(key)) {
                    found.put(key, Setting.read(key, name, text, Setting.ofVariable(name)));
                }
            }
        }
        String removed = prefix + SettingKey.inVariable(SettingKey.REMOVED);
        if (environment.containsKey(removed)) {
            throw removed(removed, environment.get(removed), Setting.ofVariable(removed));
        }
    }

    private static IllegalArgumentException removed(String property, String text, String origin) {
        return new IllegalArgumentException("removed setting: " + property + "=" + text + " (from " + origin
                + "); remove it: each lease is always a new object, because reused ones hid lost leases and let a late release"
                + " end the next holder's lease");
    }

    private static IllegalArgumentException unknown(
            String prefix, String name, String property, String text, String origin) {
        if (name.equals(SettingKey.REMOVED)) {
            return removed(property, text, origin);
        }
        Optional<String> meant = SettingKey.nearest(name.replace('.', '-')).map(key -> prefix + key.name());
        return new IllegalArgumentException("unknown key: " + property + "=" + text + " (from " + origin + ")"
                + Spelling.didYouMean(meant) + "; accepted after " + SettingKey.PREFIX + " or " + SettingKey.PREFIX
                + "<pool>.: " + SettingKey.names());
    }

    /** Replaces a setting. */
    void put(Setting<?> setting) {
        found.put(setting.key(), setting);
    }

    /** The setting from the first place that has it, or the default. */
    @SuppressWarnings("unchecked") // each setting stands under its own key
    public <T> Setting<T> get(SettingKey<T> key) {
        Setting<?> setting = found.get(key);
        return setting == null ? Setting.ofDefault(key) : (Setting<T>) setting;
    }

    /** All settings, in the order of their keys. */
    List<Setting<?>> all() {
        return SettingKey.ALL.stream().<Setting<?>>map(key -> get(key)).toList();
    }
}

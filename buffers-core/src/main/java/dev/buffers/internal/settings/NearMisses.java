// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.settings;

import dev.buffers.internal.signals.Callbacks;
import dev.buffers.internal.signals.PoolName;
import dev.buffers.internal.text.Spelling;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds system properties and environment variables that were probably meant for this library, but that no pool reads: another prefix
 * ({@code buffer.policy}, {@code dev.buffers.policy}), a pool that does not exist ({@code buffers.wbe.policy} while there is a pool {@code
 * web}), an unknown variable ({@code BUFFERS_POLCY}). They may belong to other software, so they are logged and are no error.
 *
 * <p>Any thread. Each name is logged once in the life of the JVM. Values are not logged: a value of other software may be secret.
 */
final class NearMisses {
    private static final Set<String> LOGGED = ConcurrentHashMap.newKeySet();

    /** A prefix, perhaps a pool, and a key. */
    private static final Pattern PROPERTY = Pattern.compile("(dev\\.buffers|[^.]+)\\.(?:(.+)\\.)?([^.]+)");

    /** The switch of the Spring Boot starter, which is no setting of a pool. */
    private static final String SPRING_SWITCH = SettingKey.VARIABLE_PREFIX + "SPRING_ENABLED";

    private final String pool;
    private final String variablePrefix;
    private final Collection<String> open;

    /** The complaint about each name that is a near miss. */
    final Map<String, String> found = new TreeMap<>();

    /**
     * Looks at all names.
     *
     * @param pool the name of the pool that is being made
     * @param open the names of the open pools
     */
    NearMisses(
            String pool,
            Collection<String> open,
            Map<String, String> systemProperties,
            Map<String, String> environment) {
        this.pool = pool;
        this.variablePrefix = SettingKey.variablePrefix(pool);
        this.open = open;
        systemProperties.keySet().forEach(this::lookAtProperty);
        environment.keySet().forEach(this::lookAtVariable);
    }

    /** Logs the findings that have not been logged yet. */
    static void warn(String pool, Map<String, String> systemProperties, Map<String, String> environment) {
        new NearMisses(pool, PoolName.open(), systemProperties, environment).found.forEach((name, complaint) -> {
            if (LOGGED.add(name)) {
                Callbacks.warn(complaint + " (found when a pool was made: pool=" + pool + ")", null);
            }
        });
    }

    private void add(String name, String fault, Optional<String> meant) {
        found.put(name, fault + ": " + name + Spelling.didYouMean(meant));
    }

    private void lookAtProperty(String property) {
        Matcher parts = PROPERTY.matcher(property);
        if (!parts.matches() || SettingKey.named(parts.group(3)).isEmpty()) {
            return;
        }
        String prefix = parts.group(1) + ".";
        String of = parts.group(2);
        if (prefix.equals(SettingKey.PREFIX)) {
            if (of != null && isMisspeltPool(of, pool, open)) {
                String meant = "-D" + prefix + pool + "." + parts.group(3);
                add("-D" + property, "system property for an unknown pool", Optional.of(meant));
            }
        } else if ((of == null || of.equals(pool)) && isLikePrefix(prefix.replace("dev.", ""))) {
            String meant = "-D" + SettingKey.PREFIX + property.substring(prefix.length());
            add("-D" + property, "unknown system property", Optional.of(meant));
        }
    }

    private void lookAtVariable(String variable) {
        int end = variable.indexOf('_') + 1;
        if (variable.startsWith(SettingKey.VARIABLE_PREFIX)) {
            lookAtOurVariable(variable);
        } else if (isLikePrefix(variable.substring(0, end))) {
            String right = SettingKey.VARIABLE_PREFIX + variable.substring(end).toUpperCase(Locale.ROOT);
            if (isRead(right)) {
                add(variable, "unknown environment variable", Optional.of(right));
            }
        }
    }

    private void lookAtOurVariable(String variable) {
        if (isRead(variable) || variable.equals(SPRING_SWITCH)) {
            return;
        }
        String name = variable.substring(SettingKey.VARIABLE_PREFIX.length());
        for (SettingKey<?> key : SettingKey.ALL) {
            for (String end : key.variables()) {
                if (name.endsWith("_" + end)) {
                    String of = name.substring(0, name.length() - end.length() - 1);
                    List<String> others =
                            open.stream().map(SettingKey::inVariable).toList();
                    if (isMisspeltPool(of, SettingKey.inVariable(pool), others)) {
                        String meant = variablePrefix + key.variables().get(0);
                        add(variable, "environment variable for an unknown pool", Optional.of(meant));
                    }
                    return; // another pool's
                }
            }
        }
        String prefix = variable.startsWith(variablePrefix) ? variablePrefix : SettingKey.VARIABLE_PREFIX;
        Optional<SettingKey<?>> nearest =
                SettingKey.nearest(variable.substring(prefix.length()).replace('_', '-'));
        add(
                variable,
                "unknown environment variable",
                nearest.map(key -> prefix + key.variables().get(0)));
    }

    /** Whether the pool reads this variable. */
    private boolean isRead(String variable) {
        return SettingKey.ofVariable(SettingKey.VARIABLE_PREFIX, variable).isPresent()
                || SettingKey.ofVariable(variablePrefix, variable).isPresent();
    }

    /** Whether this is like our prefix, with a dot or an underscore at its end. */
    private static boolean isLikePrefix(String prefix) {
        return Spelling.distance(prefix.toLowerCase(Locale.ROOT).replace('_', '.'), SettingKey.PREFIX) <= 2;
    }

    /**
     * Whether no open pool has this name, which is similar to that of this pool. Names that differ in digits are those of numbered pools.
     */
    private static boolean isMisspeltPool(String name, String pool, Collection<String> open) {
        String letters = name.replaceAll("[0-9]", "");
        return !name.isEmpty()
                && !name.equals(pool)
                && !open.contains(name)
                && SettingKey.named(name).isEmpty()
                && !letters.equals(pool.replaceAll("[0-9]", ""))
                && Spelling.distance(name, pool) <= (pool.length() < 5 ? 1 : 2);
    }
}

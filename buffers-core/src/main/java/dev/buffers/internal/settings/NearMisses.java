// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.settings;

import dev.buffers.internal.signals.Callbacks;
import dev.buffers.internal.signals.PoolName;
import dev.buffers.internal.text.Spelling;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Finds system properties and environment variables that were probably meant for this library, but that no pool reads: another prefix
 * ({@code buffer.policy}, {@code dev.buffers.policy}), a pool that does not exist ({@code buffers.wbe.policy} while there is a pool {@code
 * web}), an unknown variable ({@code BUFFERS_POLCY}). They may belong to other software, so they are logged and are no error.
 *
 * <p>Any thread. Each name is logged once in the life of the JVM. Values are not logged: a value of other software may be secret.
 */
final class NearMisses {
    private static final Set<String> LOGGED = ConcurrentHashMap.newKeySet();

    /** The complaint about each name that is a near miss. */
    final Map<String, String> found = new TreeMap<>();

    /**
     * How the names of one place begin.
     *
     * @param prefix those for all pools, such as {@code BUFFERS_}
     * @param own those for the pool that is being made
     * @param open those for the open pools
     */
    private record Place(String kind, String prefix, String own, Collection<String> open) {}

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
        String prefix = "-D" + SettingKey.PREFIX;
        Place properties = new Place(
                "system property",
                prefix,
                prefix + pool + ".",
                open.stream().map(other -> prefix + other + ".").toList());
        systemProperties.keySet().forEach(name -> lookAtProperty("-D" + name, properties));
        Place variables = new Place(
                "environment variable",
                SettingKey.VARIABLE_PREFIX,
                SettingKey.variablePrefix(pool),
                open.stream().map(SettingKey::variablePrefix).toList());
        environment.keySet().forEach(name -> lookAtVariable(name, variables));
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

    private void lookAtProperty(String property, Place place) {
        for (SettingKey<?> key : SettingKey.ALL) {
            if (property.endsWith("." + key.name())) {
                look(property, key.name(), key.name(), place);
            }
        }
    }

    private void lookAtVariable(String variable, Place place) {
        boolean ours = variable.startsWith(place.prefix);
        String name = ours ? variable : variable.toUpperCase(Locale.ROOT);
        for (SettingKey<?> key : SettingKey.ALL) {
            for (String end : key.variables()) {
                if (name.endsWith("_" + end)) {
                    look(variable, end, key.variables().get(0), place);
                    return;
                }
            }
        }
        if (ours && !SettingKey.VARIABLES_OF_STARTER.contains(variable)) {
            String prefix = variable.startsWith(place.own) ? place.own : place.prefix;
            String rest = variable.substring(prefix.length()).replace('_', '-');
            add(
                    variable,
                    "unknown environment variable",
                    SettingKey.nearest(rest).map(key -> prefix + key.variables().get(0)));
        }
    }

    /** Looks at what stands before the end of a name that ends with a setting, whose usual spelling is {@code key}. */
    private void look(String name, String end, String key, Place place) {
        String begin = name.substring(0, name.length() - end.length());
        if (begin.startsWith(place.prefix)) {
            if (isOfMisspeltPool(begin, place)) {
                add(name, place.kind + " for an unknown pool", Optional.of(place.own + key));
            }
        } else if (isLike(begin, place.prefix)) {
            add(name, "unknown " + place.kind, Optional.of(place.prefix + key));
        } else if (isLike(begin, place.own)) {
            add(name, "unknown " + place.kind, Optional.of(place.own + key));
        }
    }

    /** Whether a name begins almost as it should, in capitals or not. */
    private static boolean isLike(String begin, String right) {
        String lower = begin.replace("-Ddev.", "-D").toLowerCase(Locale.ROOT);
        return Spelling.distance(lower, right.toLowerCase(Locale.ROOT)) <= 2;
    }

    /** Whether a name begins as for this pool, but for case or a letter or two, and for no open one. Numbered pools differ in digits. */
    private static boolean isOfMisspeltPool(String begin, Place place) {
        if (begin.equalsIgnoreCase(place.own)) {
            return !begin.equals(place.own) && !place.open.contains(begin);
        }
        int most = place.own.length() - place.prefix.length() <= 5 ? 1 : 2;
        return !place.open.contains(begin)
                && !begin.replaceAll("[0-9]", "").equals(place.own.replaceAll("[0-9]", ""))
                && Spelling.distance(begin, place.own) <= most;
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.settings;

import dev.buffers.BufferPolicy;
import dev.buffers.internal.memory.BuiltInPolicy;
import dev.buffers.internal.text.Spelling;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Finds the policy for a name: a built-in one, or a provider that {@link ServiceLoader} finds with the given class loaders.
 *
 * <p>A provider that fails or has an unusable name matters only to a pool whose policy is not found otherwise: the message then mentions
 * it. Two policies with one name matter only to a pool that asks for that name.
 */
final class PolicyLookup {
    /** A broken class path can make every further attempt fail; this many failures are enough for the message. */
    private static final int MOST_FAILURES = 32;

    /** By their names, and those of one name by their classes' names. */
    private final Map<String, Map<String, BufferPolicy>> found = new TreeMap<>();

    private final List<String> failures = new ArrayList<>();

    PolicyLookup(List<ClassLoader> loaders) {
        loaders.forEach(this::scan);
    }

    private void scan(ClassLoader loader) {
        Iterator<BufferPolicy> providers =
                ServiceLoader.load(BufferPolicy.class, loader).iterator();
        int mostFailures = failures.size() + MOST_FAILURES;
        while (failures.size() < mostFailures) {
            try {
                if (!providers.hasNext()) {
                    return;
                }
                add(providers.next());
            } catch (ServiceConfigurationError | LinkageError e) {
                failures.add(e.getCause() == null ? e.toString() : e + ", caused by " + e.getCause());
            }
        }
    }

    /** Adds a policy. Both class loaders usually find the same classes; then the instance of the first one is used. */
    private void add(BufferPolicy policy) {
        String type = policy.getClass().getName();
        try {
            found.computeIfAbsent(checkedName(policy), unused -> new LinkedHashMap<>())
                    .putIfAbsent(type, policy);
        } catch (RuntimeException e) {
            failures.add(
                    e instanceof IllegalArgumentException ? String.valueOf(e.getMessage()) : type + ".name(): " + e);
        }
    }

    /** The policy's name; throws when it has none. */
    static String checkedName(BufferPolicy policy) {
        String name = policy.name();
        if (name == null || name.isBlank()) {
            throw new IllegalArgumentException(
                    "policy without a name: " + policy.getClass().getName() + ".name()="
                            + (name == null ? "null" : '"' + name + '"') + "; accepted: a name that is not blank");
        }
        return name;
    }

    /** The policy that this setting names. */
    BufferPolicy find(Setting<String> setting) {
        Optional<BuiltInPolicy> builtIn = BuiltInPolicy.named(setting.value());
        Map<String, BufferPolicy> candidates = found.getOrDefault(setting.value(), Map.of());
        String types = String.join(" and ", candidates.keySet());
        if (builtIn.isPresent() && !candidates.isEmpty()) {
            throw setting.refused("is built in and also the name of " + types, "a provider by another name");
        }
        if (candidates.size() > 1) {
            throw setting.refused("is the name of " + types, "one provider by that name");
        }
        return Stream.concat(builtIn.stream(), candidates.values().stream())
                .findFirst()
                .orElseThrow(() -> unknown(setting));
    }

    private IllegalArgumentException unknown(Setting<String> setting) {
        List<String> names = new ArrayList<>(found.keySet());
        BuiltInPolicy.ALL.forEach(policy -> names.add(policy.name()));
        return setting.refused(
                "is no policy" + Spelling.didYouMean(Spelling.nearest(names, setting.value())),
                setting.key().accepted() + " (found: " + (found.isEmpty() ? "none" : String.join(", ", found.keySet()))
                        + ")" + (failures.isEmpty() ? "" : "; providers that failed: " + String.join("; ", failures)));
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support;

import dev.buffers.BufferPool;
import dev.buffers.PoolSettings;
import dev.buffers.internal.memory.ArenaMemory;
import dev.buffers.internal.settings.Ceiling;
import dev.buffers.internal.settings.SettingKey;
import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Settings of one pool, told by what differs from the defaults. Prints itself on one line, as in {@code policy=heap max=1m guard=on},
 * and is read back from that, so that a failure can be repeated from its message.
 */
public record Combination(Map<SettingKey<?>, String> changes) {
    public static final Combination DEFAULTS = new Combination(Map.of());

    private static final String NOTHING = "defaults";

    /** Sorts by the order in which settings are documented; a value that is the default is no change. */
    public Combination {
        Map<SettingKey<?>, String> sorted = new TreeMap<>(Comparator.comparingInt(SettingKey.ALL::indexOf));
        changes.forEach((key, text) -> {
            if (!text.equals(key.defaultText())) {
                sorted.put(key, text);
            }
        });
        changes = Collections.unmodifiableMap(sorted);
    }

    /** Reads what {@link #toString} prints. */
    public static Combination parse(String line) {
        Combination combination = DEFAULTS;
        for (String word :
                line.strip().equals(NOTHING) ? new String[0] : line.strip().split(" +")) {
            String[] sides = word.split("=", 2);
            combination = combination.with(SettingKey.named(sides[0]).orElseThrow(), sides[1]);
        }
        return combination;
    }

    Combination with(SettingKey<?> key, String text) {
        Map<SettingKey<?>, String> more = new TreeMap<>(Comparator.comparingInt(SettingKey.ALL::indexOf));
        more.putAll(changes);
        more.put(key, text);
        return new Combination(more);
    }

    String text(SettingKey<?> key) {
        return changes.getOrDefault(key, key.defaultText());
    }

    <T> T value(SettingKey<T> key) {
        return key.read(text(key));
    }

    /** The policy's name, which may be {@link Kind#OWN}. */
    String policy() {
        return text(SettingKey.POLICY);
    }

    Kind kind() {
        return new Kind(policy());
    }

    /** Whether a pool can be made so, in this JVM: the rules of the settings that depend on each other. */
    public boolean isValid() {
        boolean bothSizes = changes.containsKey(SettingKey.MAX_SIZE) && changes.containsKey(SettingKey.REGION_SIZE);
        boolean fitsInput = !changes.containsKey(SettingKey.MAX_INPUT) || value(SettingKey.MAX_INPUT) <= maxSize();
        boolean fitsRegion = !bothSizes || value(SettingKey.MAX_SIZE) <= value(SettingKey.REGION_SIZE);
        Ceiling max = value(SettingKey.MAX);
        boolean fitsMax = max.percent() || value(SettingKey.PREALLOCATE) <= max.bytes();
        boolean prompt = value(SettingKey.FREE) == PoolSettings.Freeing.PROMPT;
        boolean needsDirect = prompt || value(SettingKey.ALIGN) > 1;
        return fitsRegion
                && fitsInput
                && fitsMax
                && (!prompt || ArenaMemory.available())
                && (!needsDirect || kind().isDirect());
    }

    private long maxSize() {
        long size = value(SettingKey.MAX_SIZE);
        return changes.containsKey(SettingKey.MAX_SIZE) ? size : Math.min(size, value(SettingKey.REGION_SIZE));
    }

    BufferPool.Builder builder(String name) {
        BufferPool.Builder builder = BufferPool.builder(name);
        changes.keySet().forEach(key -> set(builder, key));
        return builder;
    }

    public BufferPool open(String name) {
        return builder(name).build();
    }

    private void set(BufferPool.Builder builder, SettingKey<?> key) {
        switch (key.name()) {
            case "policy" -> {
                if (policy().equals(Kind.OWN)) {
                    builder.policy(Kind.own(Kind::dirty));
                } else {
                    builder.policy(policy());
                }
            }
            case "max" -> builder.max(value(SettingKey.MAX).bytes());
            case "at-limit" -> builder.atLimit(value(SettingKey.AT_LIMIT));
            case "region-size" -> builder.regionSize(value(SettingKey.REGION_SIZE));
            case "max-size" -> builder.maxSize(Math.toIntExact(value(SettingKey.MAX_SIZE)));
            case "max-input" -> builder.maxInput(Math.toIntExact(value(SettingKey.MAX_INPUT)));
            case "align" -> builder.align(Math.toIntExact(value(SettingKey.ALIGN)));
            case "preallocate" -> builder.preallocate(value(SettingKey.PREALLOCATE));
            case "thread-cache" -> builder.threadCache(value(SettingKey.THREAD_CACHE));
            case "zero" -> builder.zero(value(SettingKey.ZERO));
            case "leaks" -> builder.leaks(value(SettingKey.LEAKS));
            case "trim-after" -> value(SettingKey.TRIM_AFTER).ifPresentOrElse(builder::trimAfter, builder::trimNever);
            case "free" -> builder.free(value(SettingKey.FREE));
            case "collect" -> builder.collect(value(SettingKey.COLLECT));
            case "guard" -> builder.guard(value(SettingKey.GUARD));
            case "jmx" -> builder.jmx(value(SettingKey.JMX));
            default -> throw new IllegalArgumentException("no such setting: " + key.name());
        }
    }

    @Override
    public String toString() {
        return changes.isEmpty()
                ? NOTHING
                : changes.entrySet().stream()
                        .map(change -> change.getKey().name() + "=" + change.getValue())
                        .collect(Collectors.joining(" "));
    }
}

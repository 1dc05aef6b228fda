// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support;

import dev.buffers.internal.memory.ArenaMemory;
import dev.buffers.internal.settings.SettingKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Which settings are tried together: the defaults, every single change from them, and a set in which every two values of two settings
 * that can stand together do so at least once. Most faults that need settings to show need no more than two of them (Kuhn, Wallace
 * and Gallo, IEEE TSE 2004).
 */
public final class Combinations {
    private static final List<Combination> PAIRWISE = cover();

    private Combinations() {}

    /** The values of a setting that are tried, its default first. */
    static List<String> values(SettingKey<?> key) {
        List<String> values = new ArrayList<>(List.of(key.defaultText()));
        values.addAll(others(key));
        return values;
    }

    private static List<String> others(SettingKey<?> key) {
        return switch (key.name()) {
            case "policy" -> List.of("heap", "direct", "heap-view", "unpooled", Kind.OWN);
            case "max" -> List.of("24m", "1m", "160k");
            case "at-limit" -> List.of("wait:1ms", "unpooled");
            case "region-size" -> List.of("1m", "100k", "4k");
            case "max-size" -> List.of("1m", "16k", "1k");
            case "max-input" -> List.of("1k", "10000");
            case "align" -> List.of("4k");
            case "preallocate" -> List.of("100k", "1m");
            case "thread-cache" -> List.of("0", "64k");
            case "zero" -> List.of("release", "acquire");
            case "leaks" -> List.of("sample:3", "all", "older:1h");
            case "trim-after" -> List.of("off", "1ms");
            case "free" -> ArenaMemory.available() ? List.of("prompt") : List.of();
            case "collect" -> List.of("off");
            case "guard" -> List.of("on");
            case "jmx" -> List.of("true");
            default -> throw new IllegalArgumentException("no values to try: " + key.name());
        };
    }

    /** Each differs from the defaults in one setting. */
    public static List<Combination> singles() {
        return SettingKey.ALL.stream()
                .flatMap(key -> others(key).stream().map(text -> Combination.DEFAULTS.with(key, text)))
                .toList();
    }

    /** Covers every two values that can stand together. The same each time on the same Java. */
    public static List<Combination> pairwise() {
        return PAIRWISE;
    }

    /** The defaults, the single changes and the pairwise ones, each once. */
    public static List<Combination> all() {
        Set<Combination> all = new LinkedHashSet<>(List.of(Combination.DEFAULTS));
        all.addAll(singles());
        all.addAll(pairwise());
        return List.copyOf(all);
    }

    /** Two values of two settings, in the order of {@link SettingKey#ALL}; the others are the defaults. */
    public record Pair(SettingKey<?> one, String itsText, SettingKey<?> other, String otherText) {

        public Combination combination() {
            return Combination.DEFAULTS.with(one, itsText).with(other, otherText);
        }

        public boolean isIn(Combination combination) {
            return combination.text(one).equals(itsText)
                    && combination.text(other).equals(otherText);
        }
    }

    /** All pairs, whether they can stand together or not. */
    public static List<Pair> pairs() {
        List<Pair> pairs = new ArrayList<>();
        for (int i = 0; i < SettingKey.ALL.size(); i++) {
            for (int j = i + 1; j < SettingKey.ALL.size(); j++) {
                for (String itsText : values(SettingKey.ALL.get(i))) {
                    for (String otherText : values(SettingKey.ALL.get(j))) {
                        pairs.add(new Pair(SettingKey.ALL.get(i), itsText, SettingKey.ALL.get(j), otherText));
                    }
                }
            }
        }
        return pairs;
    }

    /*
     * Greedy, one combination at a time (Cohen and others, AETG, IEEE TSE 1997): the first pair that is not covered yet, and then
     * setting by setting the value that covers most with those chosen so far; of as many tries as there are settings, each
     * beginning with another one, the best. The defaults can stand with everything, so it always comes to an end.
     */
    private static List<Combination> cover() {
        Set<Pair> uncovered = new LinkedHashSet<>(pairs());
        uncovered.removeIf(pair -> !pair.combination().isValid());
        List<Combination> cover = new ArrayList<>();
        while (!uncovered.isEmpty()) {
            Pair first = uncovered.iterator().next();
            Combination best = null;
            long most = 0;
            for (int start = 0; start < SettingKey.ALL.size(); start++) {
                Combination candidate = complete(first, uncovered, start);
                long covers =
                        uncovered.stream().filter(pair -> pair.isIn(candidate)).count();
                if (covers > most) {
                    most = covers;
                    best = candidate;
                }
            }
            Combination chosen = best;
            uncovered.removeIf(pair -> pair.isIn(chosen));
            cover.add(chosen);
        }
        return List.copyOf(cover);
    }

    private static Combination complete(Pair first, Set<Pair> uncovered, int start) {
        List<SettingKey<?>> open = new ArrayList<>(SettingKey.ALL);
        Collections.rotate(open, -start);
        open.removeAll(List.of(first.one, first.other));
        List<SettingKey<?>> chosen = new ArrayList<>(List.of(first.one, first.other));
        Combination combination = first.combination();
        for (SettingKey<?> key : open) {
            chosen.add(key);
            Combination best = combination;
            long most = -1;
            for (String text : values(key)) {
                Combination candidate = combination.with(key, text);
                long covers = !candidate.isValid()
                        ? -1
                        : uncovered.stream()
                                .filter(pair -> (pair.one == key || pair.other == key)
                                        && chosen.contains(pair.one)
                                        && chosen.contains(pair.other)
                                        && pair.isIn(candidate))
                                .count();
                if (covers > most) {
                    most = covers;
                    best = candidate;
                }
            }
            combination = best;
        }
        return combination;
    }
}

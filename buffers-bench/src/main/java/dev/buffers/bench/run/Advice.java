// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.run;

import dev.buffers.bench.harness.Score;
import dev.buffers.bench.harness.Verdict;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What to set on this machine. A policy is for all uses when it costs less than the default in one of them, more in none, both at 95 %
 * confidence, and was measured in all; of several the one with the least product of ratios is taken. Where there is no such policy and
 * yet something is better in one use or another, each such use gets a separate pool.
 *
 * @param uses by name, with the score of each policy but the default
 */
record Advice(Map<String, List<Score>> uses) {

    /** The policy that is better than the default for all uses taken together. */
    Optional<String> forAll() {
        Map<String, List<Score>> policies = uses.values().stream()
                .flatMap(List::stream)
                .collect(Collectors.groupingBy(
                        score -> score.trial().alternative(), LinkedHashMap::new, Collectors.toList()));
        return policies.entrySet().stream()
                .filter(policy -> isForAll(policy.getValue()))
                .min(Comparator.comparingDouble(policy -> policy.getValue().stream()
                        .mapToDouble(score -> score.cost().ratio())
                        .reduce(1, (a, b) -> a * b)))
                .map(Map.Entry::getKey);
    }

    private static boolean isForAll(List<Score> scores) {
        return scores.stream().anyMatch(score -> score.verdict() == Verdict.HOLDS)
                && scores.stream().noneMatch(score -> score.verdict() == Verdict.REVERSED || score.counted() == 0);
    }

    /** The best policy of each use in which one is better than the default at 95 % confidence. */
    private Map<String, Score> best() {
        Map<String, Score> best = new LinkedHashMap<>();
        uses.forEach((use, scores) -> scores.stream()
                .filter(score -> score.verdict() == Verdict.HOLDS)
                .min(Comparator.comparingDouble(score -> score.cost().ratio()))
                .ifPresent(score -> best.put(use, score)));
        return best;
    }

    /** Keys and values for {@code buffers.properties}; none where the default stays. */
    Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        forAll().ifPresent(policy -> settings.put("buffers.policy", policy));
        if (settings.isEmpty()) {
            best().forEach((use, score) ->
                    settings.put("buffers." + use + ".policy", score.trial().alternative()));
        }
        return settings;
    }

    String sentence() {
        List<Score> scores = uses.values().stream().flatMap(List::stream).toList();
        String nothing = Recommendation.nothing(scores);
        if (!nothing.isEmpty()) {
            return nothing;
        }
        String said = Recommendation.provisional(scores) + found();
        return said.substring(0, 1).toUpperCase(Locale.ROOT) + said.substring(1);
    }

    private String found() {
        Map<String, Score> best = best();
        Optional<String> policy = forAll();
        if (policy.isPresent()) {
            best.values().removeIf(score -> !score.trial().alternative().equals(policy.get()));
            return "set the policy " + policy.get() + " for all uses. It takes less CPU time than "
                    + Recommendation.DEFAULT + ", the default, in " + String.join(", ", best.keySet())
                    + ", and is not known to take more in any.";
        }
        String keep = "keep the default policy, " + Recommendation.DEFAULT + ", for all uses";
        if (best.isEmpty()) {
            return keep + ". No other is known to take less CPU time.";
        }
        return keep + " but these, which need a separate pool: "
                + best.entrySet().stream()
                        .map(use -> pool(use.getKey(), use.getValue()))
                        .collect(Collectors.joining("; "))
                + ".";
    }

    private static String pool(String use, Score score) {
        return String.format(
                "BufferPool.create(\"%s\") with the policy %s (the default takes %s times its CPU time)",
                use, score.trial().alternative(), score.cost().inverse().text());
    }
}

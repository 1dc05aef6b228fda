// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.run;

import dev.buffers.bench.harness.Score;
import dev.buffers.bench.harness.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The settings for this machine. A policy is for all uses if it was measured in all of them, costs less than the default in at least one,
 * and if in each of them its interval excludes a loss of more than 5 %. It is not if its interval in some use shows a loss, however small.
 * Of several such policies the one with the least product of ratios is taken. Where no policy is for all uses, each use in which some
 * policy costs less gets a separate pool with the best of these.
 *
 * <p>All of that is at 95 % confidence for each use and policy by itself. They do not share an error budget: a trial ends as soon as it is
 * decided by itself, with too few pairs for a part of the budget.
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

    /** Whether the scores of one policy speak for it in every use. */
    private boolean isForAll(List<Score> scores) {
        return scores.size() == uses.size()
                && scores.stream().anyMatch(score -> score.verdict() == Verdict.HOLDS)
                && scores.stream().noneMatch(score -> score.verdict() == Verdict.REVERSED)
                && scores.stream().allMatch(score -> score.isAtMost(Verdict.MATTERS));
    }

    /** The counted pairs of the trial that has the fewest. */
    int leastCounted() {
        return uses.values().stream()
                .flatMap(List::stream)
                .mapToInt(Score::counted)
                .min()
                .orElse(0);
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
        String missing = Recommendation.missing(scores);
        String said = missing.isEmpty()
                ? found()
                : settings().isEmpty() ? Recommendation.undecided(scores) : "provisional, " + missing + ": " + found();
        return said.substring(0, 1).toUpperCase(Locale.ROOT) + said.substring(1);
    }

    private String found() {
        Optional<String> policy = forAll();
        if (policy.isPresent()) {
            List<String> better = better(policy.get());
            return "set the policy " + policy.get() + " for all uses. It takes less CPU time than "
                    + Recommendation.DEFAULT + ", the default, in "
                    + (better.size() == uses.size()
                            ? "each of them."
                            : String.join(", ", better) + ", and at most 5 % more in each other use.");
        }
        Map<String, Score> best = best();
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

    /** The uses in which a policy is better than the default. */
    private List<String> better(String policy) {
        List<String> better = new ArrayList<>(uses.keySet());
        better.removeIf(use -> uses.getOrDefault(use, List.of()).stream()
                .noneMatch(score -> score.trial().alternative().equals(policy) && score.verdict() == Verdict.HOLDS));
        return better;
    }

    private static String pool(String use, Score score) {
        return String.format(
                "BufferPool.create(\"%s\") with the policy %s (the default takes %s times its CPU time)",
                use, score.trial().alternative(), score.cost().inverse().text());
    }
}

package dev.buffers.bench.run;

import dev.buffers.bench.duet.Estimate;
import dev.buffers.bench.duet.Score;
import dev.buffers.bench.duet.Verdict;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What to set on this machine. A policy is for all uses when it costs less than the default in one of them beyond doubt, more in none
 * beyond doubt, and was measured in all; of several the one with the best product of ratios is taken. Where there is no such policy and
 * yet something is better in one use or another, each such use gets a pool of its own.
 *
 * @param uses by name, with the score of each policy but the default
 */
record Advice(Map<String, List<Score>> uses) {

    /** The policy that is better than the default for all uses taken together. */
    Optional<String> forAll() {
        Map<String, List<Score>> policies = uses.values().stream()
                .flatMap(List::stream)
                .collect(Collectors.groupingBy(
                        score -> score.trial().challenger(), LinkedHashMap::new, Collectors.toList()));
        return policies.entrySet().stream()
                .filter(policy -> isForAll(policy.getValue()))
                .max(Comparator.comparingDouble(policy -> policy.getValue().stream()
                        .mapToDouble(score -> score.better().ratio())
                        .reduce(1, (a, b) -> a * b)))
                .map(Map.Entry::getKey);
    }

    private static boolean isForAll(List<Score> scores) {
        return scores.stream().anyMatch(score -> score.verdict() == Verdict.HOLDS)
                && scores.stream().noneMatch(score -> score.verdict() == Verdict.REVERSED || score.counted() == 0);
    }

    /** The best policy of each use in which one is better than the default beyond doubt. */
    private Map<String, Score> best() {
        Map<String, Score> best = new LinkedHashMap<>();
        uses.forEach((use, scores) -> scores.stream()
                .filter(score -> score.verdict() == Verdict.HOLDS)
                .max(Comparator.comparingDouble(score -> score.better().ratio()))
                .ifPresent(score -> best.put(use, score)));
        return best;
    }

    /** Keys and values for {@code buffers.properties}. */
    Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("buffers.policy", forAll().orElse(Recommendation.DEFAULT));
        if (forAll().isEmpty()) {
            best().forEach((use, score) ->
                    settings.put("buffers." + use + ".policy", score.trial().challenger()));
        }
        return settings;
    }

    String sentence() {
        String nothing = Recommendation.nothing(
                uses.values().stream().flatMap(List::stream).toList());
        if (!nothing.isEmpty()) {
            return nothing;
        }
        Map<String, Score> best = best();
        Optional<String> policy = forAll();
        if (policy.isPresent()) {
            best.values().removeIf(score -> !score.trial().challenger().equals(policy.get()));
            return "Set -Dbuffers.policy=" + policy.get() + " for all uses: it takes less CPU time than the default in "
                    + String.join(", ", best.keySet()) + ", more in none.";
        }
        String leave = "Leave -Dbuffers.policy=" + Recommendation.DEFAULT + ", the default, for all uses";
        if (best.isEmpty()) {
            return leave + ": nothing is known to take less CPU time.";
        }
        return leave + ", for what is better in one use is worse, or not known, in another. A pool for each of these: "
                + best.entrySet().stream()
                        .map(use -> pool(use.getKey(), use.getValue()))
                        .collect(Collectors.joining("; "))
                + ".";
    }

    private static String pool(String use, Score score) {
        Estimate.Interval interval = score.better().interval();
        return String.format(
                Locale.ROOT,
                "BufferPool.create(\"%s\") with -Dbuffers.%s.policy=%s, %.2f times better (%.2f to %.2f)",
                use,
                use,
                score.trial().challenger(),
                score.better().ratio(),
                interval.low(),
                interval.high());
    }
}

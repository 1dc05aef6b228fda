package dev.buffers.bench.advise;

import dev.buffers.bench.duet.Estimate;
import dev.buffers.bench.duet.Score;
import dev.buffers.bench.duet.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What to set on this machine. A policy is for all uses when it costs less than the default in one of them beyond doubt, more in none
 * beyond doubt, and was measured in all; of several the one with the best product of ratios is taken. Where there is no such policy and
 * yet something is better in one use or another, each such use gets a pool of its own.
 *
 * @param uses by name, with the score of each policy but the default
 */
record Advice(Map<String, List<Score>> uses) {
    static final String DEFAULT = "direct-view";

    /** The policy that is better than the default for all uses taken together. */
    Optional<String> forAll() {
        return uses.values().stream()
                .flatMap(List::stream)
                .map(score -> score.trial().challenger())
                .distinct()
                .filter(policy -> has(policy, score -> score.verdict() == Verdict.HOLDS))
                .filter(policy -> !has(policy, score -> score.verdict() == Verdict.REVERSED))
                .filter(policy -> !has(policy, score -> score.counted() == 0))
                .max(Comparator.comparingDouble(policy -> uses.values().stream()
                        .flatMap(List::stream)
                        .filter(score -> score.trial().challenger().equals(policy))
                        .mapToDouble(score -> score.better().ratio())
                        .reduce(1, (a, b) -> a * b)));
    }

    private boolean has(String policy, Predicate<Score> condition) {
        return uses.values().stream()
                .flatMap(List::stream)
                .anyMatch(score -> score.trial().challenger().equals(policy) && condition.test(score));
    }

    /** The best policy of a use, where one is better than the default beyond doubt. */
    private Optional<Score> best(String use) {
        return uses.getOrDefault(use, List.of()).stream()
                .filter(score -> score.verdict() == Verdict.HOLDS)
                .max(Comparator.comparingDouble(score -> score.better().ratio()));
    }

    /** Keys and values for {@code buffers.properties}. */
    Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("buffers.policy", forAll().orElse(DEFAULT));
        if (forAll().isEmpty()) {
            uses.keySet()
                    .forEach(use -> best(use)
                            .ifPresent(score -> settings.put(
                                    "buffers." + use + ".policy", score.trial().challenger())));
        }
        return settings;
    }

    /** What follows for all uses taken together. */
    String sentence() {
        List<Score> all = uses.values().stream().flatMap(List::stream).toList();
        if (all.stream().allMatch(score -> score.pairs() == 0)) {
            return "Nothing is known yet: no round was played to its end.";
        }
        if (all.stream().anyMatch(score -> score.verdict() == Verdict.WITHHELD)) {
            return "No advice: others used too much of this machine.";
        }
        Optional<String> policy = forAll();
        if (policy.isPresent()) {
            return "Set -Dbuffers.policy=" + policy.get() + " for all uses: it takes less CPU time than the default in "
                    + uses.keySet().stream()
                            .filter(use -> best(use)
                                    .filter(score -> score.trial().challenger().equals(policy.get()))
                                    .isPresent())
                            .collect(Collectors.joining(", "))
                    + ", more in none.";
        }
        String leave = "Leave -Dbuffers.policy=" + DEFAULT + ", the default, for all uses";
        List<String> own = new ArrayList<>();
        uses.keySet()
                .forEach(use -> best(use)
                        .ifPresent(score -> own.add("BufferPool.create(\"" + use + "\") with -Dbuffers." + use
                                + ".policy=" + score.trial().challenger() + ", " + gain(score.better()))));
        return own.isEmpty()
                ? leave + ": nothing is known to take less CPU time."
                : leave
                        + ", for what is better in one use is worse, or not known, in another. A pool for each of these: "
                        + String.join("; ", own) + ".";
    }

    private static String gain(Estimate better) {
        Estimate.Interval interval = better.interval(Verdict.WRONG);
        return String.format(
                Locale.ROOT, "%.2f times better (%.2f to %.2f)", better.ratio(), interval.low(), interval.high());
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.run;

import dev.buffers.bench.harness.Comparison;
import dev.buffers.bench.harness.Estimate;
import dev.buffers.bench.harness.InterimAnalyses;
import dev.buffers.bench.harness.Journal;
import dev.buffers.bench.harness.Score;
import dev.buffers.bench.harness.Verdict;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The policy to set: the one that takes the least CPU time of those that take less than the default, at 95 % confidence; else the default.
 *
 * @param scores of the other policies
 */
record Recommendation(List<Score> scores) {
    /** The policy without any setting: the others have to beat it. */
    static final String DEFAULT = "direct-view";

    Recommendation(Journal journal, Comparison comparison) {
        this(comparison.trials().stream()
                .filter(trial -> comparison.alternatives().stream()
                        .anyMatch(side -> side.name().equals(trial.alternative())
                                && side.parameters().containsKey("policy")))
                .map(trial -> Score.of(journal, trial))
                .toList());
    }

    private Optional<Score> best() {
        return least(Verdict.HOLDS);
    }

    private Optional<Score> least(Verdict verdict) {
        return scores.stream()
                .filter(score -> score.counted() > 0 && score.verdict() == verdict)
                .min(Comparator.comparingDouble(score -> score.cost().ratio()));
    }

    /** What to copy; nothing where the default stays. */
    List<String> settings() {
        return best().map(score -> List.of("-Dbuffers.policy=" + score.trial().alternative()))
                .orElse(List.of());
    }

    String sentence() {
        String nothing = nothing(scores);
        if (!nothing.isEmpty()) {
            return nothing;
        }
        return best().map(score -> "set the policy " + score.trial().alternative() + ". A request takes "
                        + percent(score.cost()) + " CPU time than with " + DEFAULT + ", the default"
                        + sureness(score.cost()) + ".")
                .orElseGet(() -> missing(scores).isEmpty()
                        ? "keep the default policy, " + DEFAULT + ". " + whyNoOther()
                        : undecided(scores) + nearest());
    }

    /** As a headline. */
    String headline() {
        String sentence = sentence();
        return sentence.substring(0, 1).toUpperCase(Locale.ROOT) + sentence.substring(1);
    }

    private String whyNoOther() {
        return least(Verdict.OPEN)
                .map(score -> "No other is known to take less CPU time; nearest is "
                        + score.trial().alternative() + " with " + percent(score.cost()) + sureness(score.cost())
                        + ".")
                .orElse("No other takes less CPU time for a request.");
    }

    private String nearest() {
        return least(Verdict.OPEN)
                .map(score -> " Of the other policies " + score.trial().alternative()
                        + " takes the least CPU time so far, " + percent(score.cost()) + " than " + DEFAULT
                        + ", the default" + sureness(score.cost()) + ".")
                .orElse("");
    }

    /** Why nothing follows from some scores; empty when something does. */
    static String nothing(List<Score> scores) {
        if (scores.stream().allMatch(score -> score.pairs() == 0)) {
            return "Nothing is known yet: no pair of servers was measured to its end.";
        }
        return scores.stream().allMatch(score -> score.counted() == 0)
                ? "Nothing is known: the kernel's clocks of threads and of processes disagree on this machine."
                : "";
    }

    /** How many pairs there are of those that the first analysis needs; empty when it has them. */
    static String missing(List<Score> scores) {
        int least = scores.stream().mapToInt(Score::counted).min().orElse(0);
        return least >= InterimAnalyses.FIRST ? "" : least + " of at least " + InterimAnalyses.FIRST + " pairs";
    }

    /** In place of advice, where pairs are missing and nothing is decided. */
    static String undecided(List<Score> scores) {
        return "not decided: " + missing(scores) + ".";
    }

    private static String percent(Estimate cost) {
        return change(cost.ratio());
    }

    private static String change(double ratio) {
        double more = 100 * (ratio - 1);
        return String.format(Locale.ROOT, "%.1f %% %s", Math.abs(more), more < 0 ? "less" : "more");
    }

    private static String sureness(Estimate cost) {
        Estimate.Interval interval = cost.interval();
        return cost.isKnown() && interval.high() < 10
                ? " (95 %: " + change(interval.low()) + " to " + change(interval.high()) + ")"
                : "";
    }
}

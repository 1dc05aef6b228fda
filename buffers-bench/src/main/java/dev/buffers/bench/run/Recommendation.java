package dev.buffers.bench.run;

import dev.buffers.bench.duet.Estimate;
import dev.buffers.bench.duet.Journal;
import dev.buffers.bench.duet.Match;
import dev.buffers.bench.duet.Score;
import dev.buffers.bench.duet.Verdict;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The policy to set: of those that take less CPU time than the default beyond doubt the one that takes least, else the default.
 *
 * @param scores of the other policies
 */
record Recommendation(List<Score> scores) {
    /** What one gets without setting anything: the others have to beat it. */
    static final String DEFAULT = "direct-view";

    Recommendation(Journal journal, Match match) {
        this(match.trials().stream()
                .filter(trial -> match.challengers().stream()
                        .anyMatch(side -> side.name().equals(trial.challenger())
                                && side.parameters().containsKey("policy")))
                .map(trial -> Score.of(journal, trial))
                .toList());
    }

    /** Why nothing follows from some scores; empty when something does. */
    static String nothing(List<Score> scores) {
        if (scores.stream().allMatch(score -> score.pairs() == 0)) {
            return "Nothing is known yet: no round was played to its end.";
        }
        return scores.stream().anyMatch(score -> score.verdict() == Verdict.WITHHELD)
                ? "No advice: others used too much of this machine."
                : "";
    }

    String sentence() {
        String nothing = nothing(scores);
        if (!nothing.isEmpty()) {
            return nothing;
        }
        Optional<Score> best = scores.stream()
                .filter(score -> score.verdict() == Verdict.HOLDS)
                .min(Comparator.comparingDouble(score -> score.cost().ratio()));
        return best.map(score -> "Set -Dbuffers.policy=" + score.trial().challenger() + ": a request takes "
                        + percent(score.cost()) + " CPU time of the server than with the default, " + DEFAULT
                        + sureness(score.cost()) + ".")
                .orElseGet(() -> "Leave -Dbuffers.policy=" + DEFAULT + ", the default: "
                        + Stream.of(
                                        figures("a request takes more CPU time with ", Verdict.REVERSED),
                                        figures("it takes as much, within 5 %, with ", Verdict.NO_DIFFERENCE),
                                        figures("whether it takes less is open with ", Verdict.OPEN))
                                .filter(part -> !part.isEmpty())
                                .collect(Collectors.joining("; "))
                        + ".");
    }

    private String figures(String words, Verdict verdict) {
        String all = scores.stream()
                .filter(score -> score.verdict() == verdict)
                .map(score -> score.trial().challenger() + " (" + percent(score.cost()) + sureness(score.cost()) + ")")
                .collect(Collectors.joining(", "));
        return all.isEmpty() ? "" : words + all;
    }

    private static String percent(Estimate cost) {
        double more = 100 * (cost.ratio() - 1);
        return String.format(Locale.ROOT, "%.1f %% %s", Math.abs(more), more < 0 ? "less" : "more");
    }

    private static String sureness(Estimate cost) {
        Estimate.Interval interval = cost.interval();
        return cost.isKnown()
                ? String.format(
                        Locale.ROOT,
                        ", %+.1f to %+.1f %% at 95 %%",
                        100 * (interval.low() - 1),
                        100 * (interval.high() - 1))
                : "";
    }
}

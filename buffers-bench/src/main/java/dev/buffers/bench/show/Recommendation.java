package dev.buffers.bench.show;

import dev.buffers.bench.duet.Estimate;
import dev.buffers.bench.duet.Journal;
import dev.buffers.bench.duet.Match;
import dev.buffers.bench.duet.Score;
import dev.buffers.bench.duet.Verdict;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
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

    /** Which, what it saves, and how sure that is. */
    String sentence() {
        if (scores.stream().allMatch(score -> score.verdict() == Verdict.NOT_RUN)) {
            return "Nothing is known yet: no round was played to its end.";
        }
        if (scores.stream().anyMatch(score -> score.verdict() == Verdict.WITHHELD)) {
            return "No recommendation: others used too much of this machine.";
        }
        List<Score> better = scores.stream()
                .filter(score -> score.verdict() == Verdict.HOLDS)
                .sorted(Comparator.comparingDouble(score -> score.cost().ratio()))
                .toList();
        if (!better.isEmpty()) {
            Score best = better.get(0);
            return "Set -Dbuffers.policy=" + best.trial().challenger() + ": a request takes "
                    + percent(best.cost()) + " CPU time of the server than with the default, " + DEFAULT
                    + sureness(best)
                    + ".";
        }
        return "Leave -Dbuffers.policy=" + DEFAULT + ", the default: "
                + Stream.of(
                                figures("a request takes more CPU time with ", Verdict.REVERSED),
                                figures("it takes as much, within 5 %, with ", Verdict.NO_DIFFERENCE),
                                figures("whether it takes less is open with ", Verdict.OPEN))
                        .filter(part -> !part.isEmpty())
                        .collect(Collectors.joining("; "))
                + ".";
    }

    private String figures(String words, Verdict verdict) {
        return scores.stream()
                .filter(score -> score.verdict() == verdict)
                .map(score -> score.trial().challenger() + " (" + percent(score.cost()) + sureness(score) + ")")
                .collect(Collectors.collectingAndThen(
                        Collectors.joining(", "), all -> all.isEmpty() ? "" : words + all));
    }

    private static String percent(Estimate cost) {
        double more = 100 * (cost.ratio() - 1);
        return String.format(Locale.ROOT, "%.1f %% %s", Math.abs(more), more < 0 ? "less" : "more");
    }

    private static String sureness(Score score) {
        if (score.cost().pairs() < 2) {
            return "";
        }
        Estimate.Interval interval = score.cost().interval(Verdict.WRONG);
        return String.format(
                Locale.ROOT, ", %+.1f to %+.1f %% at 95 %%", 100 * (interval.low() - 1), 100 * (interval.high() - 1));
    }
}

package dev.buffers.bench.report;

import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.claims.Claim.Kind;
import dev.buffers.bench.claims.Finding;
import dev.buffers.bench.claims.Finding.TrialFinding;
import dev.buffers.bench.figures.Ratio;
import dev.buffers.bench.figures.Verdict;
import java.util.List;
import java.util.Objects;

/** A claim and what became of it, in words. */
record ClaimRow(
        String id,
        String statement,
        int year,
        String source,
        String setting,
        String then,
        String now,
        String since,
        String key,
        String word,
        List<TrialRow> trials) {

    /** One comparison and what became of it, in words. */
    record TrialRow(String label, String asked, String ratio, String key, String word, String why) {}

    static ClaimRow of(Finding finding) {
        Claim claim = finding.claim();
        return new ClaimRow(
                claim.id(),
                claim.statement(),
                claim.source().year(),
                claim.source().what(),
                claim.source().setting(),
                claim.then(),
                now(finding),
                claim.since(),
                finding.verdict().name(),
                finding.verdict().toString(),
                finding.trials().stream().map(ClaimRow::trial).toList());
    }

    /** The ratio of the only trial, or between what all trials' ratios lie. */
    static String now(Finding finding) {
        List<Ratio> ratios = finding.trials().stream()
                .map(TrialFinding::ratio)
                .filter(Objects::nonNull)
                .toList();
        if (ratios.isEmpty()) {
            return finding.verdict().toString();
        }
        if (ratios.size() == 1) {
            return text(ratios.get(0));
        }
        double least = ratios.stream().mapToDouble(Ratio::estimate).min().orElseThrow();
        double greatest = ratios.stream().mapToDouble(Ratio::estimate).max().orElseThrow();
        return Numbers.factor(least) + " to " + Numbers.factor(greatest) + " in " + ratios.size() + " trials";
    }

    private static TrialRow trial(TrialFinding trial) {
        Ratio ratio = trial.ratio();
        return new TrialRow(
                trial.trial().label(),
                asked(trial.trial()),
                ratio == null ? "" : text(ratio),
                trial.verdict().name(),
                trial.verdict().toString(),
                trial.why().equals(trial.verdict().toString()) ? "" : trial.why());
    }

    private static String text(Ratio ratio) {
        return Numbers.factor(ratio.estimate()) + " (" + Numbers.interval(ratio) + ")";
    }

    private static String asked(Claim.Trial trial) {
        if (trial.kind() == Kind.SAME) {
            return "no difference";
        }
        return trial.threshold() > Verdict.MATTERS ? "at least " + Numbers.factor(trial.threshold()) : "";
    }
}

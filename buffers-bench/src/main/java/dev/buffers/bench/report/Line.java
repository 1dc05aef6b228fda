// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.report;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.harness.Estimate;
import dev.buffers.bench.harness.Journal;
import dev.buffers.bench.harness.Score;
import dev.buffers.bench.harness.Trial;
import dev.buffers.bench.harness.Verdict;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Optional;

/**
 * What became of a claim.
 *
 * @param ratio how many times better, or between what all its ratios lie
 * @param key the verdict's name
 * @param word the verdict; empty where nothing is claimed
 * @param trials those that the run was to measure, in words
 * @param standings of its cells, where nothing is claimed
 * @param spreads of the figures of connections that wait
 * @param scores of the trials
 */
@JsonIgnoreProperties("scores")
record Line(
        @JsonIgnoreProperties({"comparisons", "deciding"}) Claim claim,
        String ratio,
        String key,
        String word,
        List<Row> trials,
        List<Standing> standings,
        List<Spread> spreads,
        List<Score> scores) {

    /** One comparison in words. */
    record Row(
            String label,
            String base,
            String alternative,
            String ratio,
            String wall,
            String pairs,
            String key,
            String word) {}

    /** Puts what a journal says to the rule. */
    static Line of(Claim claim, Journal journal) {
        List<Score> scores = claim.trials(true).stream()
                .filter(journal.header().trials()::contains)
                .map(trial -> Score.of(journal, trial))
                .toList();
        Optional<Verdict.Finding> found = claim.obstacle().isEmpty()
                ? Verdict.ofScores(scores)
                : Optional.of(new Verdict.Finding(Verdict.NOT_MEASURABLE, claim.obstacle()));
        String key = found.map(Verdict.Finding::verdict).orElse(Verdict.NOT_RUN).name();
        String word = found.map(Verdict.Finding::toString).orElse("");
        List<Row> trials = scores.stream().map(score -> row(journal, score)).toList();
        List<Standing> standings = word.isEmpty()
                ? Standing.all(journal, scores.stream().map(Score::trial).toList())
                : List.of();
        return new Line(claim, span(scores), key, word, trials, standings, Spread.all(claim, journal), scores);
    }

    static String label(Trial trial) {
        return trial.label() + (trial.shape().isEmpty() ? "" : ", " + trial.shape());
    }

    private static Row row(Journal journal, Score score) {
        Trial trial = score.trial();
        String unit = unit(trial.figure());
        double base = Score.base(journal, trial);
        Estimate wall = trial.question().better(score.wall());
        return new Row(
                label(trial),
                Estimate.number(base) + unit,
                Estimate.number(base * score.cost().ratio()) + unit,
                score.better().text(),
                trial.figure().equals(Trial.CPU) ? wall.text() : "",
                score.counted() + (score.pairs() > score.counted() ? " of " + score.pairs() : ""),
                score.verdict().name(),
                word(score));
    }

    /** A trial that asks for the cheaper side is answered by its name. */
    private static String word(Score score) {
        Verdict verdict = score.verdict();
        if (!score.trial().question().isOpen() || verdict != Verdict.HOLDS && verdict != Verdict.REVERSED) {
            return verdict.toString();
        }
        return score.trial().alternative() + (verdict == Verdict.HOLDS ? " costs less" : " costs more");
    }

    static String unit(String figure) {
        return switch (figure) {
            case Trial.CPU, Trial.WALL -> " ns";
            case "p50", "p99" -> " µs";
            default -> " B";
        };
    }

    private static String span(List<Score> scores) {
        List<Estimate> all =
                scores.stream().map(Score::better).filter(Estimate::isKnown).toList();
        if (all.size() < 2) {
            return all.isEmpty() ? "" : all.get(0).text();
        }
        DoubleSummaryStatistics ratios =
                all.stream().mapToDouble(Estimate::ratio).summaryStatistics();
        return Estimate.factor(ratios.getMin()) + " to " + Estimate.factor(ratios.getMax()) + " in " + all.size();
    }
}

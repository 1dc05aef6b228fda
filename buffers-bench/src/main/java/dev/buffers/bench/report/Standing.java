// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.report;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.buffers.bench.harness.Estimate;
import dev.buffers.bench.harness.Journal;
import dev.buffers.bench.harness.Score;
import dev.buffers.bench.harness.Trial;
import dev.buffers.bench.harness.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * All sides of one cell by one figure, best first: the one statistic that headline, table, picture and live line show. A ratio is an
 * alternative's figure divided by the base's; above 1 the base is better.
 *
 * @param title of the cell, where a question has several
 * @param base its name
 * @param figure that is compared
 * @param unit of the values
 */
public record Standing(String title, String base, String figure, String unit, List<Side> sides) {

    /**
     * One side.
     *
     * @param value in the unit
     * @param cost the ratio; of the base none
     * @param interval of the ratio, in words
     */
    public record Side(
            String name,
            double value,
            String text,
            String ratio,
            String interval,
            String wall,
            String pairs,
            String key,
            String word,
            @JsonIgnore Estimate cost) {

        public boolean isBase() {
            return cost.pairs() == 0;
        }
    }

    /** For each cell and figure that is asked about, as far as something is known. */
    public static List<Standing> all(Journal journal, List<Trial> trials) {
        Map<String, List<Score>> cells = trials.stream()
                .map(trial -> Score.of(journal, trial))
                .filter(score -> score.counted() > 0)
                .collect(Collectors.groupingBy(
                        score -> score.trial().cell() + " " + score.trial().figure(),
                        LinkedHashMap::new,
                        Collectors.toList()));
        return cells.values().stream()
                .map(scores -> of(
                        base(journal, scores.get(0).trial()),
                        Score.base(journal, scores.get(0).trial()),
                        scores))
                .toList();
    }

    private static String base(Journal journal, Trial trial) {
        return journal.header().comparisons().stream()
                .filter(comparison -> comparison.trials().contains(trial))
                .map(comparison -> comparison.base().name())
                .findFirst()
                .orElse("base");
    }

    private static Standing of(String base, double figure, List<Score> scores) {
        Trial first = scores.get(0).trial();
        int step = first.figure().startsWith("p") ? 0 : figure >= 1e6 ? 2 : figure >= 1e3 ? 1 : 0;
        double scale = Math.pow(1000, step);
        String unit = units(first.figure()).get(step);
        List<Side> sides = new ArrayList<>();
        int most = scores.stream().mapToInt(Score::counted).max().orElse(0);
        double value = figure / scale;
        String text = Estimate.number(value) + " " + unit;
        boolean best = scores.stream().noneMatch(score -> score.verdict() == Verdict.HOLDS);
        String key = best ? "best" : "BASE";
        sides.add(new Side(base, value, text, "1", "", "", "" + most, key, "", new Estimate(0, 0, 0)));
        for (Score score : scores) {
            sides.add(side(score, value * score.cost().ratio(), unit));
        }
        sides.sort(Comparator.comparingDouble(Side::value));
        return new Standing(first.cell(), base, first.figure(), unit, sides);
    }

    private static Side side(Score score, double value, String unit) {
        Estimate cost = score.cost();
        return new Side(
                score.trial().alternative(),
                value,
                Estimate.number(value) + " " + unit,
                Estimate.factor(cost.ratio()),
                cost.intervalText(),
                score.trial().figure().equals(Trial.CPU) ? score.wall().text() : "",
                score.counted() + (score.pairs() > score.counted() ? " of " + score.pairs() : ""),
                score.verdict().name(),
                word(score.verdict()),
                cost);
    }

    private static String word(Verdict verdict) {
        return switch (verdict) {
            case HOLDS -> "less";
            case REVERSED -> "more";
            default -> verdict.toString();
        };
    }

    private static List<String> units(String figure) {
        return switch (figure) {
            case Trial.CPU, Trial.WALL -> List.of("ns", "µs", "ms");
            case "p50", "p99" -> List.of("µs");
            default -> List.of("B", "KB", "MB");
        };
    }

    /** The measured quantity: the head of the figures. */
    public String measure() {
        return switch (figure) {
            case Trial.CPU -> "CPU time";
            case Trial.WALL -> "wall time";
            default -> figure;
        };
    }

    /** The sides with their figures, best first: {@code heap 25.1, direct-view 25.9 µs}. */
    public String text() {
        return sides.stream()
                        .map(side -> side.name() + " " + Estimate.number(side.value()))
                        .collect(Collectors.joining(", "))
                + " " + unit;
    }
}

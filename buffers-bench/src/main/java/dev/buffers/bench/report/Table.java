package dev.buffers.bench.report;

import dev.buffers.bench.claims.Finding;
import dev.buffers.bench.duet.Estimate;
import dev.buffers.bench.duet.Score;
import dev.buffers.bench.duet.Trial;
import dev.buffers.bench.duet.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The words and figures of a run as rows: for the terminal, and for the pages. */
public final class Table {
    private static final int WIDTH = 76;

    private Table() {}

    /** One comparison in words. */
    record Row(
            String label,
            String base,
            String challenger,
            String ratio,
            String wall,
            String pairs,
            String key,
            String word) {}

    /** For the terminal: the warnings, the answer, a line for each row under its heading, and what is missing. */
    public static List<String> lines(Results results) {
        List<String> lines = new ArrayList<>(results.warnings());
        lines.add(results.headline());
        lines.add("");
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("", "", "times better", "", ""));
        for (Finding finding : results.findings()) {
            if (finding.isOpenQuestion()) {
                finding.scores().forEach(score -> {
                    Row row = row(score);
                    rows.add(List.of(finding.claim().id(), row.label, row.ratio, row.word, row.pairs));
                });
            } else {
                rows.add(List.of(
                        finding.claim().id(),
                        shortened(finding.claim().statement()),
                        span(finding),
                        finding.word() + "",
                        ""));
            }
        }
        Columns.lines(rows, 4).forEach(line -> lines.add(line.stripTrailing()));
        lines.add("");
        lines.addAll(results.controls());
        lines.addAll(results.completeness());
        return lines;
    }

    static Row row(Score score) {
        Trial trial = score.trial();
        String unit = unit(trial.figure());
        String shape = trial.shape().isEmpty() ? "" : ", " + trial.shape();
        return new Row(
                trial.label() + shape,
                number(score.base()) + unit,
                number(score.challenger()) + unit,
                ratio(score.better()),
                trial.figure().equals(Trial.CPU) ? ratio(trial.question().better(score.wall())) : "",
                score.counted() + (score.pairs() > score.counted() ? " of " + score.pairs() : ""),
                score.verdict().name(),
                word(score));
    }

    /** A trial that asks for the cheaper side is answered by its name. */
    private static String word(Score score) {
        return switch (score.trial().question().kind()) {
            case EITHER ->
                switch (score.verdict()) {
                    case HOLDS -> score.trial().challenger() + " costs less";
                    case REVERSED -> score.trial().challenger() + " costs more";
                    default -> score.verdict().toString();
                };
            default -> score.verdict().toString();
        };
    }

    private static String unit(String figure) {
        return switch (figure) {
            case Trial.CPU, Trial.WALL -> " ns";
            case "p50", "p99" -> " µs";
            default -> " B";
        };
    }

    /** How many times better, with the interval. */
    static String ratio(Estimate better) {
        if (better.pairs() < 2) {
            return "-";
        }
        Estimate.Interval interval = better.interval(Verdict.WRONG);
        return factor(better.ratio()) + " (" + factor(interval.low()) + " to " + factor(interval.high()) + ")";
    }

    /** The only ratio, or between what all ratios lie. */
    static String span(Finding finding) {
        List<Estimate> all = finding.scores().stream()
                .map(Score::better)
                .filter(better -> better.pairs() >= 2)
                .toList();
        if (all.size() < 2) {
            return all.isEmpty() ? "" : ratio(all.get(0));
        }
        double least = all.stream().mapToDouble(Estimate::ratio).min().orElseThrow();
        double most = all.stream().mapToDouble(Estimate::ratio).max().orElseThrow();
        return factor(least) + " to " + factor(most) + " in " + all.size();
    }

    /** Three digits: 0.0123, 1.20, 123, 12,345, 1.2e9. */
    static String number(double value) {
        if (Double.isNaN(value)) {
            return "-";
        }
        if (value >= 1e7) {
            return String.format(Locale.ROOT, "%.3g", value);
        }
        return value >= 100 ? String.format(Locale.ROOT, "%,.0f", value) : String.format(Locale.ROOT, "%.3g", value);
    }

    private static String factor(double value) {
        return value >= 10 ? number(value) : String.format(Locale.ROOT, "%.3f", value);
    }

    private static String shortened(String text) {
        return text.length() <= WIDTH ? text : text.substring(0, WIDTH - 3).stripTrailing() + "...";
    }
}

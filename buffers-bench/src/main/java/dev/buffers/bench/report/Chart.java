// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.report;

import dev.buffers.bench.harness.Estimate;
import dev.buffers.bench.harness.Score;
import dev.buffers.bench.harness.Trial;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * A line for each side or trial, its label and its value above it: bars from zero, or intervals on a logarithmic axis of ratios. The
 * template {@code chart.mustache} draws it, narrow enough to be read on a telephone.
 *
 * @param height of the drawing
 * @param caption what it shows, and how to read it
 */
record Chart(int height, String caption, List<Tick> ticks, List<Mark> marks) {
    private static final int LEFT = 10;
    private static final int WIDTH = 380;
    private static final int MOST_TICKS = 5;
    private static final int LABEL = 34;
    private static final int ROW = 34;
    private static final int TEXT = 14;
    private static final int TRACK = 24;
    private static final int FOOT = 22;

    /** What lies beyond ends at the edge in an arrow, so that no outlier flattens the rest. */
    private static final double EDGE = 4;

    /** More than so many times the base's figure is cut off. */
    private static final double MOST = 3;

    record Tick(String x, String text, boolean middle) {
        /** The first begins at the edge. */
        String anchor() {
            return Double.parseDouble(x) == LEFT ? "start" : "middle";
        }
    }

    /**
     * A side or a trial.
     *
     * @param bar whether a bar leads from zero to it
     * @param known whether it has an interval
     * @param below whether that goes on beyond the left edge
     * @param above whether that, or the bar, goes on beyond the right edge
     */
    record Mark(
            String label,
            String value,
            String key,
            int textY,
            int y,
            String low,
            String high,
            String x,
            boolean bar,
            boolean known,
            boolean below,
            boolean above) {

        /** For the template, which does not compute. */
        int barY() {
            return y - 5;
        }

        int arrowY() {
            return y + 4;
        }

        String length() {
            return number(Double.parseDouble(x) - LEFT);
        }
    }

    /** A bar for each side, best first, with its interval. */
    static Chart bars(Standing standing) {
        double base = standing.sides().stream()
                .filter(Standing.Side::isBase)
                .mapToDouble(Standing.Side::value)
                .findFirst()
                .orElse(1);
        double most = base;
        for (Standing.Side side : standing.sides()) {
            double high = side.cost().isKnown() ? base * side.cost().interval().high() : side.value();
            most = Math.max(most, Math.min(MOST * base, Math.max(high, side.value())));
        }
        double end = most * 1.02;
        List<Mark> marks = new ArrayList<>();
        for (Standing.Side side : standing.sides()) {
            int top = ROW * marks.size();
            boolean known = side.cost().isKnown();
            Estimate.Interval interval = side.cost().interval();
            String value = side.text();
            if (known) {
                value += String.format(
                        Locale.ROOT,
                        " (%s to %s)",
                        Estimate.number(base * interval.low()),
                        Estimate.number(base * interval.high()));
            }
            marks.add(new Mark(
                    side.name() + (side.isBase() ? ", the base" : ""),
                    value,
                    side.key(),
                    top + TEXT,
                    top + TRACK,
                    linear(known ? base * interval.low() : side.value(), end),
                    linear(known ? base * interval.high() : side.value(), end),
                    linear(side.value(), end),
                    true,
                    known,
                    false,
                    side.value() > end || known && base * interval.high() > end));
        }
        List<Tick> ticks = new ArrayList<>();
        double step = step(end);
        for (int i = 0; i * step <= end; i++) {
            ticks.add(new Tick(linear(i * step, end), Estimate.plain(i * step), i == 0));
        }
        String caption = standing.measure() + " in " + standing.unit() + ", " + standing.title()
                + ": shorter is better. The line on a bar is the 95 % interval of the comparison with "
                + standing.base()
                + ".";
        return new Chart(ROW * marks.size() + FOOT, caption, ticks, marks);
    }

    /** An interval for each trial of each claim. */
    static Chart intervals(List<Line> findings) {
        List<Mark> marks = new ArrayList<>();
        for (Line finding : findings) {
            for (Score score : finding.scores()) {
                if (score.better().isKnown()) {
                    marks.add(mark(finding.claim().id(), score, ROW * marks.size()));
                }
            }
        }
        List<Tick> ticks = Stream.of("0.25", "0.5", "1", "2", "4")
                .map(text -> new Tick(logarithmic(Double.parseDouble(text)), text, text.equals("1")))
                .toList();
        return new Chart(
                ROW * marks.size() + FOOT,
                "CPU time of the alternative divided by that of the side that the claim favours, with its 95 % interval, on a logarithmic"
                        + " axis: right of 1 the claim's side is better.",
                ticks,
                marks);
    }

    private static Mark mark(String id, Score score, int top) {
        Estimate.Interval interval = score.better().interval();
        return new Mark(
                label(id, score.trial()),
                score.better().text(),
                score.verdict().name(),
                top + TEXT,
                top + TRACK,
                logarithmic(interval.low()),
                logarithmic(interval.high()),
                logarithmic(score.better().ratio()),
                false,
                true,
                interval.low() < 1 / EDGE,
                interval.high() > EDGE);
    }

    static String label(String id, Trial trial) {
        String label = Line.label(trial);
        return Results.shortened(label.startsWith(id) ? label : id + " " + label, LABEL, "…");
    }

    /** One, two or five times a power of ten, so that there are not too many. */
    private static double step(double most) {
        double power = Math.pow(10, Math.floor(Math.log10(most / MOST_TICKS)));
        return power
                * List.of(1, 2, 5, 10).stream()
                        .filter(times -> most / (times * power) <= MOST_TICKS)
                        .findFirst()
                        .orElse(10);
    }

    private static String linear(double value, double end) {
        return number(LEFT + WIDTH * Math.min(1, value / end));
    }

    private static String logarithmic(double ratio) {
        double inside = Math.min(EDGE, Math.max(1 / EDGE, ratio));
        return number(LEFT + WIDTH * (Math.log(inside) + Math.log(EDGE)) / (2 * Math.log(EDGE)));
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    /** Where the words of the axis stand. */
    int axisY() {
        return height - 6;
    }

    int axisEnd() {
        return height - FOOT + 4;
    }
}

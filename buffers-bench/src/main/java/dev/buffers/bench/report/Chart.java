package dev.buffers.bench.report;

import dev.buffers.bench.duet.Estimate;
import dev.buffers.bench.duet.Score;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * How many times better each side is, with its interval, on one logarithmic axis from a quarter to four times: what lies beyond ends at the
 * edge in an arrow, so that no outlier flattens the rest. The template {@code chart.mustache} draws it.
 *
 * @param height of the drawing
 * @param ticks of the axis
 */
record Chart(int height, List<Tick> ticks, List<Mark> marks) {
    private static final int LEFT = 250;
    private static final int WIDTH = 380;
    private static final int ROW = 18;
    private static final int TOP = 24;
    private static final double EDGE = 4;
    private static final int LABEL = 42;

    record Tick(String x, String text, boolean middle) {}

    /** A comparison: its place, its interval, and whether that goes on beyond the edges. */
    record Mark(
            String label,
            String key,
            int y,
            int labelY,
            String low,
            String high,
            String x,
            boolean below,
            boolean above) {}

    static Chart of(List<Line> findings) {
        List<Mark> marks = new ArrayList<>();
        for (Line finding : findings) {
            for (Score score : finding.scores()) {
                if (score.better().isKnown()) {
                    String label = finding.claim().id() + " " + Line.label(score.trial());
                    marks.add(mark(label, score, TOP + ROW * marks.size() + ROW / 2));
                }
            }
        }
        List<Tick> ticks = Stream.of("0.25", "0.5", "1", "2", "4")
                .map(text -> new Tick(x(Double.parseDouble(text)), text, text.equals("1")))
                .toList();
        return new Chart(TOP + ROW * marks.size() + 6, ticks, marks);
    }

    private static Mark mark(String label, Score score, int y) {
        Estimate.Interval interval = score.better().interval();
        return new Mark(
                Results.shortened(label, LABEL, "…"),
                score.verdict().name(),
                y,
                y + 4,
                x(interval.low()),
                x(interval.high()),
                x(score.better().ratio()),
                interval.low() < 1 / EDGE,
                interval.high() > EDGE);
    }

    private static String x(double ratio) {
        double inside = Math.min(EDGE, Math.max(1 / EDGE, ratio));
        double share = (Math.log(inside) + Math.log(EDGE)) / (2 * Math.log(EDGE));
        return String.format(Locale.ROOT, "%.1f", LEFT + share * WIDTH);
    }
}

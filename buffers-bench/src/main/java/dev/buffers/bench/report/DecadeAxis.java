package dev.buffers.bench.report;

import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.util.List;
import java.util.stream.IntStream;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberTick;
import org.jfree.chart.axis.TickType;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.TextAnchor;

/** A logarithmic axis with a few round numbers: 1, 2 and 5 of each decade, or every so many decades alone. */
final class DecadeAxis extends LogAxis {
    private static final long serialVersionUID = 1;

    private static final double FEW_DECADES = 2.2;
    private static final double LABELS = 6;

    @Override
    protected List<NumberTick> refreshTicksHorizontal(Graphics2D graphics, Rectangle2D area, RectangleEdge edge) {
        int first = (int) Math.floor(Math.log10(getLowerBound()));
        int last = (int) Math.floor(Math.log10(getUpperBound()));
        double decades = Math.log10(getUpperBound() / getLowerBound());
        List<Integer> leading = decades <= FEW_DECADES ? List.of(1, 2, 5) : List.of(1);
        int step = (int) Math.max(1, Math.ceil(decades / LABELS));
        TextAnchor anchor = edge == RectangleEdge.TOP ? TextAnchor.BOTTOM_CENTER : TextAnchor.TOP_CENTER;
        return IntStream.rangeClosed(first, last)
                .filter(decade -> Math.floorMod(decade, step) == 0)
                .boxed()
                .flatMap(decade -> leading.stream().map(digit -> digit * Math.pow(10, decade)))
                .filter(value -> value >= getLowerBound() && value <= getUpperBound())
                .map(value -> new NumberTick(TickType.MAJOR, value, Numbers.tick(value), anchor, TextAnchor.CENTER, 0))
                .toList();
    }
}

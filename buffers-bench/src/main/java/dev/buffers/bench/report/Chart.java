package dev.buffers.bench.report;

import dev.buffers.bench.page.Drawing;
import java.awt.BasicStroke;
import java.awt.Graphics2D;
import java.io.IOException;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.jfree.chart.ChartFactory;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.CategoryAxis;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.CategoryMarker;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.text.TextBlock;
import org.jfree.chart.ui.Layer;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.data.category.DefaultCategoryDataset;

/** A panel as a drawing in SVG, for a phone's width: its categories below one another, in each the series below one another. */
final class Chart {
    private static final int WIDTH = 360;
    private static final int AXIS_HEIGHT = 34;
    private static final int SERIES_HEIGHT = 8;
    private static final int CATEGORY_HEIGHT = 10;

    /** From this height on there is an axis at either end. */
    private static final int TALL = 400;

    /** From this factor between the least and the greatest on, the axis is logarithmic. */
    private static final double WIDE = 30;

    private final Panel panel;
    private final List<String> series;
    private final double[] values;

    Chart(Panel panel) {
        this.panel = panel;
        this.series = panel.shownSeries();
        this.values = DoubleStream.concat(
                        panel.figures().values().stream()
                                .flatMap(spread -> Stream.of(spread.min(), spread.max()))
                                .mapToDouble(Double::doubleValue),
                        panel.then().values().stream().mapToDouble(Double::doubleValue))
                .filter(Double::isFinite)
                .sorted()
                .toArray();
    }

    /** Whether the axis is logarithmic. */
    boolean logarithmic() {
        return values.length > 0 && values[0] > 0 && values[values.length - 1] > WIDE * values[0];
    }

    String svg(String description) throws IOException {
        Drawing drawing = new Drawing();
        JFreeChart chart = ChartFactory.createLineChart(
                null, null, null, layout(), PlotOrientation.HORIZONTAL, false, false, false);
        CategoryPlot plot = chart.getCategoryPlot();
        plot.setDomainAxis(new CategoryAxis() {
            private static final long serialVersionUID = 1;

            @Override
            @SuppressWarnings("rawtypes")
            protected TextBlock createLabel(Comparable x, float width, RectangleEdge edge, Graphics2D graphics) {
                return super.createLabel(Numbers.label(x.toString()), width, edge, graphics);
            }
        });
        int height = panel.xs().size() * (CATEGORY_HEIGHT + SERIES_HEIGHT * series.size());
        boolean tall = height > TALL;
        plot.setRangeAxis(axis());
        if (tall) {
            plot.setRangeAxis(1, axis());
        }
        plot.setRenderer(new Dots(panel, drawing));
        drawing.quieten(chart);
        plot.getDomainAxis().setMaximumCategoryLabelLines(2);
        plot.getDomainAxis().setLowerMargin(0);
        plot.getDomainAxis().setUpperMargin(0);
        plot.getDomainAxis().setCategoryMargin(0);
        for (int i = 1; i < panel.xs().size(); i += 2) {
            CategoryMarker band = new CategoryMarker(panel.xs().get(i), drawing.colour("band"), new BasicStroke(1));
            band.setAlpha(1);
            plot.addDomainMarker(band, Layer.BACKGROUND);
        }
        return drawing.svg(chart, WIDTH, height + AXIS_HEIGHT * (tall ? 2 : 1), description);
    }

    /** What the plot takes its categories and series from; the figures themselves are in the panel. */
    private DefaultCategoryDataset layout() {
        DefaultCategoryDataset layout = new DefaultCategoryDataset();
        for (String name : series) {
            panel.xs().forEach(x -> layout.addValue(0, name, x));
        }
        return layout;
    }

    private ValueAxis axis() {
        double least = values.length == 0 ? 0 : values[0];
        double greatest = values.length == 0 ? 1 : values[values.length - 1];
        if (logarithmic()) {
            ValueAxis axis = new DecadeAxis();
            axis.setRange(least / 1.2, greatest * 1.2);
            return axis;
        }
        NumberAxis axis = new NumberAxis();
        axis.setRange(Math.min(0, least * 1.05), greatest > 0 ? greatest * 1.05 : 1);
        axis.setNumberFormatOverride(new TickFormat());
        return axis;
    }
}

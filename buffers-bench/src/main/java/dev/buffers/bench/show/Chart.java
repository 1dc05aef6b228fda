package dev.buffers.bench.show;

import dev.buffers.bench.page.Drawing;
import java.awt.Color;
import java.awt.Paint;
import java.awt.geom.Ellipse2D;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jfree.chart.ChartFactory;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.DatasetRenderingOrder;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.renderer.category.BarRenderer;
import org.jfree.chart.renderer.category.ScatterRenderer;
import org.jfree.chart.renderer.category.StandardBarPainter;
import org.jfree.data.category.DefaultCategoryDataset;
import org.jfree.data.statistics.DefaultMultiValueCategoryDataset;

/** One metric of all servers as a drawing in SVG: a bar for each median, a dot for each round. */
final class Chart {
    private static final int WIDTH = 360;
    private static final int ROW_HEIGHT = 30;
    private static final int AXIS_HEIGHT = 40;

    private Chart() {}

    static String svg(Results results, Metric metric) throws IOException {
        Drawing drawing = new Drawing();
        JFreeChart chart = ChartFactory.createBarChart(
                null, null, null, medians(results, metric), PlotOrientation.HORIZONTAL, false, false, false);
        drawing.quieten(chart);
        CategoryPlot plot = chart.getCategoryPlot();
        plot.getDomainAxis().setCategoryMargin(0.35);
        plot.setRenderer(0, bars(drawing, results.recommendation().policy(), results.lanes()));
        plot.setDataset(1, rounds(results, metric));
        plot.setRenderer(1, dots(drawing));
        plot.setDatasetRenderingOrder(DatasetRenderingOrder.FORWARD);
        int height = AXIS_HEIGHT + ROW_HEIGHT * results.lanes().size();
        String description = metric.text() + ", a bar for each server's median and a dot for each round";
        return drawing.svg(chart, WIDTH, height, description);
    }

    private static DefaultCategoryDataset medians(Results results, Metric metric) {
        DefaultCategoryDataset data = new DefaultCategoryDataset();
        for (Lane lane : results.lanes()) {
            data.addValue(metric.of(results.measurements(), lane).median(), "", lane.label());
        }
        return data;
    }

    private static DefaultMultiValueCategoryDataset rounds(Results results, Metric metric) {
        DefaultMultiValueCategoryDataset data = new DefaultMultiValueCategoryDataset();
        for (Lane lane : results.lanes()) {
            List<Double> values = new ArrayList<>();
            for (double value : metric.of(results.measurements(), lane).values()) {
                values.add(value);
            }
            data.add(values, "", lane.label());
        }
        return data;
    }

    private static BarRenderer bars(Drawing drawing, Lane chosen, List<Lane> lanes) {
        Color chosenBar = drawing.colour("chosen");
        Color bar = drawing.colour("bar");
        BarRenderer bars = new BarRenderer() {
            private static final long serialVersionUID = 1;

            @Override
            public Paint getItemPaint(int row, int column) {
                return lanes.get(column) == chosen ? chosenBar : bar;
            }
        };
        bars.setBarPainter(new StandardBarPainter());
        bars.setShadowVisible(false);
        return bars;
    }

    private static ScatterRenderer dots(Drawing drawing) {
        ScatterRenderer dots = new ScatterRenderer();
        dots.setSeriesPaint(0, drawing.colour("dot"));
        dots.setSeriesShape(0, new Ellipse2D.Double(-2.5, -2.5, 5, 5));
        dots.setUseFillPaint(false);
        dots.setUseOutlinePaint(false);
        return dots;
    }
}

package dev.buffers.bench.report;

import dev.buffers.bench.figures.Spread;
import dev.buffers.bench.page.Drawing;
import dev.buffers.bench.report.Panel.Place;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import org.jfree.chart.axis.CategoryAxis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.renderer.category.AbstractCategoryItemRenderer;
import org.jfree.chart.renderer.category.CategoryItemRendererState;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.util.ShapeUtils;
import org.jfree.data.category.CategoryDataset;

/** Draws a panel's figures: a mark at the median, a line from the least to the greatest fork, a hollow diamond for what was measured then. */
final class Dots extends AbstractCategoryItemRenderer {
    private static final long serialVersionUID = 1;

    private static final double MARGIN = 0.05;
    private static final double CAP = 2;
    private static final BasicStroke STROKE = new BasicStroke(1.5f);

    private final transient Panel panel;
    private final transient Drawing drawing;

    Dots(Panel panel, Drawing drawing) {
        this.panel = panel;
        this.drawing = drawing;
    }

    @Override
    public void drawItem(
            Graphics2D graphics,
            CategoryItemRendererState state,
            Rectangle2D area,
            CategoryPlot plot,
            CategoryAxis xAxis,
            ValueAxis figureAxis,
            CategoryDataset layout,
            int row,
            int column,
            int pass) {
        Place place = new Place(
                layout.getColumnKey(column).toString(), layout.getRowKey(row).toString());
        int series = panel.series().indexOf(place.series());
        Color colour = drawing.colour(Marks.colour(series));
        RectangleEdge edge = plot.getRangeAxisEdge();
        double y = xAxis.getCategorySeriesMiddle(
                column, layout.getColumnCount(), row, layout.getRowCount(), MARGIN, area, plot.getDomainAxisEdge());
        graphics.setStroke(STROKE);
        Spread spread = panel.figures().get(place);
        if (spread != null) {
            graphics.setPaint(colour);
            double low = figureAxis.valueToJava2D(spread.min(), area, edge);
            double high = figureAxis.valueToJava2D(spread.max(), area, edge);
            if (high - low >= 1) {
                graphics.draw(bar(low, high, y));
            }
            double median = figureAxis.valueToJava2D(spread.median(), area, edge);
            graphics.fill(ShapeUtils.createTranslatedShape(Marks.shape(series), median, y));
        }
        Double then = panel.then().get(place);
        if (then != null) {
            graphics.setPaint(colour);
            double x = figureAxis.valueToJava2D(then, area, edge);
            graphics.draw(ShapeUtils.createTranslatedShape(Marks.then(), x, y));
        }
    }

    private static Path2D bar(double low, double high, double y) {
        Path2D bar = new Path2D.Double();
        bar.moveTo(low, y - CAP);
        bar.lineTo(low, y + CAP);
        bar.moveTo(low, y);
        bar.lineTo(high, y);
        bar.moveTo(high, y - CAP);
        bar.lineTo(high, y + CAP);
        return bar;
    }
}

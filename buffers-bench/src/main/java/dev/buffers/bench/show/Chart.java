package dev.buffers.bench.show;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Paint;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Rectangle2D;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.batik.svggen.SVGGeneratorContext;
import org.apache.batik.svggen.SVGGraphics2D;
import org.apache.batik.svggen.SVGIDGenerator;
import org.jfree.chart.ChartFactory;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.DatasetRenderingOrder;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.renderer.category.BarRenderer;
import org.jfree.chart.renderer.category.ScatterRenderer;
import org.jfree.chart.renderer.category.StandardBarPainter;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.data.category.DefaultCategoryDataset;
import org.jfree.data.statistics.DefaultMultiValueCategoryDataset;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** One metric of all servers as a drawing in SVG: a bar for each median, a dot for each round. */
final class Chart {
    /*
     * The drawing is made for a phone's width and takes its colours from the page, so that it follows light and dark: it is drawn in
     * marker colours, each of which is then replaced by the name of the page's colour.
     */

    private static final int WIDTH = 360;
    private static final int ROW_HEIGHT = 30;
    private static final int AXIS_HEIGHT = 40;
    private static final Color INK = new Color(1, 2, 3);
    private static final Color BAR = new Color(2, 3, 4);
    private static final Color CHOSEN = new Color(3, 4, 5);
    private static final Color DOT = new Color(4, 5, 6);
    private static final Color GRID = new Color(5, 6, 7);
    private static final Map<Color, String> PAGE_COLOURS =
            Map.of(INK, "ink", BAR, "bar", CHOSEN, "chosen", DOT, "dot", GRID, "line");
    private static final Font FONT = new Font(Font.SANS_SERIF, Font.PLAIN, 12);

    private Chart() {}

    static String svg(Results results, Metric metric) throws IOException {
        JFreeChart chart = ChartFactory.createBarChart(
                null, null, null, medians(results, metric), PlotOrientation.HORIZONTAL, false, false, false);
        chart.setBackgroundPaint(null);
        chart.setPadding(new RectangleInsets(2, 2, 2, 12));
        CategoryPlot plot = chart.getCategoryPlot();
        plot.setBackgroundPaint(null);
        plot.setOutlineVisible(false);
        plot.setRangeGridlinePaint(GRID);
        plot.setRangeGridlineStroke(new BasicStroke(1));
        plot.getDomainAxis().setTickLabelFont(FONT);
        plot.getDomainAxis().setTickLabelPaint(INK);
        plot.getDomainAxis().setAxisLineVisible(false);
        plot.getDomainAxis().setTickMarksVisible(false);
        plot.getDomainAxis().setCategoryMargin(0.35);
        plot.getRangeAxis().setTickLabelFont(FONT);
        plot.getRangeAxis().setTickLabelPaint(INK);
        plot.getRangeAxis().setAxisLineVisible(false);
        plot.setRenderer(0, bars(results.recommendation().policy(), results.lanes()));
        plot.setDataset(1, rounds(results, metric));
        plot.setRenderer(1, dots());
        plot.setDatasetRenderingOrder(DatasetRenderingOrder.FORWARD);
        int height = AXIS_HEIGHT + ROW_HEIGHT * results.lanes().size();
        return draw(chart, height, metric.name());
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

    private static BarRenderer bars(Lane chosen, List<Lane> lanes) {
        BarRenderer bars = new BarRenderer() {
            private static final long serialVersionUID = 1;

            @Override
            public Paint getItemPaint(int row, int column) {
                return lanes.get(column) == chosen ? CHOSEN : BAR;
            }
        };
        bars.setBarPainter(new StandardBarPainter());
        bars.setShadowVisible(false);
        return bars;
    }

    private static ScatterRenderer dots() {
        ScatterRenderer dots = new ScatterRenderer();
        dots.setSeriesPaint(0, DOT);
        dots.setSeriesShape(0, new Ellipse2D.Double(-2.5, -2.5, 5, 5));
        dots.setUseFillPaint(false);
        dots.setUseOutlinePaint(false);
        return dots;
    }

    private static String draw(JFreeChart chart, int height, String name) throws IOException {
        SVGGeneratorContext context = SVGGeneratorContext.createDefault(document());
        context.setIDGenerator(new SVGIDGenerator() {
            @Override
            public String generateID(String prefix) {
                return super.generateID(name + "-" + prefix);
            }
        });
        SVGGraphics2D graphics = new SVGGraphics2D(context, false);
        chart.draw(graphics, new Rectangle2D.Double(0, 0, WIDTH, height));
        Element root = graphics.getRoot();
        root.setAttribute("viewBox", "0 0 " + WIDTH + " " + height);
        root.setAttribute("role", "img");
        StringWriter writer = new StringWriter();
        graphics.stream(root, writer, true, false);
        String text = writer.toString();
        String svg = text.substring(text.indexOf("<svg"));
        for (Map.Entry<Color, String> colour : PAGE_COLOURS.entrySet()) {
            Color c = colour.getKey();
            String marker = "rgb(" + c.getRed() + "," + c.getGreen() + "," + c.getBlue() + ")";
            svg = svg.replace(marker, "var(--" + colour.getValue() + ")");
        }
        return svg;
    }

    private static Document document() {
        try {
            return DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .getDOMImplementation()
                    .createDocument("http://www.w3.org/2000/svg", "svg", null);
        } catch (ParserConfigurationException e) {
            throw new IllegalStateException("the JDK has lost its XML", e);
        }
    }
}

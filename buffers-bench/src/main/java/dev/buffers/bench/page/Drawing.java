package dev.buffers.bench.page;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Shape;
import java.awt.geom.Rectangle2D;
import java.io.IOException;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.batik.svggen.SVGGeneratorContext;
import org.apache.batik.svggen.SVGGraphics2D;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.ui.RectangleInsets;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** A chart as SVG inside a page, whose colours and font it takes, so that it follows light and dark. One object for each chart. */
public final class Drawing {
    /*
     * The chart is drawn in marker colours, each of which is then replaced by the name of the page's colour.
     */

    private static final Font FONT = new Font(Font.SANS_SERIF, Font.PLAIN, 12);

    private static final String NAMESPACE = "http://www.w3.org/2000/svg";

    /** What SVG inside a page can do without: namespaces, definitions that define nothing, and line breaks. */
    private static final String UNNEEDED = " xml(ns)?(:\\w+)?=\"[^\"]*\"|<defs[^>]*/>|\\s*\\R\\s*";

    private final Map<String, Color> colours = new LinkedHashMap<>();

    /** What to draw with for the page's style to put in the colour that it calls {@code --name}. */
    public Color colour(String name) {
        int n = colours.size() + 1;
        return colours.computeIfAbsent(name, unseen -> new Color(n, n + 1, n + 2));
    }

    /** Takes from a chart of categories everything that is not the figures: frames, backgrounds, lines of axes. */
    public void quieten(JFreeChart chart) {
        Color ink = colour("ink");
        chart.setBackgroundPaint(null);
        chart.setPadding(new RectangleInsets(2, 2, 2, 12));
        CategoryPlot plot = chart.getCategoryPlot();
        plot.setBackgroundPaint(null);
        plot.setOutlineVisible(false);
        plot.setRangeGridlinePaint(colour("line"));
        plot.setRangeGridlineStroke(new BasicStroke(1));
        plot.getDomainAxis().setTickLabelFont(FONT);
        plot.getDomainAxis().setTickLabelPaint(ink);
        plot.getDomainAxis().setAxisLineVisible(false);
        plot.getDomainAxis().setTickMarksVisible(false);
        for (int i = 0; i < plot.getRangeAxisCount(); i++) {
            plot.getRangeAxis(i).setTickLabelFont(FONT);
            plot.getRangeAxis(i).setTickLabelPaint(ink);
            plot.getRangeAxis(i).setAxisLineVisible(false);
        }
    }

    /**
     * Draws.
     *
     * @param description what it shows, for who cannot see it
     */
    public String svg(JFreeChart chart, int width, int height, String description) throws IOException {
        SVGGeneratorContext context = SVGGeneratorContext.createDefault(document());
        context.setPrecision(2);
        context.setComment(null);
        SVGGraphics2D graphics = new Unclipped(context);
        chart.draw(graphics, new Rectangle2D.Double(0, 0, width, height));
        Element root = graphics.getRoot();
        root.setAttribute("viewBox", "0 0 " + width + " " + height);
        root.setAttribute("role", "img");
        root.setAttribute("aria-label", description);
        StringWriter writer = new StringWriter();
        graphics.stream(root, writer, true, false);
        String text = writer.toString();
        String svg = text.substring(text.indexOf("<svg")).replaceAll(UNNEEDED, "");
        for (Map.Entry<String, Color> colour : colours.entrySet()) {
            Color c = colour.getValue();
            String marker = "rgb(" + c.getRed() + "," + c.getGreen() + "," + c.getBlue() + ")";
            svg = svg.replace(marker, "var(--" + colour.getKey() + ")");
        }
        return svg;
    }

    /** Nothing in a chart is cut off at its edges, and a clip would be said again with every mark. */
    private static final class Unclipped extends SVGGraphics2D {
        Unclipped(SVGGeneratorContext context) {
            super(context, false);
        }

        @Override
        public void clip(Shape shape) {}

        @Override
        public void setClip(Shape shape) {}
    }

    /** What {@code drawing} draws; nothing, and a word about it, when this Java runtime cannot draw text. */
    public static <T> Optional<T> attempt(Callable<T> drawing) {
        try {
            return Optional.of(drawing.call());
        } catch (Exception | LinkageError | InternalError e) {
            System.err.println("no charts: " + e);
            return Optional.empty();
        }
    }

    private static Document document() {
        try {
            return DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .getDOMImplementation()
                    .createDocument(NAMESPACE, "svg", null);
        } catch (ParserConfigurationException e) {
            throw new IllegalStateException("the JDK has lost its XML", e);
        }
    }
}

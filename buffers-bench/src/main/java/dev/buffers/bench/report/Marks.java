package dev.buffers.bench.report;

import java.awt.Shape;
import java.awt.geom.AffineTransform;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Path2D;
import java.awt.geom.PathIterator;
import java.awt.geom.Rectangle2D;
import java.util.List;
import java.util.Locale;

/**
 * How the series of a chart are told apart: by a colour and by a shape, so that colour is never the only sign. The colours are those of
 * Okabe and Ito (2008), which people who confuse colours can tell apart, darkened or lightened until they stand out from the page; the
 * page's style has them as {@code --s1} to {@code --s8}.
 */
final class Marks {
    static final int COLOURS = 8;

    private static final List<Shape> SHAPES = List.of(
            new Ellipse2D.Double(-3.5, -3.5, 7, 7),
            new Rectangle2D.Double(-3, -3, 6, 6),
            polygon(0, -4, 4, 3, -4, 3),
            polygon(0, 4, 4, -3, -4, -3),
            polygon(
                    -1.2, -4, 1.2, -4, 1.2, -1.2, 4, -1.2, 4, 1.2, 1.2, 1.2, 1.2, 4, -1.2, 4, -1.2, 1.2, -4, 1.2, -4,
                    -1.2, -1.2, -1.2),
            polygon(4, 0, -3, 4, -3, -4),
            new Rectangle2D.Double(-1.5, -4, 3, 8));

    private static final Shape THEN = polygon(0, -5, 5, 0, 0, 5, -5, 0);

    private Marks() {}

    /** The page's name for the colour of a series. */
    static String colour(int series) {
        return "s" + (series % COLOURS + 1);
    }

    /** The shape of a series, around the origin; seven of them beside eight colours repeat together only after 56 series. */
    static Shape shape(int series) {
        return SHAPES.get(series % SHAPES.size());
    }

    /** The shape of what was measured then, around the origin; not to be filled. */
    static Shape then() {
        return THEN;
    }

    /** A legend's sign for a series, as SVG. */
    static String sign(int series) {
        return sign(shape(series), "fill:var(--" + colour(series) + ")");
    }

    /** A legend's sign for what was measured then, as SVG. */
    static String thenSign() {
        return sign(THEN, "fill:none;stroke:var(--ink);stroke-width:1.5");
    }

    private static String sign(Shape shape, String style) {
        return "<svg class=\"sign\" viewBox=\"-6 -6 12 12\" aria-hidden=\"true\"><path style=\"" + style + "\" d=\""
                + path(shape) + "\"/></svg>";
    }

    private static String path(Shape shape) {
        StringBuilder path = new StringBuilder();
        double[] c = new double[6];
        for (PathIterator i = shape.getPathIterator(new AffineTransform()); !i.isDone(); i.next()) {
            switch (i.currentSegment(c)) {
                case PathIterator.SEG_MOVETO -> path.append(String.format(Locale.ROOT, "M%.1f %.1f", c[0], c[1]));
                case PathIterator.SEG_LINETO -> path.append(String.format(Locale.ROOT, "L%.1f %.1f", c[0], c[1]));
                case PathIterator.SEG_CUBICTO ->
                    path.append(String.format(
                            Locale.ROOT, "C%.1f %.1f %.1f %.1f %.1f %.1f", c[0], c[1], c[2], c[3], c[4], c[5]));
                default -> path.append('Z');
            }
        }
        return path.toString();
    }

    private static Shape polygon(double... coordinates) {
        Path2D path = new Path2D.Double();
        path.moveTo(coordinates[0], coordinates[1]);
        for (int i = 2; i < coordinates.length; i += 2) {
            path.lineTo(coordinates[i], coordinates[i + 1]);
        }
        path.closePath();
        return path;
    }
}

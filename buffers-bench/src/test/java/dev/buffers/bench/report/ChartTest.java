package dev.buffers.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.bench.claims.Depth;
import dev.buffers.bench.claims.Experiment;
import dev.buffers.bench.claims.Experiment.Axes;
import dev.buffers.bench.claims.Figure;
import dev.buffers.bench.claims.Measured;
import dev.buffers.bench.claims.Point;
import dev.buffers.bench.claims.Point.Grid;
import dev.buffers.bench.claims.Results;
import java.io.StringReader;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** What a chart shows and how it is divided into panels. */
class ChartTest {
    private final Results results = MadeUp.small(Depth.FULL);
    private final Experiment fill = results.catalogue().experiments().get("a-fill");
    private final Panel panel = Panel.of(fill, Figure.TIME, results.measured()).get(0);

    @Test
    void everyPointHasItsMarkAndEverySpreadItsLine() throws Exception {
        NodeList paths = paths(new Chart(panel).svg("it"));

        int spreads = MadeUp.FILL.size();
        assertEquals(spreads, count(paths, true), "a mark for each median");
        assertEquals(spreads + 1, count(paths, false), "a line for each spread, and what was measured then");
    }

    private static NodeList paths(String svg) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(svg)))
                .getElementsByTagName("*");
    }

    /** The shapes in the colour of a series, filled or drawn as lines; groups hand their style down. */
    private static int count(NodeList all, boolean filled) {
        int count = 0;
        for (int i = 0; i < all.getLength(); i++) {
            Element shape = (Element) all.item(i);
            boolean isShape =
                    Set.of("path", "rect", "circle", "polygon", "line").contains(shape.getTagName());
            if (isShape && style(shape, filled ? "fill" : "stroke").startsWith("var(--s")) {
                count += style(shape, filled ? "stroke" : "fill").equals("none") ? 1 : 0;
            }
        }
        return count;
    }

    private static String style(Element element, String property) {
        for (String part : element.getAttribute("style").split(";")) {
            if (part.strip().startsWith(property + ":")) {
                return part.strip().substring(property.length() + 1).strip();
            }
        }
        return element.getParentNode() instanceof Element parent ? style(parent, property) : "";
    }

    @Test
    void theAxisIsLogarithmicWhereTheFiguresAreFarApart() throws Exception {
        assertTrue(new Chart(panel).logarithmic());
        assertTrue(new Chart(panel).svg("it").contains(">1k<"));
        Panel near = Panel.of(fill, Figure.ALLOCATED, results.measured()).get(0);
        assertFalse(new Chart(near).logarithmic());
        assertTrue(new Chart(near).svg("it").contains(">0<"));
    }

    @Test
    void aChartSaysWhatItShows() throws Exception {
        String svg = new Chart(panel).svg("a & <b>");

        assertTrue(svg.contains("role=\"img\""));
        assertTrue(svg.contains("aria-label=\"a &amp; &lt;b&gt;\""));
        assertTrue(svg.contains(">8,192<"));
    }

    @Test
    void numbersStandInTheirOrderWordsAsTheyCome() {
        List<Point> points = Grid.of("x")
                .with("size", 8192, 512, 65536)
                .with("kind", "heap", "array")
                .points();

        assertEquals(List.of("512", "8192", "65536"), Panel.inOrder(points, "size"));
        assertEquals(List.of("heap", "array"), Panel.inOrder(points, "kind"));
    }

    @Test
    void whatIsNeitherAlongNorBesideHasAPanelOfItsOwn() {
        List<Point> points = Grid.of("x")
                .with("size", 1, 2)
                .with("kind", "a", "b")
                .with("target", "file", "socket")
                .with("unnamed", 7, 3)
                .with("only", "one")
                .points();
        Measured measured = new Measured();
        points.stream()
                .filter(point -> !point.equals(points.get(0)))
                .forEach(point -> measured.add(point, Map.of("time", 1.0)));

        List<Panel> panels =
                Panel.of(FakeExperiment.of("x", new Axes("size", "kind", "target"), points), Figure.TIME, measured);

        assertEquals(
                List.of(
                        "target file, unnamed 3",
                        "target file, unnamed 7",
                        "target socket, unnamed 3",
                        "target socket, unnamed 7"),
                panels.stream().map(Panel::facet).toList());
        assertEquals(
                List.of("1", "not run", "1.00"),
                panels.get(1).grid("size", "").rows().get(0));
        assertEquals(List.of("a", "b"), panels.get(1).series());
    }

    @Test
    void noTwoSeriesLookAlike() {
        Set<String> signs = new HashSet<>();
        IntStream.range(0, 30).forEach(series -> signs.add(Marks.sign(series)));

        assertEquals(30, signs.size());
    }
}

package dev.buffers.bench.report;

import dev.buffers.bench.claims.Experiment;
import dev.buffers.bench.claims.Figure;
import dev.buffers.bench.claims.Measured;
import java.util.ArrayList;
import java.util.List;

/**
 * An experiment and what it measured.
 *
 * @param figure what the charts show, in words
 * @param state why there is nothing to show; empty when there is something
 * @param folded whether the charts are so many that they are shown on demand only
 * @param tables the same figures as the charts
 * @param others the tables of its other figures
 */
record Section(
        String id,
        String question,
        String figure,
        String state,
        List<Sign> legend,
        List<Drawn> charts,
        boolean folded,
        List<Grid> tables,
        List<Grid> others) {

    private static final int MANY_CHARTS = 4;

    /** One line of a legend; its drawing is SVG. */
    record Sign(String drawing, String label) {}

    /** A chart; its drawing is SVG. */
    record Drawn(String title, String note, String drawing) {}

    static Section of(Experiment experiment, Measured measured, Artist artist) {
        List<Figure> figures = experiment.figures();
        Figure first = figures.get(0);
        List<Panel> panels = Panel.of(experiment, first, measured);
        List<Drawn> charts = charts(experiment, first, panels, artist);
        List<Grid> tables = tables(experiment, first, panels);
        List<Grid> others = new ArrayList<>();
        for (Figure figure : figures.subList(1, figures.size())) {
            others.addAll(tables(experiment, figure, Panel.of(experiment, figure, measured)));
        }
        return new Section(
                experiment.id(),
                experiment.question(),
                words(first) + "; " + (first.moreIsBetter() ? "more" : "less") + " is better",
                panels.stream().anyMatch(panel -> !panel.figures().isEmpty()) ? "" : state(experiment),
                legend(panels),
                charts,
                charts.size() > MANY_CHARTS,
                tables,
                others);
    }

    private static String words(Figure figure) {
        return figure.name() + ", " + figure.unit();
    }

    private static String state(Experiment experiment) {
        return Completeness.obstacles(List.of(experiment), new Measured()).stream()
                .map(obstacle -> obstacle.points() + " not measurable here: " + obstacle.why() + ".")
                .reduce("Not run.", (all, more) -> all + " " + more);
    }

    private static List<Sign> legend(List<Panel> panels) {
        List<Sign> legend = new ArrayList<>();
        List<String> series = panels.isEmpty() ? List.of() : panels.get(0).series();
        for (int i = 0; i < series.size(); i++) {
            if (!series.get(i).isEmpty()) {
                legend.add(new Sign(Marks.sign(i), Numbers.label(series.get(i))));
            }
        }
        if (panels.stream().anyMatch(panel -> !panel.then().isEmpty())) {
            legend.add(new Sign(Marks.thenSign(), "then"));
        }
        return legend;
    }

    private static List<Drawn> charts(Experiment experiment, Figure figure, List<Panel> panels, Artist artist) {
        List<Drawn> charts = new ArrayList<>();
        for (Panel panel : panels) {
            Chart chart = new Chart(panel);
            String title = panel.facet().isEmpty() ? "by " + experiment.axes().x() : panel.facet();
            String description = experiment.question() + " " + words(figure) + ", by "
                    + experiment.axes().x() + " and " + experiment.axes().series()
                    + (panel.facet().isEmpty() ? "" : ", " + panel.facet());
            String note = figure.unit() + (chart.logarithmic() ? ", logarithmic" : "");
            artist.draw(chart, description).ifPresent(drawing -> charts.add(new Drawn(title, note, drawing)));
        }
        return charts;
    }

    private static List<Grid> tables(Experiment experiment, Figure figure, List<Panel> panels) {
        return panels.stream()
                .map(panel -> panel.grid(
                        experiment.axes().x(), words(figure) + (panel.facet().isEmpty() ? "" : ", " + panel.facet())))
                .toList();
    }
}

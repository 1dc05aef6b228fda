package dev.buffers.bench.show;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.buffers.bench.figures.Ratio;
import dev.buffers.bench.page.Drawing;
import dev.buffers.bench.page.Template;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The report of a run: one page of HTML that needs nothing else, and beside it the raw figures as JSON. */
final class Report {
    private static final String TEMPLATE = "report.mustache";

    private Report() {}

    /** Writes both files into {@code folder} and returns the page. */
    static Path write(Results results, Path folder) throws IOException {
        Files.createDirectories(folder);
        ObjectMapper json = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
        Files.write(folder.resolve("report.json"), json.writeValueAsBytes(results));
        return Files.writeString(folder.resolve("report.html"), html(results));
    }

    private static String html(Results results) throws IOException {
        return new Template(Report.class, TEMPLATE).html(page(results));
    }

    private static Map<String, Object> page(Results results) {
        List<Comparison> comparisons = results.recommendation().comparisons();
        double confidence = comparisons.get(0).ratio().confidence();
        return Map.of(
                "charts", charts(results),
                "headings", Table.HEADINGS,
                "rows",
                        Table.rows(results).stream()
                                .map(row -> row(row, results))
                                .toList(),
                "comparisons", comparisons.stream().map(Report::comparison).toList(),
                "confidence", Table.format(confidence * 100, 1),
                "openRate", Table.format(results.openRate(), 0),
                "meanSize", Table.format(results.files().meanSize(), 0),
                "results", results);
    }

    private static Map<String, Object> row(List<String> cells, Results results) {
        List<Map<String, String>> labelled = new ArrayList<>();
        for (int i = 0; i < cells.size(); i++) {
            labelled.add(Map.of("label", Table.HEADINGS.get(i), "value", cells.get(i)));
        }
        String chosen = results.recommendation().policy().label();
        return Map.of("cells", labelled, "chosen", cells.get(0).equals(chosen));
    }

    /** A chart of each metric; none when the Java runtime cannot draw text. */
    private static List<Map<String, String>> charts(Results results) {
        List<Map<String, String>> charts = new ArrayList<>();
        for (Metric metric : Metric.values()) {
            String better = metric.moreIsBetter() ? "more is better" : "less is better";
            Optional<String> svg = Drawing.attempt(() -> Chart.svg(results, metric));
            if (svg.isEmpty()) {
                return List.of();
            }
            charts.add(Map.of("title", metric.text(), "better", better, "svg", svg.get()));
        }
        return charts;
    }

    private static Map<String, Object> comparison(Comparison comparison) {
        Ratio ratio = comparison.ratio();
        return Map.of(
                "claimant", comparison.claimant().label(),
                "other", comparison.other().label(),
                "metric", comparison.metric().text(),
                "ratio", String.format(Locale.ROOT, "%.3f", ratio.estimate()),
                "interval", String.format(Locale.ROOT, "%.3f to %.3f", ratio.low(), ratio.high()),
                "key", ratio.verdict().name(),
                "word", ratio.verdict());
    }
}

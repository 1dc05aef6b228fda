package dev.buffers.bench.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.claims.Finding;
import dev.buffers.bench.duet.Course;
import dev.buffers.bench.duet.Environment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The report of a run: one page of HTML that needs nothing else, the same as Markdown, and the figures as JSON. */
public final class Report {
    private static final Template HTML = new Template(Report.class, "report.mustache");
    private static final Template MARKDOWN = new Template(Report.class, "report.md.mustache");

    private Report() {}

    /** What a page says. */
    record Page(
            String title,
            String headline,
            List<String> warnings,
            Chart chart,
            List<Line> rows,
            List<String> end,
            Environment where) {}

    /** A row in words. */
    record Line(Claim claim, String ratio, String key, String word, List<Table.Row> trials) {
        static Line of(Finding finding) {
            boolean question = finding.isOpenQuestion();
            return new Line(
                    finding.claim(),
                    Table.span(finding),
                    finding.word().verdict().name(),
                    question ? "" : finding.word().toString(),
                    finding.scores().stream().map(Table::row).toList());
        }
    }

    /** Writes {@code report.html}, {@code report.md} and {@code results.json} into {@code folder}, and returns the first. */
    public static Path write(Results results, Path folder) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("results.json"), json(results));
        List<Finding> findings = results.findings();
        List<String> end = new ArrayList<>(results.completeness());
        end.addAll(results.controls());
        Page page = new Page(
                results.title(),
                results.headline(),
                results.warnings(),
                Chart.of(findings),
                findings.stream().map(Line::of).toList(),
                end,
                results.journal().header().where());
        Files.writeString(folder.resolve("report.md"), MARKDOWN.text(page, Report::inMarkdown));
        return Files.writeString(folder.resolve("report.html"), HTML.html(page));
    }

    /** The answer, the warnings, each finding with its scores, and what changed over time. */
    public static String json(Results results) throws IOException {
        record Json(
                String title,
                String answer,
                List<String> warnings,
                Environment where,
                List<Line> findings,
                List<Course> courses,
                List<String> end) {}
        return new ObjectMapper()
                .enable(SerializationFeature.INDENT_OUTPUT)
                .writeValueAsString(new Json(
                        results.title(),
                        results.headline(),
                        results.warnings(),
                        results.journal().header().where(),
                        results.findings().stream().map(Line::of).toList(),
                        Course.all(results.journal()),
                        results.completeness()));
    }

    /** A text as one line of Markdown that shows just that text, in a table too. */
    static String inMarkdown(String text) {
        return text.replaceAll("\\s+", " ")
                .replaceAll("[\\\\`*_|~]", "\\\\$0")
                .replace("](", "]\\(")
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;");
    }
}

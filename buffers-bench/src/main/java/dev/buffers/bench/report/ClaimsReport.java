package dev.buffers.bench.report;

import dev.buffers.bench.claims.Results;
import dev.buffers.bench.page.Template;
import dev.buffers.bench.report.Artist.Pen;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The report of a campaign: one page of HTML that needs nothing else, the same as Markdown, and the raw figures as JSON. */
public final class ClaimsReport {
    private static final Template HTML = new Template(ClaimsReport.class, "report.mustache");
    private static final Template MARKDOWN = new Template(ClaimsReport.class, "report.md.mustache");

    private ClaimsReport() {}

    /** Writes {@code report.html}, {@code report.md} and {@code results.json} into {@code folder}, and returns the first. */
    public static Path write(Results results, Path folder) throws IOException {
        return write(results, folder, Chart::svg);
    }

    static Path write(Results results, Path folder, Pen pen) throws IOException {
        Files.createDirectories(folder);
        RawFigures.write(results, folder.resolve("results.json"));
        Page page = Page.of(results, new Artist(pen));
        Files.writeString(folder.resolve("report.md"), MARKDOWN.text(page, ClaimsReport::inMarkdown));
        return Files.writeString(folder.resolve("report.html"), HTML.html(page));
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

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.samskivert.mustache.Escapers;
import com.samskivert.mustache.Mustache;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** The report of a run: one page of HTML that needs nothing else, the same as Markdown, its first picture, and the figures as JSON. */
public final class Report {
    private Report() {}

    /** Writes {@code report.html}, {@code report.md}, {@code picture.svg} and {@code results.json} to {@code folder}; returns the first. */
    public static Path write(Results results, Path folder) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("results.json"), json(results));
        Files.writeString(folder.resolve("report.md"), text("report.md.mustache", Report::inMarkdown, results));
        if (!results.charts().isEmpty()) {
            Files.writeString(
                    folder.resolve("picture.svg"), text("picture.mustache", Escapers.HTML, Picture.of(results)));
        }
        return Files.writeString(folder.resolve("report.html"), text("report.mustache", Escapers.HTML, results));
    }

    public static String json(Results results) throws IOException {
        return new ObjectMapper().writeValueAsString(results);
    }

    /** Fills a template, in which an empty text counts as false. */
    private static String text(String template, Mustache.Escaper escaper, Object results) {
        return Mustache.compiler()
                .withEscaper(escaper)
                .emptyStringIsFalse(true)
                .zeroIsFalse(true)
                .withLoader(Report::open)
                .loadTemplate(template)
                .execute(results);
    }

    private static Reader open(String template) {
        return new InputStreamReader(
                Objects.requireNonNull(Report.class.getResourceAsStream(template), template), StandardCharsets.UTF_8);
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

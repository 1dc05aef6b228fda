// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Manual;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Each figure with an interval, {@code x (a to b)}, is in the raw figures of a run: on a page of a run in that run's {@code results.json},
 * on a page for users in that of a run that the page links. A paragraph may say instead that the raw figures "were not kept".
 */
class RatiosTest {
    private static final String NUMBER = "\\d[\\d,]*(?:\\.\\d+)?(?:e[+-]?\\d+)?";
    private static final Pattern FIGURE = Pattern.compile(
            "(?<![\\w.,])(" + NUMBER + ")\\*{0,2}(?: times)? \\((" + NUMBER + ") to (" + NUMBER + ")\\)");
    private static final Pattern LINK = Pattern.compile("(?:benchmarks/|\\.\\./)(2026-[\\w-]+)/README\\.md");

    /** In {@code results.json} apart from its texts: the sides of a comparison, the memory of connections, and one ratio for each pair of JVMs. */
    private static final Pattern SIDE = Pattern.compile(
            "\"ratio\" ?: ?\"(" + NUMBER + ")\",\\s*\"interval\" ?: ?\"(" + NUMBER + ") to (" + NUMBER + ")\"");

    private static final Pattern SPREAD =
            Pattern.compile("\"median\" ?: ?([-\\d.E]+),\\s*\"least\" ?: ?([-\\d.E]+),\\s*\"most\" ?: ?([-\\d.E]+)");
    private static final Pattern PAIRS = Pattern.compile("\"ratios\" ?: ?\\[([^\\]]+)\\]");

    /** After these numbers of pairs the bench analyses. */
    private static final List<Integer> ANALYSES = List.of(5, 7, 9, 12, 16);

    /** The standard errors on either side of its intervals, from 2 degrees of freedom on: see the bench's {@code InterimAnalyses}. */
    private static final double[] CRITICAL = {
        7.9649, 4.9991, 4.0559, 3.6088, 3.351, 3.1842, 3.0678, 2.982, 2.9162, 2.8642, 2.8221, 2.7873, 2.758, 2.7331
    };

    private static final Map<String, List<Figure>> RAW = new HashMap<>();

    /** A number, and how far from the true one it may be because it was rounded. */
    private record Rounded(double value, double error) {
        static Rounded of(String text) {
            String[] parts = text.replace(",", "").split("e");
            int places = parts[0].contains(".") ? parts[0].length() - parts[0].indexOf('.') - 1 : 0;
            int exponent = parts.length > 1 ? Integer.parseInt(parts[1]) : 0;
            return new Rounded(Double.parseDouble(text.replace(",", "")), 0.5 * Math.pow(10, exponent - places));
        }

        Rounded inverse() {
            return new Rounded(1 / value, error / value / value);
        }

        boolean agrees(Rounded other) {
            return Math.abs(value - other.value) <= error + other.error + 1e-9 * Math.abs(value);
        }
    }

    private record Figure(Rounded middle, Rounded low, Rounded high) {
        static Figure of(Matcher found) {
            return new Figure(Rounded.of(found.group(1)), Rounded.of(found.group(2)), Rounded.of(found.group(3)));
        }

        /** The other side's ratio. */
        Figure inverse() {
            return new Figure(middle.inverse(), high.inverse(), low.inverse());
        }

        boolean agrees(Figure other) {
            return middle.agrees(other.middle) && low.agrees(other.low) && high.agrees(other.high);
        }
    }

    @Test
    void figuresOfRunsAreTheirRawFigures() throws IOException {
        try (Stream<Path> folders = Files.list(Manual.ROOT.resolve("docs/benchmarks"))) {
            List<String> pages = folders.filter(Files::isDirectory)
                    .map(folder -> "docs/benchmarks/" + folder.getFileName() + "/README.md")
                    .sorted()
                    .toList();
            assertFiguresAreRaw(pages, 2_000);
        }
    }

    @Test
    void figuresOfPagesAreRawFiguresOfTheirRuns() throws IOException {
        try (Stream<Path> files = Files.list(Manual.ROOT.resolve("docs"))) {
            List<String> pages = Stream.concat(
                            Stream.of("README.md"),
                            files.map(file -> "docs/" + file.getFileName()).filter(name -> name.endsWith(".md")))
                    .sorted()
                    .toList();
            assertFiguresAreRaw(pages, 60);
        }
    }

    private static void assertFiguresAreRaw(List<String> pages, int least) throws IOException {
        List<String> unknown = new ArrayList<>();
        int count = 0;
        for (String page : pages) {
            String text = Manual.page(page);
            List<Figure> raw = raw(page, text);
            for (String paragraph : text.split("\n\n")) {
                if (paragraph.matches("(?s).*raw figures\\s+(?:are|were)\\s+not\\s+kept.*")) {
                    continue;
                }
                Matcher figures = FIGURE.matcher(paragraph);
                while (figures.find()) {
                    count++;
                    Figure figure = Figure.of(figures);
                    if (raw.stream().noneMatch(figure::agrees)) {
                        unknown.add(page + ": " + figures.group());
                    }
                }
            }
        }
        assertEquals(List.of(), unknown);
        assertTrue(count > least, "figures=" + count);
    }

    /** The raw figures of a run's page, and of those that a page links. */
    private static List<Figure> raw(String page, String text) throws IOException {
        List<Figure> raw = new ArrayList<>();
        Matcher own = Pattern.compile("docs/benchmarks/(.+)/README.md").matcher(page);
        if (own.matches()) {
            raw.addAll(ofRun(own.group(1)));
        }
        for (String run : LINK.matcher(text)
                .results()
                .map(link -> link.group(1))
                .distinct()
                .toList()) {
            raw.addAll(ofRun(run));
        }
        return raw;
    }

    private static List<Figure> ofRun(String run) throws IOException {
        List<Figure> known = RAW.get(run);
        if (known == null) {
            known = read(Manual.page("docs/benchmarks/" + run + "/results.json"));
            RAW.put(run, known);
        }
        return known;
    }

    private static List<Figure> read(String json) {
        List<Figure> figures = new ArrayList<>();
        for (Pattern pattern : List.of(FIGURE, SIDE)) {
            Matcher found = pattern.matcher(json);
            while (found.find()) {
                figures.add(Figure.of(found));
            }
        }
        Matcher pairs = PAIRS.matcher(json);
        while (pairs.find()) {
            double[] logs = Arrays.stream(pairs.group(1).split(","))
                    .mapToDouble(ratio -> Math.log(Double.parseDouble(ratio)))
                    .toArray();
            Stream.concat(Stream.of(logs.length), ANALYSES.stream())
                    .filter(count -> count > 2 && count <= logs.length)
                    .map(count -> interval(Arrays.copyOf(logs, count)))
                    .forEach(figures::add);
        }
        List<Figure> all = new ArrayList<>(figures);
        figures.stream()
                .filter(figure -> figure.low.value > 0)
                .map(Figure::inverse)
                .forEach(all::add);
        Matcher spreads = SPREAD.matcher(json);
        while (spreads.find()) {
            double[] values = Stream.of(1, 2, 3)
                    .mapToDouble(i -> Double.parseDouble(spreads.group(i)))
                    .toArray();
            all.add(new Figure(new Rounded(values[0], 0), new Rounded(values[1], 0), new Rounded(values[2], 0)));
        }
        return all;
    }

    /** The bench's interval of some pairs. They were rounded to four places. */
    private static Figure interval(double[] logs) {
        double mean = Arrays.stream(logs).average().orElseThrow();
        double squares =
                Arrays.stream(logs).map(log -> (log - mean) * (log - mean)).sum();
        double half = CRITICAL[logs.length - 3] * Math.sqrt(squares / (logs.length - 1) / logs.length);
        return new Figure(
                about(Math.exp(mean), 1e-4), about(Math.exp(mean - half), 1e-3), about(Math.exp(mean + half), 1e-3));
    }

    private static Rounded about(double value, double error) {
        return new Rounded(value, value * error);
    }
}

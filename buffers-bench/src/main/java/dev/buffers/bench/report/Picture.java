// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.report;

import java.util.ArrayList;
import java.util.List;

/** The first chart of a report with its headline above it, as a file to share. The template {@code picture.mustache} draws it. */
record Picture(String answer, List<Words> headline, Chart firstChart) {
    private static final int LINE = 19;
    private static final int LETTERS = 46;

    /** A line of the headline. */
    record Words(String text, int y) {}

    static Picture of(Results results) {
        List<Words> headline = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : results.answer().split(" ", -1)) {
            if (line.length() + word.length() >= LETTERS) {
                headline.add(new Words(line.toString(), LINE * (headline.size() + 1)));
                line.setLength(0);
            }
            line.append(line.length() == 0 ? "" : " ").append(word);
        }
        headline.add(new Words(line.toString(), LINE * (headline.size() + 1)));
        return new Picture(results.answer(), headline, results.charts().get(0));
    }

    int chartY() {
        return LINE * headline.size() + 8;
    }

    int pictureHeight() {
        return chartY() + firstChart.height();
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.springboot;

import java.util.Collection;
import java.util.Comparator;

/** Suggestions in the words of the pool's own messages; empty when nothing is near. */
final class DidYouMean {
    private static final int FARTHEST = 2;

    private DidYouMean() {}

    /** The name that is nearest, of those two letters away at most. */
    static String name(String text, Collection<String> known) {
        return known.stream()
                .min(Comparator.comparingInt(each -> distance(text, each)))
                .filter(nearest -> distance(text, nearest) <= FARTHEST)
                .map(DidYouMean::suggestion)
                .orElse("");
    }

    private static String suggestion(String meant) {
        return "; did you mean " + meant + "?";
    }

    /** How many letters must be put in, taken out or replaced. */
    private static int distance(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[to.length()];
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.text;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds what a misspelt name was meant to be. */
public final class Spelling {

    private Spelling() {}

    /** How many letters to insert, remove, replace, or swap with their neighbour ("optimal string alignment"). */
    public static int distance(String a, String b) {
        int[][] rows = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    rows[i][j] = i + j;
                    continue;
                }
                int replaced = rows[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                rows[i][j] = Math.min(replaced, 1 + Math.min(rows[i - 1][j], rows[i][j - 1]));
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    rows[i][j] = Math.min(rows[i][j], rows[i - 2][j - 2] + 1);
                }
            }
        }
        return rows[a.length()][b.length()];
    }

    /**
     * The name most similar to {@code written}, if any is similar enough: a name that contains {@code written}, or of which at most a third
     * of the letters differ. Upper and lower case are the same.
     */
    public static Optional<String> nearest(Collection<String> names, String written) {
        String lower = written.toLowerCase(Locale.ROOT);
        return names.stream()
                .filter(name -> isPart(lower, name) || distance(name, lower) <= name.length() / 3)
                .min(Comparator.comparing((String name) -> !isPart(lower, name))
                        .thenComparingInt(name -> distance(name, lower)));
    }

    private static boolean isPart(String written, String name) {
        return written.length() >= 3 && name.contains(written);
    }

    /** The part of a message that asks whether this name was meant; empty without a guess. */
    public static String didYouMean(Optional<String> meant) {
        return meant.map(name -> ", did you mean " + name + "?").orElse("");
    }
}

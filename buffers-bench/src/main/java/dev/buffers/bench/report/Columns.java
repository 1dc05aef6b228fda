package dev.buffers.bench.report;

import java.util.List;

/** A table as lines of plain text with its columns aligned. */
public final class Columns {
    private static final String GAP = "  ";

    private Columns() {}

    /**
     * Lays out rows of the same length.
     *
     * @param left how many columns, from the first, hold words and stand to the left; the others hold figures and stand to the right
     */
    public static List<String> lines(List<List<String>> rows, int left) {
        int[] widths = new int[rows.isEmpty() ? 0 : rows.get(0).size()];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        return rows.stream().map(row -> line(row, widths, left)).toList();
    }

    private static String line(List<String> row, int[] widths, int left) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            String padding = " ".repeat(widths[i] - row.get(i).length());
            line.append(i == 0 ? "" : GAP).append(i < left ? row.get(i) + padding : padding + row.get(i));
        }
        return line.toString();
    }
}

package dev.buffers.bench.report;

import dev.buffers.bench.claims.Results;
import dev.buffers.bench.page.Columns;
import java.util.ArrayList;
import java.util.List;

/** The lanes and how the pools stand in them as plain text for the terminal. */
public final class LanesTable {
    private LanesTable() {}

    /** For each lane its name, a line for each contender, and an empty line. */
    public static List<String> lines(Results results) {
        List<String> lines = new ArrayList<>();
        for (Standings lane : Standings.of(results)) {
            Grid grid = lane.grid();
            lines.add(grid.caption());
            List<List<String>> rows = new ArrayList<>();
            rows.add(grid.headings());
            rows.addAll(grid.rows());
            Columns.lines(rows, 1).forEach(line -> lines.add("  " + line));
            lines.add("");
        }
        return lines;
    }
}

package dev.buffers.bench.show;

import dev.buffers.bench.figures.Spread;
import dev.buffers.bench.page.Columns;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The table of all servers' figures, as rows of text for the console and the report. */
final class Table {
    static final List<String> HEADINGS = List.of(
            "server", "req/s, 600", "req/s, 64", "p50 µs", "p99 µs", "CPU µs/req", "B/req", "GC pauses", "reserved");

    private Table() {}

    /** One row for each server, its name first. */
    static List<List<String>> rows(Results results) {
        List<List<String>> rows = new ArrayList<>();
        for (Lane lane : results.lanes()) {
            List<String> row = new ArrayList<>();
            row.add(lane.label());
            row.add(cell(results, Metric.RATE_600, lane, 0));
            row.add(cell(results, Metric.RATE_64, lane, 0));
            row.add(cell(results, Metric.P50, lane, 0));
            row.add(cell(results, Metric.P99, lane, 0));
            row.add(cell(results, Metric.CPU, lane, 1));
            row.add(format(Metric.ALLOCATED.of(results.measurements(), lane).median(), 0));
            row.add(results.pauses(lane) + " / " + results.pauseMillis(lane) + " ms");
            row.add(lane.isPolicy() ? format(results.reservedBytes(lane) / 1048576.0, 1) + " MiB" : "-");
            rows.add(row);
        }
        return rows;
    }

    private static String cell(Results results, Metric metric, Lane lane, int digits) {
        Spread spread = metric.of(results.measurements(), lane);
        return format(spread.median(), digits) + " ±" + format(spread.percent(), 0) + "%";
    }

    static String format(double value, int digits) {
        return String.format(Locale.ROOT, "%,." + digits + "f", value);
    }

    /** The table with its columns aligned, as lines. */
    static List<String> lines(Results results) {
        List<List<String>> all = new ArrayList<>();
        all.add(HEADINGS);
        all.addAll(rows(results));
        return Columns.lines(all, 1);
    }
}

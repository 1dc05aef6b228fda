package dev.buffers.bench.report;

import dev.buffers.bench.claims.Finding;
import dev.buffers.bench.claims.Results;
import dev.buffers.bench.page.Columns;
import java.util.ArrayList;
import java.util.List;

/** The claims and their verdicts as plain text for the terminal. */
public final class ClaimsTable {
    private static final int WIDTH = 120;
    private static final int LEAST_STATEMENT = 20;
    private static final String MORE = "...";

    private ClaimsTable() {}

    /** A heading and a line for each claim, and how many got each verdict. */
    public static List<String> lines(Results results) {
        List<Finding> findings = results.findings();
        List<ClaimRow> claims = findings.stream().map(ClaimRow::of).toList();
        int others = Columns.lines(rows(claims, 0), 5).get(0).length();
        List<String> lines = new ArrayList<>(Columns.lines(rows(claims, Math.max(LEAST_STATEMENT, WIDTH - others)), 5));
        lines.replaceAll(String::stripTrailing);
        lines.add("");
        lines.add(Page.headline(findings));
        return lines;
    }

    private static List<List<String>> rows(List<ClaimRow> claims, int statement) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("id", "year", shortened("claim", statement), "ratio", "verdict"));
        claims.forEach(claim -> rows.add(List.of(
                claim.id(),
                String.valueOf(claim.year()),
                shortened(claim.statement(), statement),
                claim.now().equals(claim.word()) ? "" : claim.now(),
                claim.word())));
        return rows;
    }

    private static String shortened(String text, int length) {
        if (text.length() <= length) {
            return text;
        }
        return length < MORE.length()
                ? ""
                : text.substring(0, length - MORE.length()).stripTrailing() + MORE;
    }
}

package dev.buffers.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.bench.claims.Depth;
import dev.buffers.bench.claims.Results;
import dev.buffers.bench.figures.Spread;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The tables for the terminal, and how numbers are written. */
class TablesTest {
    private final Results results = MadeUp.small(Depth.FULL);

    @Test
    void theClaimsFitATerminal() {
        List<String> lines = ClaimsTable.lines(MadeUp.large());

        assertEquals(1 + 28 + 2, lines.size());
        lines.subList(0, 29).forEach(line -> assertTrue(line.length() <= 120, line));
        assertTrue(lines.get(1).matches("A1  2009  from 2,048 bytes on.*\\.\\.\\. .*\\) +\\w.*"), lines.get(1));
        assertTrue(lines.get(30).startsWith("28 claims put to the test: "));
    }

    @Test
    void aClaimsLineEndsInItsVerdict() {
        List<String> lines = ClaimsTable.lines(results);

        assertTrue(
                lines.get(2).matches("W1  2009  three times as fast +2\\.000 \\(1\\.\\d+ to 2\\.\\d+\\) +weaker"),
                lines.get(2));
        assertTrue(lines.get(9).matches("T1  2009  larger is faster +not run"), lines.get(9));
    }

    @Test
    void theLanesStandBesideTheFloor() {
        String text = String.join("\n", LanesTable.lines(results));

        assertTrue(text.startsWith("lane-mixed, threads 1: time, less is better\n"), text);
        assertTrue(
                text.matches(
                        "(?s).*  buffers +25\\.2 \\(25\\.0–25\\.4\\) +2\\.4\\d+ \\(2\\.\\d+ to 2\\.\\d+\\) +– +2\\.00\n.*"),
                text);
        assertTrue(text.contains("not run"), text);
    }

    @Test
    void numbersHaveEnoughDigits() {
        assertEquals("0.0123", Numbers.text(0.01234));
        assertEquals("1.20", Numbers.text(1.2));
        assertEquals("123", Numbers.text(123.4));
        assertEquals("12,346", Numbers.text(12345.6));
        assertEquals("12.3M", Numbers.text(12_345_678));
        assertEquals("0", Numbers.text(0));
        assertEquals("-", Numbers.text(Double.NaN));
        assertEquals("5k", Numbers.tick(5000));
        assertEquals("0.05", Numbers.tick(0.05));
        assertEquals("100", Numbers.tick(100));
        assertEquals("2.5M", Numbers.tick(2_500_000));
        assertEquals("1.051", Numbers.factor(1.0512));
        assertEquals("8,192", Numbers.label("8192"));
        assertEquals("heap-view", Numbers.label("heap-view"));
        assertEquals("96.8 %", Numbers.percent(0.968));
        assertEquals("2.00 (1.00–3.00)", Numbers.text(new Spread(new double[] {3, 1, 2})));
        assertEquals("7.00", Numbers.text(new Spread(new double[] {7, 7})));
    }
}

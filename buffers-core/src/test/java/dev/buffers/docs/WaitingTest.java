// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Manual;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The tables of connections that wait are those of the committed run. After a new run change its folder in {@link Spread}, and write the
 * tables with {@code -Dpicture.write=true -Dtest=WaitingTest,PicturesTest}.
 */
class WaitingTest {
    private static final String PAGE = "docs/waiting.md";
    private static final Map<String, String> SERVERS = names(
            "tomcat", "Tomcat", "jetty", "Jetty", "undertow", "Undertow", "grizzly", "Grizzly", "nio", "plain NIO");
    private static final Map<String, String> WAYS = names(
            "keep-alive", "keep-alive",
            "websocket", "WebSocket",
            "websocket-deflate", "WebSocket, deflate",
            "sse", "server-sent events",
            "long-poll", "long poll",
            "upload", "stalled upload, listener",
            "upload-blocking", "stalled upload, virtual thread",
            "download", "stalled download",
            "http2", "HTTP/2, idle",
            "http2-sse", "HTTP/2, a stream of events");

    private static Map<String, String> names(String... pairs) {
        Map<String, String> names = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            names.put(pairs[i], pairs[i + 1]);
        }
        return names;
    }

    @Test
    void heldBytesAreThoseOfRun() throws IOException {
        table(PAGE, head("heap and direct memory, KB"), rows("", "held"));
        table(PAGE, head("the same with TLS"), rows(" with TLS", "held"));
    }

    @Test
    void residentBytesAreThoseOfRun() throws IOException {
        table(PAGE, head("resident memory, KB"), rows("", "resident"));
        table(PAGE, head("resident memory with TLS, KB"), rows(" with TLS", "resident"));
    }

    @Test
    void leasedBytesAreThoseOfRun() throws IOException {
        List<String> rows = new ArrayList<>();
        for (Map.Entry<String, String> way : WAYS.entrySet()) {
            List<String> cells = new ArrayList<>(List.of(way.getValue()));
            for (String server : SERVERS.keySet()) {
                cells.add(both(leased(server, "", way.getKey()), leased(server, " with TLS", way.getKey()), " / "));
            }
            add(rows, cells);
        }
        table(PAGE, head("leased from this pool, KB: plain / TLS"), rows);
    }

    @ParameterizedTest
    @CsvSource({Spread.RUN + ", 80", Spread.LATER_JDK + ", 80", Spread.SETTINGS + ", 19"})
    void allFiguresOfRunAreOnItsPage(String run, int least) throws IOException {
        List<String> rows = new ArrayList<>();
        for (String server : SERVERS.keySet()) {
            for (String layer : List.of("", " with TLS")) {
                for (String way : WAYS.keySet()) {
                    String cell = server + layer + ", " + way;
                    if (Spread.of(run, cell, side(server, layer, false), "held").isPresent()) {
                        rows.add(all(run, cell, side(server, layer, false), "own buffers"));
                        rows.add(all(run, cell, side(server, layer, true), "this pool"));
                    }
                }
            }
        }
        assertTrue(rows.size() > least, () -> "rows=" + rows.size());
        String head = "| connection | on | heap, B | direct, B | leased, B | resident, B |";
        table("docs/benchmarks/" + run + "/README.md", head, rows);
    }

    private static String all(String run, String cell, String side, String on) throws IOException {
        List<String> cells = new ArrayList<>(List.of(cell, on));
        for (String figure : List.of("heap", "direct", "leased", "resident")) {
            cells.add(Spread.of(run, cell, side, figure).orElseThrow().text());
        }
        return row(cells);
    }

    @Test
    void settingsOfTomcatHaveFiguresOfRuns() throws IOException {
        List<String> rows = new ArrayList<>();
        for (String way : List.of("websocket", "sse", "long-poll", "http2", "http2-sse")) {
            List<String> cells = new ArrayList<>(List.of(String.valueOf(WAYS.get(way))));
            for (boolean ours : new boolean[] {false, true}) {
                for (String run : List.of(Spread.RUN, Spread.SETTINGS)) {
                    List<String> layers = new ArrayList<>();
                    for (String layer : List.of("", " with TLS")) {
                        String cell = "tomcat" + layer + ", " + way;
                        layers.add(Spread.of(run, cell, side("tomcat", layer, ours), "held")
                                .map(WaitingTest::kilobytes)
                                .orElseThrow());
                    }
                    cells.add(String.join(", ", layers));
                }
            }
            rows.add(row(cells));
        }
        String head = "| waits as | Tomcat's buffers | with these settings | this pool | with these settings |";
        table("docs/tomcat.md", head, rows);
    }

    @Test
    void firstScreenHasFiguresOfRun() throws IOException {
        List<String> rows = new ArrayList<>();
        for (String cell : List.of(
                "tomcat: websocket, WebSocket, [Tomcat](docs/tomcat.md)",
                "tomcat with TLS: websocket, with TLS",
                "tomcat with TLS: websocket-deflate, with TLS and deflate",
                "tomcat: sse, events, Tomcat",
                "tomcat: keep-alive, keep-alive, Tomcat",
                "jetty: sse, events, [Jetty](docs/jetty.md)",
                "grizzly with TLS: websocket, WebSocket with TLS, [Grizzly](docs/grizzly.md)")) {
            String[] parts = cell.split("[:,] ", 3);
            String server = parts[0].replace(" with TLS", "");
            String layer = parts[0].substring(server.length());
            String name = parts[0] + ", " + parts[1];
            List<String> cells = new ArrayList<>(List.of(parts[2]));
            for (String figure : List.of("held", "resident")) {
                cells.add(kilobytes(name, side(server, layer, false), figure)
                        + "→"
                        + kilobytes(name, side(server, layer, true), figure));
            }
            rows.add(row(cells));
        }
        table("README.md", "| waiting connection, JDK 17 | heap+direct KB: own→pool | resident KB |", rows);
    }

    private static String head(String what) {
        return row(Stream.concat(Stream.of(what), SERVERS.values().stream()).toList());
    }

    private static List<String> rows(String layer, String figure) throws IOException {
        List<String> rows = new ArrayList<>();
        for (Map.Entry<String, String> way : WAYS.entrySet()) {
            List<String> cells = new ArrayList<>(List.of(way.getValue()));
            for (String server : SERVERS.keySet()) {
                String cell = server + layer + ", " + way.getKey();
                cells.add(both(
                        kilobytes(cell, side(server, layer, false), figure),
                        kilobytes(cell, side(server, layer, true), figure),
                        " → "));
            }
            add(rows, cells);
        }
        return rows;
    }

    /** Unless the run had no server that waits in this way. */
    private static void add(List<String> rows, List<String> cells) {
        if (cells.stream().skip(1).anyMatch(cell -> !cell.equals("-"))) {
            rows.add(row(cells));
        }
    }

    private static String leased(String server, String layer, String way) throws IOException {
        return kilobytes(server + layer + ", " + way, side(server, layer, true), "leased");
    }

    /** Both figures; a dash where the server does not have both. */
    private static String both(String one, String other, String between) {
        return one.equals(other) && one.equals("-") ? "-" : one + between + other;
    }

    private static String side(String server, String layer, boolean ours) {
        return server + (layer.isEmpty() ? "" : ", TLS") + (ours ? ", pool" : "");
    }

    private static String kilobytes(String cell, String side, String figure) throws IOException {
        return Spread.of(cell, side, figure).map(WaitingTest::kilobytes).orElse("-");
    }

    private static String kilobytes(Spread spread) {
        double value = Math.max(0, spread.median() / 1e3);
        return value < 0.05 ? "0" : String.format(Locale.ROOT, value < 10 ? "%.1f" : "%.0f", value);
    }

    private static String row(List<String> cells) {
        return "| " + String.join(" | ", cells) + " |";
    }

    /** The page has this table. */
    private static void table(String page, String head, List<String> rows) throws IOException {
        String text = Manual.page(page);
        String rule = "|---".repeat(head.split(" \\| ", -1).length) + "|";
        String table = head + "\n" + rule + "\n" + String.join("\n", rows) + "\n";
        if (Boolean.getBoolean("picture.write")) {
            text = Pattern.compile(Pattern.quote(head) + "\n(?:\\|.*\n)*")
                    .matcher(text)
                    .replaceFirst(Matcher.quoteReplacement(table));
            Files.writeString(Manual.ROOT.resolve(page), text);
        }
        int at = text.indexOf(head);
        assertTrue(at >= 0, () -> page + " has no table: " + head);
        assertEquals(table, text.substring(at, Math.min(text.length(), text.indexOf("\n\n", at) + 1)));
    }
}

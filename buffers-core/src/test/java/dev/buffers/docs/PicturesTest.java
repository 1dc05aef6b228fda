// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.buffers.support.Manual;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The README's pictures are drawn from committed runs, by this class: bars from zero, light and dark, narrow enough for a telephone.
 * After a new run change the folders below and write the pictures with {@code -Dpicture.write=true -Dtest=PicturesTest}.
 */
class PicturesTest {
    private static final String POOLS = "2026-11-23-lanes-jdk25";
    private static final String SERVERS = "2026-11-25-frameworks-jdk25";
    private static final String VIRTUAL = "2026-11-25-virtual-jdk25";

    private static final String SOAK = "2026-11-29-soak";

    private static final int WIDTH = 480;
    private static final int LEFT = 12;
    private static final int BARS = 172;
    private static final int LONGEST = 190;
    private static final int BAR = 24;

    /** Less is not told from nothing. */
    private static final double LEAST = 0.05;

    /** Where a line over time begins, and how long it is. */
    private static final int FROM = 64;

    private static final int LONG = 400;

    private static final int TITLE = 26;
    private static final int NOTE = 18;

    /** The colours of a theme; each has a contrast of 3:1 or more to the card. */
    private enum Theme {
        LIGHT("", "#ffffff", "#111827", "#4b5563", "#6b7280", "#1d4ed8"),
        DARK("-dark", "#0d1117", "#e6edf3", "#9aa5ab", "#8b949e", "#6ea8fe");

        final String suffix;
        final String style;

        Theme(String suffix, String card, String ink, String soft, String other, String ours) {
            this.suffix = suffix;
            this.style = """
                    <style>
                    text { fill: %2$s; font-size: 13px; }
                    .title { font-size: 15px; font-weight: 600; }
                    .note { fill: %3$s; font-size: 12px; }
                    .card { fill: %1$s; }
                    .other { fill: %4$s; }
                    .ours { fill: %5$s; }
                    .interval { stroke: %2$s; stroke-width: 2; }
                    .axis { stroke: %3$s; stroke-width: 1; }
                    .line { fill: none; stroke-width: 1.5; }
                    .other-line { stroke: %4$s; }
                    .ours-line { stroke: %5$s; }
                    </style>
                    """.formatted(card, ink, soft, other, ours);
        }
    }

    /** A figure, and its range or where the 95 % interval of its comparison puts it. */
    private record Value(double median, double low, double high) {
        Value in(double unit) {
            return new Value(median / unit, low / unit, high / unit);
        }
    }

    private final StringBuilder shapes = new StringBuilder();
    private int at = 8;

    @Test
    void waitingConnectionsAreDrawn() throws IOException {
        Map<String, Value> socket = waiting("", "websocket");
        Map<String, Value> secure = waiting(" with TLS", "websocket");
        Map<String, Value> events = waiting("", "sse");
        Map<String, Value> idle = waiting("", "keep-alive");
        double most = most(List.of(socket, secure, events, idle));
        title("Memory of a connection that waits");
        note("Heap after two collections, and direct memory");
        note("A WebSocket after one message");
        bars(socket, "KB", most);
        note("The same with TLS");
        bars(secure, "KB", most);
        note("Server-sent events after one event");
        bars(events, "KB", most);
        note("Keep-alive between two requests");
        bars(idle, "KB", most);
        note("JDK 17, medians of one run, with their range.");
        note("Each server on its own buffers and on this pool.");
        isDrawn("docs/waiting-connections", "Connections that wait");
    }

    private static Map<String, Value> waiting(String layer, String way) throws IOException {
        Map<String, Value> servers = new LinkedHashMap<>();
        for (String server : List.of("Tomcat", "Jetty", "Undertow")) {
            String name = server.toLowerCase(Locale.ROOT);
            String cell = name + layer + ", " + way;
            String own = name + (layer.isEmpty() ? "" : ", TLS");
            servers.put(server + ", this pool", held(cell, own + ", pool"));
            servers.put(server + ", its own", held(cell, own));
        }
        return servers;
    }

    private static Value held(String cell, String side) throws IOException {
        Spread held = Spread.of(cell, side, "held").orElseThrow();
        return new Value(held.median(), held.least(), held.most()).in(1e3);
    }

    @Test
    void memoryAfterBurstIsDrawn() throws IOException {
        Map<String, Value> pools = new LinkedHashMap<>();
        pools.put("this pool", base(POOLS, "undertow, resident").in(1e6));
        pools.put("the same, free=prompt", resident("buffersPrompt"));
        pools.put("Grizzly, heap", resident("grizzlyHeap"));
        pools.put("Undertow", resident("undertow"));
        pools.put("Jetty", resident("jettyBest"));
        pools.put("Netty, adaptive", resident("nettyAdaptiveBest"));
        Map<String, Value> servers = new LinkedHashMap<>();
        for (String server : List.of("Undertow", "Grizzly", "Jetty")) {
            String name = server.toLowerCase(Locale.ROOT);
            String label = name + ", burst: " + name + ", true, kept";
            servers.put(server + ", this pool", alternative(SERVERS, label).in(1e6));
            servers.put(server + ", its own", base(SERVERS, label).in(1e6));
        }
        double most = most(List.of(pools, servers));
        title("Resident memory after the first burst of 312 MiB");
        note("Pools alone: growth 15 seconds later, after one collection of garbage");
        bars(pools, "MB", most);
        title("A pool's memory after 600 connections at once");
        note("Each framework's server, on its own pool and on this one");
        bars(servers, "MB", most);
        note("JDK 25, medians of five, with the 95 % interval of the comparison.");
        note("For Jetty and Grizzly it is open whether they differ.");
        isDrawn("docs/memory-after-a-burst", "Memory after a burst");
    }

    @Test
    void virtualThreadsAreDrawn() throws IOException {
        Map<String, String> pools = new LinkedHashMap<>();
        pools.put("", "this pool");
        pools.put("queue", "a queue, without a cap");
        pools.put("jetty", "Jetty");
        pools.put("nettyAdaptiveBest", "Netty, adaptive");
        pools.put("nettyPooledBest", "Netty, pooled");
        pools.put("grizzlyPooled", "Grizzly");
        pools.put("allocateDirect", "no pool");
        Map<String, Value> time = new LinkedHashMap<>();
        Map<String, Value> kept = new LinkedHashMap<>();
        for (Map.Entry<String, String> pool : pools.entrySet()) {
            time.put(pool.getValue(), virtual(pool.getKey(), "").in(200_000 * 1e3));
            kept.put(pool.getValue(), virtual(pool.getKey(), ", kept").in(1e6));
        }
        title("200,000 virtual threads, 64 at a time, 16 KiB each");
        note("CPU time for a thread");
        bars(time, "µs", most(List.of(time)));
        note("Memory kept at the end");
        bars(kept, "MB", most(List.of(kept)));
        note("JDK 25, medians, with the 95 % interval of the comparison.");
        note("Undertow's pool is not shown:");
        note("it leaves a buffer with each thread that has ended.");
        isDrawn("docs/virtual-threads", "Virtual threads");
    }

    @Test
    void serverForHoursIsDrawn() throws IOException {
        String ours = "JDK 25, this pool";
        String own = "JDK 25, own buffers";
        title("Tomcat with TLS for two hours");
        note("Up to 400 clients that come, wait, stall and vanish; a heap of 256 MiB");
        note("Resident memory");
        lines("MB", samples(ours, "resident", 1e6), samples(own, "resident", 1e6));
        note("Memory that the pool has on lease");
        lines("KB", samples(ours, "leased", 1e3), List.of());
        note("Time until an answer, median");
        lines("µs", samples(ours, "p50", 1), samples(own, "p50", 1));
        note("JDK 25. This pool in blue, Tomcat's own buffers in grey.");
        note("Each point is the median of two minutes.");
        note("The time follows the load of other programs on the machine.");
        isDrawn("docs/server-for-hours", "A server for hours");
    }

    /** The medians of two minutes each. */
    private static List<Double> samples(String name, String figure, double unit) throws IOException {
        String runs = Manual.page("docs/benchmarks/" + SOAK + "/results.json");
        String run = runs.split("\"name\": ?\"", -1)[1 + names(runs).indexOf(name)];
        Map<Long, List<Double>> byTime = new TreeMap<>();
        Matcher sample = Pattern.compile("\"minutes\": ?([\\d.]+)[^}]*?\"" + figure + "\": ?(\\d+)")
                .matcher(run);
        while (sample.find()) {
            long time = (long) (Double.parseDouble(sample.group(1)) / 2);
            byTime.computeIfAbsent(time, none -> new ArrayList<>()).add(Double.parseDouble(sample.group(2)) / unit);
        }
        List<Double> medians = new ArrayList<>();
        for (List<Double> some : byTime.values()) {
            medians.add(some.stream().sorted().toList().get(some.size() / 2));
        }
        return medians;
    }

    private static List<String> names(String runs) {
        return Pattern.compile("\"name\": ?\"([^\"]+)")
                .matcher(runs)
                .results()
                .map(name -> name.group(1))
                .toList();
    }

    /** A line for each over time, from zero, with its last figure. */
    private void lines(String unit, List<Double> ours, List<Double> other) {
        int high = 60;
        at += 8;
        double most = Stream.concat(ours.stream(), other.stream())
                .mapToDouble(each -> each)
                .max()
                .orElseThrow();
        text(LEFT, at + 10, "note", figure(most));
        text(LEFT, at + high, "note", "0 " + unit);
        shapes.append("<line x1=\"%d\" y1=\"%3$d\" x2=\"%d\" y2=\"%3$d\" class=\"axis\"/>\n"
                .formatted(FROM, FROM + LONG, at + high));
        line(other, "other", most, high);
        line(ours, "ours", most, high);
        at += high + 6;
    }

    private void line(List<Double> points, String kind, double most, int high) {
        StringBuilder path = new StringBuilder();
        for (int i = 0; i < points.size(); i++) {
            long x = FROM + Math.round((double) LONG * i / (points.size() - 1));
            path.append(i == 0 ? "" : " ")
                    .append(x)
                    .append(',')
                    .append(at + high - Math.round(high * points.get(i) / most));
        }
        if (!points.isEmpty()) {
            shapes.append("<polyline points=\"%s\" class=\"line %s\"/>\n".formatted(path, kind + "-line"));
        }
    }

    private void title(String words) {
        at += TITLE;
        text(LEFT, at, "title", words);
    }

    private void note(String words) {
        at += NOTE;
        text(LEFT, at, "note", words);
    }

    private static double most(List<Map<String, Value>> panels) {
        return panels.stream()
                .flatMap(panel -> panel.values().stream())
                .mapToDouble(Value::median)
                .max()
                .orElseThrow();
    }

    /** A bar for each, from zero; all panels of a unit have one scale. */
    private void bars(Map<String, Value> values, String unit, double most) {
        at += 8;
        values.forEach((name, value) -> {
            long length = Math.max(1, length(value.median, most));
            boolean ours = name.contains("this pool") || name.startsWith("the same");
            text(LEFT, at + 13, "", name);
            shapes.append("<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"17\" rx=\"2\" class=\"%s\"/>\n"
                    .formatted(BARS, at, length, ours ? "ours" : "other"));
            long end = length;
            if (value.low < value.high && value.median >= LEAST) {
                end = Math.max(length, length(value.high, most));
                shapes.append("<line x1=\"%d\" y1=\"%3$d\" x2=\"%d\" y2=\"%3$d\" class=\"interval\"/>\n"
                        .formatted(BARS + length(value.low, most), BARS + end, at + 8));
            }
            text(BARS + end + 6, at + 13, "", figure(value.median) + " " + unit);
            at += BAR;
        });
    }

    private static long length(double value, double most) {
        return Math.round(LONGEST * Math.min(1.2, value / most));
    }

    private static String figure(double value) {
        return value < LEAST ? "under 0.1" : String.format(Locale.ROOT, value < 10 ? "%.1f" : "%.0f", value);
    }

    private void text(long x, int y, String kind, String words) {
        String key = kind.isEmpty() ? "" : " class=\"" + kind + "\"";
        shapes.append("<text x=\"%d\" y=\"%d\"%s>%s</text>\n".formatted(x, y, key, words));
    }

    private void isDrawn(String file, String title) throws IOException {
        int height = at + 14;
        for (Theme theme : Theme.values()) {
            String drawn = """
                    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %1$d %2$d" width="%1$d" height="%2$d" \
                    font-family="system-ui, sans-serif" role="img">
                    <title>%3$s</title>
                    %4$s<rect width="100%%" height="100%%" rx="6" class="card"/>
                    %5$s</svg>
                    """.formatted(WIDTH, height, title, theme.style, shapes);
            Path picture = Manual.ROOT.resolve(file + theme.suffix + ".svg");
            if (Boolean.getBoolean("picture.write")) {
                Files.writeString(picture, drawn);
            }
            assertEquals(drawn, Manual.read(picture));
        }
    }

    /** A figure of virtual threads; ours stands beside each of the others. */
    private static Value virtual(String pool, String figure) throws IOException {
        return pool.isEmpty() ? base(VIRTUAL, "queue" + figure) : alternative(VIRTUAL, pool + figure);
    }

    /** At the end; ours stands beside each of the others. */
    private static Value resident(String pool) throws IOException {
        return alternative(POOLS, pool + ", resident").in(1e6);
    }

    /** The base's figure of a comparison, which has no interval. */
    private static Value base(String run, String label) throws IOException {
        double base = Comparison.of(run, label).base();
        return new Value(base, base, base);
    }

    private static Value alternative(String run, String label) throws IOException {
        Comparison it = Comparison.of(run, label);
        return new Value(it.alternative(), it.base() / it.high(), it.base() / it.low());
    }
}

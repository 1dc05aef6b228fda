// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.buffers.support.Manual;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The README's pictures are drawn from committed runs, by this class: bars from zero, in light and dark, narrow enough for a telephone.
 * After a new run change the folders below and write the pictures with {@code -Dpicture.write=true -Dtest=PicturesTest}.
 */
class PicturesTest {
    private static final String POOLS = "docs/benchmarks/2026-11-23-lanes-jdk25/results.json";
    private static final String SERVERS = "docs/benchmarks/2026-11-25-frameworks-jdk25/results.json";
    private static final String IDLE = "docs/benchmarks/2026-11-26-idle/results.json";
    private static final String IDLE_GRIZZLY = "docs/benchmarks/2026-11-26-idle-grizzly/results.json";
    private static final String VIRTUAL = "docs/benchmarks/2026-11-25-virtual-jdk25/results.json";

    private static final int WIDTH = 480;
    private static final int LEFT = 12;
    private static final int BARS = 172;
    private static final int LONGEST = 220;
    private static final int BAR = 24;
    private static final int TITLE = 26;
    private static final int NOTE = 18;

    private static final String STYLE = """
            <style>
            :root { color-scheme: light dark; --card: #ffffff; --ink: #111827; --soft: #4b5563; --other: #9ca3af; --ours: #1d4ed8; }
            @media (prefers-color-scheme: dark) {
              :root { --card: #0d1117; --ink: #e6edf3; --soft: #9aa5ab; --other: #59656c; --ours: #6ea8fe; }
            }
            text { fill: var(--ink); font-size: 13px; }
            .title { font-size: 15px; font-weight: 600; }
            .note { fill: var(--soft); font-size: 12px; }
            .card { fill: var(--card); }
            .other { fill: var(--other); }
            .ours { fill: var(--ours); }
            </style>
            """;

    private final StringBuilder shapes = new StringBuilder();
    private int at = 8;

    @Test
    void idleConnectionsAreDrawn() throws IOException {
        title("Memory of an idle keep-alive connection");
        note("Heap after a collection, and direct memory: 2,000 connections");
        bars(idle("idle: %s, true"), "KB");
        title("The same with TLS");
        bars(idle("with TLS, idle: %s, true, true"), "KB");
        note("JDK 17, medians. Each server on its own buffers and on this pool.");
        isDrawn("docs/idle-connections.svg", "Idle connections");
    }

    private static Map<String, Double> idle(String kind) throws IOException {
        Map<String, Double> servers = new LinkedHashMap<>();
        for (String server : List.of("Tomcat", "Jetty", "Undertow", "Grizzly")) {
            String name = server.toLowerCase(Locale.ROOT);
            boolean secure = kind.startsWith("with");
            String label = name + (secure ? " " : ", ") + kind.formatted(name) + ", held";
            String run = server.equals("Grizzly") ? IDLE_GRIZZLY : IDLE;
            servers.put(server + ", this pool", cell(run, label, "challenger") / 1e3);
            servers.put(server + ", its own", cell(run, label, "base") / 1e3);
        }
        return servers;
    }

    @Test
    void memoryAfterBurstIsDrawn() throws IOException {
        title("Resident memory after a burst of 312 MiB");
        note("Pools alone: growth 15 seconds later, after one collection of garbage");
        Map<String, Double> pools = new LinkedHashMap<>();
        pools.put("this pool", resident(""));
        pools.put("the same, free=prompt", resident("buffersPrompt"));
        pools.put("Undertow", resident("undertow"));
        pools.put("Jetty", resident("jettyBest"));
        pools.put("Netty, adaptive", resident("nettyAdaptiveBest"));
        bars(pools, "MB");
        title("A pool's memory after 600 connections at once");
        note("Each framework's server, on its own pool and on this one");
        Map<String, Double> servers = new LinkedHashMap<>();
        for (String server : List.of("Undertow", "Grizzly", "Jetty")) {
            servers.put(server + ", this pool", kept(server, "challenger"));
            servers.put(server + ", its own", kept(server, "base"));
        }
        bars(servers, "MB");
        note("JDK 25, medians of five. No difference was measured for Jetty and Grizzly.");
        isDrawn("docs/memory-after-a-burst.svg", "Memory after a burst");
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
        Map<String, Double> time = new LinkedHashMap<>();
        Map<String, Double> kept = new LinkedHashMap<>();
        for (Map.Entry<String, String> pool : pools.entrySet()) {
            time.put(pool.getValue(), virtual(pool.getKey(), "") / 200_000 / 1e3);
            kept.put(pool.getValue(), virtual(pool.getKey(), ", kept") / 1e6);
        }
        title("200,000 virtual threads, 64 at a time, 16 KiB each");
        note("CPU time for a thread");
        bars(time, "µs");
        note("Memory kept at the end");
        bars(kept, "MB");
        note("JDK 25, medians. Undertow's pool is not shown:");
        note("it leaves a buffer with each thread that has ended.");
        isDrawn("docs/virtual-threads.svg", "Virtual threads");
    }

    private void title(String words) {
        at += TITLE;
        text(LEFT, at, "title", words);
    }

    private void note(String words) {
        at += NOTE;
        text(LEFT, at, "note", words);
    }

    /** A bar for each, from zero, on one scale. */
    private void bars(Map<String, Double> values, String unit) {
        double most = values.values().stream().reduce(0.0, Math::max);
        at += 8;
        for (Map.Entry<String, Double> value : values.entrySet()) {
            long length = Math.max(2, Math.round(LONGEST * value.getValue() / most));
            boolean ours =
                    value.getKey().contains("this pool") || value.getKey().startsWith("the same");
            text(LEFT, at + 13, "", value.getKey());
            shapes.append("<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"17\" rx=\"2\" class=\"%s\"/>\n"
                    .formatted(BARS, at, length, ours ? "ours" : "other"));
            String format = value.getValue() < 10 ? "%.1f %s" : "%.0f %s";
            text(BARS + length + 6, at + 13, "", String.format(Locale.ROOT, format, value.getValue(), unit));
            at += BAR;
        }
    }

    private void text(long x, int y, String kind, String words) {
        String key = kind.isEmpty() ? "" : " class=\"" + kind + "\"";
        shapes.append("<text x=\"%d\" y=\"%d\"%s>%s</text>\n".formatted(x, y, key, words));
    }

    private void isDrawn(String file, String title) throws IOException {
        int height = at + 14;
        String drawn = """
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %1$d %2$d" width="%1$d" height="%2$d" \
                font-family="system-ui, sans-serif" role="img">
                <title>%3$s</title>
                %4$s<rect width="100%%" height="100%%" rx="6" class="card"/>
                %5$s</svg>
                """.formatted(WIDTH, height, title, STYLE, shapes);
        Path picture = Manual.ROOT.resolve(file);
        if (Boolean.getBoolean("picture.write")) {
            Files.writeString(picture, drawn);
        }
        assertEquals(drawn, Manual.read(picture));
    }

    /** A figure of virtual threads; ours stands beside each of the others. */
    private static double virtual(String pool, String figure) throws IOException {
        return pool.isEmpty() ? cell(VIRTUAL, "queue" + figure, "base") : cell(VIRTUAL, pool + figure, "challenger");
    }

    /** The median of what a server keeps, in megabytes: with its own pool, the base, or with this one. */
    private static double kept(String server, String side) throws IOException {
        String name = server.toLowerCase(Locale.ROOT);
        return cell(SERVERS, name + ", burst: " + name + ", true, kept", side) / 1e6;
    }

    /** Megabytes at the end; ours stands beside each of the others. */
    private static double resident(String pool) throws IOException {
        return (pool.isEmpty()
                        ? cell(POOLS, "undertow, resident", "base")
                        : cell(POOLS, pool + ", resident", "challenger"))
                / 1e6;
    }

    /** A figure of a comparison, without its unit. Runs before December 2026 call the alternative {@code challenger}. */
    private static double cell(String page, String label, String side) throws IOException {
        String keys = side.equals("challenger") ? "(?:challenger|alternative)" : side;
        Matcher figure = Pattern.compile(
                        "\"label\" ?: \"" + label + "\",\\s*(?=\"base\")[^}]*?\"" + keys + "\" ?: \"([^ \"]+)")
                .matcher(Manual.page(page));
        if (!figure.find()) {
            throw new IllegalStateException("not in " + page + ": " + label);
        }
        return Double.parseDouble(figure.group(1).replace(",", ""));
    }
}

package dev.buffers.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.buffers.support.Manual;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The README's pictures are drawn from committed runs, by this class. After a new run change the folders below and write the pictures with
 * {@code -Dpicture.write=true -Dtest=PicturesTest}.
 */
class PicturesTest {
    private static final String POOLS = "docs/benchmarks/2026-11-23-lanes-jdk25/results.json";
    private static final String SERVERS = "docs/benchmarks/2026-11-25-frameworks-jdk25/results.json";
    private static final String VIRTUAL = "docs/benchmarks/2026-11-25-virtual-jdk25/results.json";

    private static final int WIDTH = 720;
    private static final int LEFT = 56;
    private static final int RIGHT = 490;
    private static final int TOP = 70;
    private static final int BOTTOM = 280;
    private static final int SECONDS = 15;
    private static final int COLLECTION = 13;
    private static final int MOST_MEGABYTES = 350;
    private static final int LINE = 15;
    private static final int BARS = 336;
    private static final int BAR = 24;
    private static final int LONGEST = 300;
    private static final int ROWS = 64;
    private static final int DECADE = 65;
    private static final int DOTS = 190;
    private static final int SECOND = 270;
    private static final String OURS = "#1d4ed8";
    private static final String OTHERS = "#9ca3af";
    private static final String DARK = "#111827";
    private static final String PALE = "#e5e7eb";

    private final StringBuilder shapes = new StringBuilder();

    /** Where a curve ends. */
    private record End(double bytes, String name, String colour) {}

    /** The names of the run, and those of the picture. */
    private static Map<String, String> pools() {
        Map<String, String> pools = new LinkedHashMap<>();
        pools.put("buffers", "this pool");
        pools.put("buffersPrompt", "the same, free=prompt");
        pools.put("nettyAdaptiveBest", "Netty, adaptive");
        pools.put("jettyBest", "Jetty");
        pools.put("undertow", "Undertow");
        return pools;
    }

    @Test
    void oneShowsMemoryAfterABurst() throws IOException {
        text(12, 20, DARK, 15, "Pools alone: growth of resident memory over the 15 seconds after a burst of 312 MiB");
        axes();
        curves();
        text(12, BARS - 8, DARK, 15, "Servers: what their pool keeps after a burst of 600 connections");
        int end = bars();
        text(
                12,
                end + 16,
                "#4b5563",
                12,
                "JDK 25, medians of five. An idle JVM does not collect. Jetty's two bars are not told apart, and Grizzly's are not.");
        isDrawn("docs/memory-after-a-burst.svg", "Memory after a burst", end + 30);
    }

    /** On logarithmic axes, so that the dearest does not flatten the others. */
    @Test
    void theOtherShowsVirtualThreads() throws IOException {
        text(
                12,
                20,
                DARK,
                15,
                "200,000 virtual threads, 64 alive at once: each takes 16 KiB, waits its turn, gives it back");
        text(DOTS, 44, DARK, 13, "CPU time for a thread, µs");
        text(DOTS + SECOND, 44, DARK, 13, "kept at the end, MB");
        int at = ROWS;
        Map<String, double[]> rows = new LinkedHashMap<>();
        for (Map.Entry<String, String> pool : virtualPools().entrySet()) {
            rows.put(pool.getValue(), virtual(pool.getKey()));
        }
        int bottom = ROWS + rows.size() * BAR - 8;
        for (int decade = 0; decade <= 3; decade++) {
            for (int left : new int[] {DOTS, DOTS + SECOND}) {
                line(left + decade * DECADE, ROWS - 12, left + decade * DECADE, bottom, PALE, "");
                text(
                        left + decade * DECADE - 4,
                        bottom + 14,
                        DARK,
                        12,
                        String.valueOf(Math.round(Math.pow(10, decade))));
            }
        }
        for (Map.Entry<String, double[]> row : rows.entrySet()) {
            String colour = row.getKey().startsWith("this pool") ? OURS : OTHERS;
            text(24, at + 4, DARK, 13, row.getKey());
            dot(DOTS, at, row.getValue()[0], colour);
            dot(DOTS + SECOND, at, row.getValue()[1], colour);
            at += BAR;
        }
        text(
                12,
                bottom + 36,
                "#4b5563",
                12,
                "JDK 25, medians. Undertow's pool is not here: it leaves a buffer with each thread that has ended.");
        isDrawn("docs/virtual-threads.svg", "Virtual threads", bottom + 50);
    }

    private static Map<String, String> virtualPools() {
        Map<String, String> pools = new LinkedHashMap<>();
        pools.put("", "this pool");
        pools.put("queue", "a queue, without a cap");
        pools.put("jetty", "Jetty");
        pools.put("nettyAdaptiveBest", "Netty, adaptive");
        pools.put("nettyPooledBest", "Netty, pooled");
        pools.put("grizzlyPooled", "Grizzly");
        pools.put("allocateDirect", "no pool");
        return pools;
    }

    /** Microseconds and megabytes; ours stand beside each of the others. */
    private static double[] virtual(String pool) throws IOException {
        String label = pool.isEmpty() ? "queue" : pool;
        String side = pool.isEmpty() ? "base" : "challenger";
        return new double[] {cell(VIRTUAL, label, side) / 200_000 / 1e3, cell(VIRTUAL, label + ", kept", side) / 1e6};
    }

    /** A figure of a trial, without its unit. */
    private static double cell(String page, String label, String side) throws IOException {
        String text = Manual.page(page);
        Matcher figure = Pattern.compile("\"label\": \"" + label + "\",[^}]*?\"" + side + "\": \"([^ \"]+)")
                .matcher(text);
        if (!figure.find()) {
            throw new IllegalStateException("not in " + page + ": " + label);
        }
        return Double.parseDouble(figure.group(1).replace(",", ""));
    }

    private void dot(int left, int y, double value, String colour) {
        long x = left + Math.round(DECADE * Math.log10(Math.max(1, value)));
        shapes.append("<circle cx=\"%d\" cy=\"%d\" r=\"5\" fill=\"%s\"/>\n".formatted(x, y, colour));
        text(x + 10, y + 4, DARK, 12, String.format(Locale.ROOT, value < 10 ? "%.1f" : "%.0f", value));
    }

    private void isDrawn(String file, String title, int height) throws IOException {
        String drawn = """
                <svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" role="img">
                <title>%s</title>
                <rect width="100%%" height="100%%" rx="6" fill="#ffffff"/>
                %s</svg>
                """.formatted(WIDTH, height, title, shapes);
        Path picture = Manual.ROOT.resolve(file);
        if (Boolean.getBoolean("picture.write")) {
            Files.writeString(picture, drawn);
        }
        assertEquals(drawn, Manual.read(picture));
    }

    private void axes() {
        for (int megabytes = 0; megabytes <= MOST_MEGABYTES; megabytes += 100) {
            line(LEFT, y(megabytes), RIGHT, y(megabytes), PALE, "");
            text(12, y(megabytes) + 4, DARK, 12, megabytes + " MB");
        }
        for (int second = 0; second <= SECONDS; second += 5) {
            text(x(second) - 8, BOTTOM + 16, DARK, 12, second + " s");
        }
        line(x(COLLECTION), TOP, x(COLLECTION), BOTTOM, OTHERS, " stroke-dasharray=\"4 3\"");
        text(x(COLLECTION) - 130, TOP - 6, "#4b5563", 12, "a collection of garbage");
    }

    private void curves() throws IOException {
        List<End> ends = new ArrayList<>();
        for (Map.Entry<String, String> pool : pools().entrySet()) {
            double[] bytes = course(pool.getKey());
            List<String> points = new ArrayList<>();
            for (int second = 0; second < bytes.length; second++) {
                points.add(x(second) + "," + y(bytes[second] / 1e6));
            }
            boolean ours = pool.getKey().startsWith("buffers");
            shapes.append("<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"%s\"%s/>\n"
                    .formatted(
                            String.join(" ", points),
                            ours ? OURS : OTHERS,
                            ours ? "3" : "2",
                            pool.getKey().equals("buffersPrompt") ? " stroke-dasharray=\"7 3\"" : ""));
            ends.add(new End(bytes[bytes.length - 1], pool.getValue(), ours ? OURS : DARK));
        }
        ends.sort(Comparator.comparingDouble(End::bytes));
        int free = BOTTOM + 4;
        for (End end : ends) { // from the lowest: none covers another
            int at = Math.min(free, y(end.bytes / 1e6) + 4);
            text(RIGHT + 8, at, end.colour, 13, end.name + ", " + megabytes(end.bytes));
            free = at - LINE;
        }
    }

    /** Returns where they end. */
    private int bars() throws IOException {
        double longest = kept("undertow", "base");
        int at = BARS;
        for (String server : new String[] {"undertow", "jetty", "grizzly"}) {
            String name = server.substring(0, 1).toUpperCase(Locale.ROOT) + server.substring(1);
            bar(at, name + ", this pool", kept(server, "challenger"), longest, OURS);
            bar(at + BAR, name + ", its own", kept(server, "base"), longest, OTHERS);
            at += 2 * BAR;
        }
        return at;
    }

    private void bar(int at, String name, double bytes, double longest, String colour) {
        text(24, at + 14, DARK, 13, name);
        long length = Math.max(2, Math.round(LONGEST * bytes / longest));
        shapes.append(
                "<rect x=\"170\" y=\"%d\" width=\"%d\" height=\"18\" fill=\"%s\"/>\n".formatted(at, length, colour));
        text(176 + length, at + 14, DARK, 13, megabytes(bytes));
    }

    /** Bytes, second by second. */
    private static double[] course(String pool) throws IOException {
        return numbers(POOLS, "\"side\" : \"" + pool + "\",\\s*\"figure\" : \"resident\",\\s*\"medians\" : ");
    }

    /** The median of what a server keeps, in bytes: with its own pool, the base, or with this one. */
    private static double kept(String server, String side) throws IOException {
        return cell(SERVERS, server + ", burst: " + server + ", true, kept", side);
    }

    /** The list that follows such a text in a page. */
    private static double[] numbers(String page, String before) throws IOException {
        Matcher list = Pattern.compile(before + "\\[([^]]*)]").matcher(Manual.page(page));
        if (!list.find()) {
            throw new IllegalStateException("not in " + page + ": " + before);
        }
        return Arrays.stream(list.group(1).split(","))
                .mapToDouble(Double::parseDouble)
                .toArray();
    }

    private static String megabytes(double bytes) {
        double megabytes = bytes / 1e6;
        return String.format(Locale.ROOT, megabytes < 10 ? "%.1f MB" : "%.0f MB", megabytes);
    }

    private static int x(int second) {
        return LEFT + (RIGHT - LEFT) * second / SECONDS;
    }

    private static int y(double megabytes) {
        return (int) Math.round(BOTTOM - (BOTTOM - TOP) * megabytes / MOST_MEGABYTES);
    }

    private void line(int x1, int y1, int x2, int y2, String colour, String dashes) {
        shapes.append("<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"%s\"%s/>\n"
                .formatted(x1, y1, x2, y2, colour, dashes));
    }

    private void text(long x, int y, String colour, int size, String words) {
        shapes.append("<text x=\"%d\" y=\"%d\" fill=\"%s\" font-size=\"%d\">%s</text>\n"
                .formatted(x, y, colour, size, words));
    }
}

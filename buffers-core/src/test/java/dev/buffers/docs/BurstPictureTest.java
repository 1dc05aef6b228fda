package dev.buffers.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.buffers.support.Manual;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The README's picture of the memory that a burst leaves behind is drawn from the committed results, by this class. After a new run change the
 * folders below and write the picture with {@code -Dpicture.write=true -Dtest=BurstPictureTest}.
 */
class BurstPictureTest {
    private static final String POOLS = "docs/benchmarks/2026-11-21-claims-jdk17/results.json";
    private static final String SERVERS = "docs/benchmarks/2026-11-22-frameworks-jdk25/results.json";
    private static final Path PICTURE = Manual.ROOT.resolve("docs/memory-after-a-burst.svg");

    private static final int WIDTH = 720;
    private static final int LEFT = 190;
    private static final int LONGEST = 420;
    private static final int ROW = 26;
    private static final String OURS = "#1d4ed8";
    private static final String OTHERS = "#9ca3af";

    private final StringBuilder shapes = new StringBuilder();
    private int y = 34;

    @Test
    void thePictureShowsTheResults() throws IOException {
        heading("Pools alone: growth of resident memory after a burst of 312 MiB");
        double netty = median(POOLS, "memory-burst", "\"nettyAdaptiveBest\"", "resident");
        bar("this pool", median(POOLS, "memory-burst", "\"buffers\"", "resident"), netty, OURS);
        bar("Jetty's", median(POOLS, "memory-burst", "\"jetty\"", "resident"), netty, OTHERS);
        bar("Netty's adaptive, at best", netty, netty, OTHERS);
        y += 24;
        heading("Servers: what their pool keeps after a burst of 600 connections");
        double undertow = kept("undertow", "own");
        for (String server : new String[] {"undertow", "jetty", "grizzly"}) {
            String name = server.substring(0, 1).toUpperCase(Locale.ROOT) + server.substring(1);
            bar(name + ", this pool", kept(server, "buffers"), undertow, OURS);
            bar(name + ", its own", kept(server, "own"), undertow, OTHERS);
        }
        text(
                12,
                y + 14,
                "#4b5563",
                12,
                "Medians. Pools: JDK 17; servers: JDK 25, five forks. Grizzly's two are not told apart.");
        String drawn = """
                <svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" role="img">
                <title>Memory after a burst</title>
                <rect width="100%%" height="100%%" rx="6" fill="#ffffff"/>
                %s</svg>
                """.formatted(WIDTH, y + 28, shapes);
        if (Boolean.getBoolean("picture.write")) {
            Files.writeString(PICTURE, drawn);
        }
        assertEquals(drawn, Manual.read(PICTURE));
    }

    private static double kept(String server, String pool) throws IOException {
        return median(SERVERS, "framework-burst", "\"" + server + "\", \"pool\" : \"" + pool + "\"", "kept");
    }

    /** Of the forks of one point, in bytes. */
    private static double median(String results, String experiment, String parameters, String figure)
            throws IOException {
        Matcher point = Pattern.compile("\"experiment\" : \"" + experiment + "\",\\s*\"parameters\" : \\{[^}]*"
                        + Pattern.quote(parameters) + "\\s*},\\s*\"figures\" : \\{[^}]*\"" + figure
                        + "\" : \\[([^]]*)]")
                .matcher(Manual.page(results));
        if (!point.find()) {
            throw new IllegalStateException("no such point: " + results + ", " + experiment + ", " + parameters);
        }
        double[] forks = Arrays.stream(point.group(1).split(","))
                .mapToDouble(Double::parseDouble)
                .sorted()
                .toArray();
        return forks[forks.length / 2];
    }

    private void heading(String words) {
        text(12, y - 8, "#111827", 15, words);
        y += 8;
    }

    private void bar(String name, double bytes, double longest, String colour) {
        text(24, y + 14, "#111827", 13, name);
        long length = Math.max(2, Math.round(LONGEST * bytes / longest));
        shapes.append("<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"18\" fill=\"%s\"/>\n"
                .formatted(LEFT, y, length, colour));
        double megabytes = bytes / 1e6;
        String size = String.format(Locale.ROOT, megabytes < 100 ? "%.1f MB" : "%.0f MB", megabytes);
        text(LEFT + length + 6, y + 14, "#111827", 13, size);
        y += ROW;
    }

    private void text(long x, int y, String colour, int size, String words) {
        shapes.append("<text x=\"%d\" y=\"%d\" fill=\"%s\" font-size=\"%d\">%s</text>\n"
                .formatted(x, y, colour, size, words));
    }
}

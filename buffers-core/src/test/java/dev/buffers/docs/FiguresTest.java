// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Manual;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The figures on the README's first screen, and the same in its pages, are the medians of all committed runs. */
class FiguresTest {
    private static final List<String> IDLE = List.of("2026-11-26-idle", "2026-11-26-idle-nio");
    private static final String POOLS = "2026-11-23-lanes-jdk25";
    private static final String SERVERS = "2026-11-25-frameworks-jdk25";
    private static final List<String> ALLOCATED =
            List.of(SERVERS, "2026-11-26-tomcat", "2026-11-23-bursts-jdk17", "2026-11-23-frameworks-jdk17");

    private static void says(String page, String words) throws IOException {
        String text = Manual.page(page).replaceAll("\\s+", " ");
        assertTrue(text.contains(words), () -> page + " does not say: " + words);
    }

    private static double median(DoubleStream values) {
        double[] all = values.sorted().toArray();
        return (all[(all.length - 1) / 2] + all[all.length / 2]) / 2;
    }

    private static String kilobytes(DoubleStream bytes) {
        double median = median(bytes) / 1e3;
        return String.format(Locale.ROOT, median < 100 ? "%.1f KB" : "%.0f KB", median);
    }

    private static List<Comparison> all(List<String> runs, String label) throws IOException {
        Stream<Comparison> all = Stream.empty();
        for (String run : runs) {
            all = Stream.concat(all, Comparison.all(run, label).stream());
        }
        return all.toList();
    }

    @Test
    void idleConnections() throws IOException {
        String label = "tomcat, idle: tomcat, true, ";
        List<Comparison> held = all(IDLE, label + "held");
        assertEquals(2, held.size());
        String own = kilobytes(base(held));
        String ours = kilobytes(alternative(held));
        idle("plain", own, ours, all(IDLE, label + "resident"));
        label = "tomcat with TLS, idle: tomcat, true, true, ";
        held = all(IDLE, label + "held");
        own = kilobytes(base(held));
        ours = kilobytes(alternative(held));
        idle("with TLS", own, ours, all(IDLE, label + "resident"));
    }

    private static void idle(String kind, String own, String ours, List<Comparison> resident) throws IOException {
        String ownResident = kilobytes(base(resident));
        String oursResident = kilobytes(alternative(resident));
        says("docs/tomcat.md", "| " + kind + ": heap and direct memory | " + own + " | " + ours + " |");
        says("docs/tomcat.md", "| " + kind + ": resident memory | " + ownResident + " | " + oursResident + " |");
    }

    private static DoubleStream base(List<Comparison> all) {
        return all.stream().mapToDouble(Comparison::base);
    }

    private static DoubleStream alternative(List<Comparison> all) {
        return all.stream().mapToDouble(Comparison::alternative);
    }

    @Test
    void burst() throws IOException {
        List<Comparison> others = List.of(
                resident("nettyAdaptiveBest"),
                resident("nettyPooledBest"),
                resident("jetty"),
                resident("jettyBest"),
                resident("undertow"));
        String ours = String.format(Locale.ROOT, "%.0f MB", others.get(0).base() / 1e6);
        String theirs = String.format(
                Locale.ROOT,
                "%.0f to %.0f MB",
                alternative(others).min().orElseThrow() / 1e6,
                alternative(others).max().orElseThrow() / 1e6);
        String least =
                String.format(Locale.ROOT, "%.1f MB", resident("grizzlyHeap").alternative() / 1e6);
        says("README.md", ours + " here, " + theirs + " with Netty, Jetty and Undertow, " + least + " with Grizzly's");
        says("docs/policies.md", "grown by " + ours + " with this pool, by " + theirs + " with");
    }

    private static Comparison resident(String pool) throws IOException {
        return Comparison.of(POOLS, pool + ", resident");
    }

    @Test
    void virtualThreads() throws IOException {
        Comparison undertow = Comparison.of(SERVERS, "undertow, virtual: 64");
        assertEquals(6, Math.round(undertow.base() / undertow.alternative()));
        says("README.md", "need a sixth of the CPU time");
    }

    @Test
    void garbageOfFiles() throws IOException {
        Comparison grizzly = Comparison.of(SERVERS, "grizzly, files: 64, allocated");
        assertEquals(15, Math.round(grizzly.base() / grizzly.alternative()));
        says("README.md", "a fifteenth of the garbage");
    }

    @Test
    void losses() throws IOException {
        double[] more = all(ALLOCATED, "jetty, [a-z]+: 64, allocated").stream()
                .mapToDouble(it -> 100 * (it.alternative() / it.base() - 1))
                .sorted()
                .toArray();
        says("README.md", String.format(Locale.ROOT, "%.0f to %.0f %% more bytes", more[0], more[more.length - 1]));
        Comparison streams = Comparison.of("2026-11-27-grizzly-jdk25", "grizzly, streams: 64");
        says(
                "README.md",
                String.format(Locale.ROOT, "%.2f times the CPU time", streams.alternative() / streams.base()));
        double[] messages = Comparison.all(
                        "2026-11-29-messages", "tomcat with TLS, websocket, messages: tomcat, websocket, TLS, pool")
                .stream()
                .mapToDouble(it -> it.alternative() / it.base())
                .sorted()
                .toArray();
        says("README.md", String.format(Locale.ROOT, "TLS %.2f to %.2f times", messages[0], messages[1]));
    }
}

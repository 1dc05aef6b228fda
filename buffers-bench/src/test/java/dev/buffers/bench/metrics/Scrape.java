// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a Prometheus server gets from a {@code /metrics}: a value for each name with its labels. */
public final class Scrape {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final Map<String, Double> samples = new LinkedHashMap<>();

    private Scrape(String text) {
        for (String line : text.lines().filter(line -> !line.startsWith("#")).toList()) {
            int value = line.lastIndexOf(' ');
            assertTrue(value > 0, "not a sample: " + line);
            samples.put(line.substring(0, value), Double.valueOf(line.substring(value + 1)));
        }
    }

    /** Fetches it. */
    public static Scrape of(String url) throws IOException, InterruptedException {
        HttpResponse<String> response = ask(url);
        assertEquals(200, response.statusCode(), url);
        assertEquals(
                List.of("text/plain; version=0.0.4; charset=utf-8"),
                response.headers().allValues("Content-Type"));
        return new Scrape(response.body());
    }

    static HttpResponse<String> ask(String url) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                .timeout(Duration.ofSeconds(60))
                .build();
        return CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
    }

    /** The sum of the samples of that name that have all these labels, each as {@code key="value"}. */
    public long sum(String name, String... labels) {
        assertTrue(has(name, labels), () -> "no such sample: " + name + List.of(labels) + " in " + samples.keySet());
        return (long) samples.entrySet().stream()
                .filter(sample -> matches(sample.getKey(), name, labels))
                .mapToDouble(Map.Entry::getValue)
                .sum();
    }

    /** Whether there is such a sample. */
    public boolean has(String name, String... labels) {
        return samples.keySet().stream().anyMatch(sample -> matches(sample, name, labels));
    }

    private static boolean matches(String sample, String name, String... labels) {
        return (sample.equals(name) || sample.startsWith(name + "{"))
                && List.of(labels).stream().allMatch(sample::contains);
    }
}

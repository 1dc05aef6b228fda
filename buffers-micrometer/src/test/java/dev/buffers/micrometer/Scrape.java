// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.micrometer;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a Prometheus server reads out of the text that it is sent: samples, and each family's type and help. */
final class Scrape {
    private static final Pattern SAMPLE = Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)})? (\\S+)");
    private static final Pattern LABEL = Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\]|\\\\.)*)\",?");
    private static final Pattern COMMENT = Pattern.compile("# (TYPE|HELP) (\\S+) (.*)");

    record Sample(String name, Map<String, String> labels) {}

    final Map<Sample, Double> samples = new HashMap<>();
    final Map<String, String> types = new TreeMap<>();
    final Map<String, String> helps = new TreeMap<>();

    static Scrape parse(String text) {
        Scrape scrape = new Scrape();
        text.lines().filter(line -> !line.isEmpty()).forEach(scrape::line);
        return scrape;
    }

    private void line(String line) {
        Matcher comment = COMMENT.matcher(line);
        if (comment.matches()) {
            (comment.group(1).equals("TYPE") ? types : helps).put(comment.group(2), comment.group(3));
            return;
        }
        Matcher sample = SAMPLE.matcher(line);
        if (!sample.matches()) {
            throw new IllegalArgumentException("not a sample: line=" + line);
        }
        Double value = Double.valueOf(sample.group(3));
        if (samples.put(new Sample(sample.group(1), labels(line, sample.group(2))), value) != null) {
            throw new IllegalArgumentException("a sample twice: line=" + line);
        }
    }

    private static Map<String, String> labels(String line, String text) {
        Map<String, String> labels = new TreeMap<>();
        int end = 0;
        Matcher label = LABEL.matcher(text == null ? "" : text);
        while (label.lookingAt()) {
            labels.put(label.group(1), label.group(2));
            end = label.end();
            label.region(end, text.length());
        }
        if (text != null && end != text.length()) {
            throw new IllegalArgumentException("not labels: line=" + line);
        }
        return labels;
    }

    /** The sum over all labels not named, of whole numbers. */
    long value(String name, String... labels) {
        return (long) exactly(name, labels);
    }

    /** The sum over all labels not named. */
    double exactly(String name, String... labels) {
        double sum = 0;
        boolean found = false;
        for (Map.Entry<Sample, Double> sample : samples.entrySet()) {
            boolean matches = sample.getKey().name.equals(name);
            for (int i = 0; matches && i < labels.length; i += 2) {
                matches = labels[i + 1].equals(sample.getKey().labels.get(labels[i]));
            }
            if (matches) {
                found = true;
                sum += sample.getValue();
            }
        }
        if (!found) {
            throw new IllegalArgumentException("no such sample: name=" + name + ", labels=" + String.join(",", labels));
        }
        return sum;
    }
}

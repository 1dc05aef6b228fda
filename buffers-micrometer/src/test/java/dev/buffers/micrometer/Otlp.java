// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.micrometer;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.micrometer.registry.otlp.OtlpMetricsSender;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What an OpenTelemetry collector reads out of the bytes that it is sent: the metrics by name. */
final class Otlp implements OtlpMetricsSender {
    /** Numbers of fields, as opentelemetry-proto's {@code metrics.proto} gives them. */
    private static final int FIRST = 1;

    private static final int SCOPES = 2;
    private static final int METRICS = 2;
    private static final int UNIT = 3;
    private static final int TEMPORALITY = 2;
    private static final int CUMULATIVE = 2;
    private static final int MONOTONIC = 3;
    private static final Map<Integer, String> KINDS =
            Map.of(5, "gauge", 7, "sum", 9, "histogram", 10, "exponential histogram", 11, "summary");

    /** One of a metric's series; a histogram's value is its sum. */
    record Point(Map<String, String> attributes, double value, long count) {}

    /** Its kind is {@code gauge}, {@code sum, cumulative, monotonic} and so on. */
    record Metric(String kind, String unit, String description, List<Point> points) {
        double value(String attribute, String is) {
            return points.stream()
                    .filter(point -> is.equals(point.attributes.get(attribute)))
                    .mapToDouble(Point::value)
                    .sum();
        }

        Point only() {
            if (points.size() != 1) {
                throw new IllegalStateException("not one point: points=" + points);
            }
            return points.get(0);
        }
    }

    final Map<String, Metric> metrics = new TreeMap<>();

    @Override
    public void send(Request request) {
        for (Fields resource : new Fields(request.getMetricsData()).each(FIRST)) {
            for (Fields scope : resource.each(SCOPES)) {
                scope.each(METRICS).forEach(this::read);
            }
        }
    }

    private void read(Fields metric) {
        int kind = KINDS.keySet().stream().filter(metric::has).findFirst().orElseThrow();
        Fields data = metric.each(kind).get(0);
        String said = KINDS.get(kind)
                + (data.number(TEMPORALITY) == CUMULATIVE ? ", cumulative" : "")
                + (data.number(MONOTONIC) == 1 ? ", monotonic" : "");
        List<Point> points = data.each(FIRST).stream()
                .map(point -> KINDS.get(kind).equals("histogram")
                        ? new Point(attributes(point, 9), point.real(5), point.number(4))
                        : new Point(attributes(point, 7), point.real(4), 0))
                .toList();
        metrics.put(metric.text(FIRST), new Metric(said, metric.text(UNIT), metric.text(2), points));
    }

    private static Map<String, String> attributes(Fields point, int number) {
        Map<String, String> attributes = new TreeMap<>();
        for (Fields attribute : point.each(number)) {
            attributes.put(attribute.text(FIRST), attribute.each(2).get(0).text(FIRST));
        }
        return attributes;
    }

    /** A message of Protocol Buffers, by its fields' numbers. */
    private static final class Fields {
        private final Map<Integer, List<Object>> fields = new HashMap<>();

        Fields(byte[] message) {
            ByteBuffer bytes = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
            while (bytes.hasRemaining()) {
                int tag = (int) varint(bytes);
                Object value;
                switch (tag & 7) {
                    case 0 -> value = varint(bytes);
                    case 1 -> value = bytes.getLong();
                    case 2 -> {
                        byte[] part = new byte[(int) varint(bytes)];
                        bytes.get(part);
                        value = part;
                    }
                    case 5 -> value = (long) bytes.getInt();
                    default -> throw new IllegalArgumentException("no such wire type: tag=" + tag);
                }
                fields.computeIfAbsent(tag >>> 3, number -> new ArrayList<>()).add(value);
            }
        }

        private static long varint(ByteBuffer bytes) {
            long value = 0;
            for (int shift = 0; ; shift += 7) {
                byte next = bytes.get();
                value |= (next & 0x7FL) << shift;
                if (next >= 0) {
                    return value;
                }
            }
        }

        boolean has(int number) {
            return fields.containsKey(number);
        }

        List<Fields> each(int number) {
            return fields.getOrDefault(number, List.of()).stream()
                    .map(part -> new Fields((byte[]) part))
                    .toList();
        }

        long number(int number) {
            return (Long) fields.getOrDefault(number, List.of(0L)).get(0);
        }

        double real(int number) {
            return Double.longBitsToDouble(number(number));
        }

        String text(int number) {
            return new String((byte[]) fields.get(number).get(0), UTF_8);
        }
    }
}

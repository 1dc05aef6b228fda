// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.micrometer;

import io.micrometer.core.instrument.Measurement;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/** A registry and its clock. Tests read it as an operator does: by the meters alone. */
final class Panel {
    final MockClock clock = new MockClock();
    final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);

    /** Later, so that the next look is a new one. */
    Panel later() {
        clock.add(Duration.ofSeconds(1));
        return this;
    }

    /** The sum over all tags not named. */
    long value(String name, String... tags) {
        double sum = 0;
        for (Meter meter : registry.get(name).tags(tags).meters()) {
            sum += valueOf(meter);
        }
        return (long) sum;
    }

    boolean shows(String name, String... tags) {
        return registry.find(name).tags(tags).meter() != null;
    }

    /** All values of a new look; each key ends in what kind of value it is, a {@code Statistic}. */
    Map<String, Double> scrape() {
        later();
        Map<String, Double> values = new TreeMap<>();
        registry.forEachMeter(meter -> {
            for (Measurement one : meter.measure()) {
                values.put(meter.getId().getName() + meter.getId().getTags() + one.getStatistic(), one.getValue());
            }
        });
        return values;
    }

    static double valueOf(Meter meter) {
        return meter.measure().iterator().next().getValue();
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.buffers.internal.settings.Setting;
import dev.buffers.internal.settings.SettingKey;
import dev.buffers.support.Refusal;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LeakTrackingTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "count",
                "all",
                "sample:1",
                "sample:100",
                "sample:2147483647",
                "older:1ms",
                "older:30s",
                "older:2m",
                "older:1h",
                "older:PT0.0005S"
            })
    void textReadsBack(String text) {
        assertEquals(text, SettingKey.LEAKS.read(text).toString());
        assertEquals(SettingKey.LEAKS.read(text), SettingKey.LEAKS.read(text));
        assertEquals(
                SettingKey.LEAKS.read(text).hashCode(),
                SettingKey.LEAKS.read(text).hashCode());
    }

    @Test
    void nullChangesNothing() {
        try (BufferPool pool = BufferPool.builder("no-tracking")
                .policy("heap-view")
                .leaks(LeakTracking.all())
                .build()) {
            assertThrows(NullPointerException.class, () -> pool.leaks(null));
            assertEquals(LeakTracking.all(), pool.leaks());
            pool.acquire(100).release();
        }
    }

    @Test
    void exposesKindRateAndThreshold() {
        assertEquals(LeakTracking.Kind.COUNT, LeakTracking.count().kind());
        assertThrows(IllegalStateException.class, () -> LeakTracking.count().every());
        assertEquals(LeakTracking.Kind.SAMPLE, LeakTracking.sample(100).kind());
        assertEquals(100, LeakTracking.sample(100).every());
        assertEquals(1, LeakTracking.all().every());
        assertNotEquals(LeakTracking.sample(1), LeakTracking.all());
        assertNotEquals(LeakTracking.sample(1), LeakTracking.sample(2));
        LeakTracking older = LeakTracking.older(Duration.ofSeconds(30));
        assertEquals(LeakTracking.Kind.OLDER, older.kind());
        assertEquals(Duration.ofSeconds(30), older.threshold());
        assertEquals(1, older.every());
        assertEquals(SettingKey.LEAKS.read("older:PT30S"), older);
        assertNotEquals(LeakTracking.older(Duration.ofSeconds(31)), older);
        assertNotEquals(LeakTracking.all(), older);
        assertEquals(
                "a lease may be out for any time: leaks=sample:100",
                assertThrows(
                                IllegalStateException.class,
                                () -> LeakTracking.sample(100).threshold())
                        .getMessage());
    }

    @ParameterizedTest
    @CsvSource({
        "'', is none of the choices",
        "none, is none of the choices",
        "Count, is none of the choices",
        "sample, is none of the choices",
        "sample:, is none of the choices",
        "sample:x, is none of the choices",
        "sample:-1, is none of the choices",
        "sample:1.5, is none of the choices",
        "older, is none of the choices",
        "Older:1s, is none of the choices",
        "older 1s, is none of the choices",
        "sample:0, is out of range",
        "sample:2147483648, is out of range",
        "sample:999999999999999999, is out of range",
        "older:, is not a time",
        "older:30, is not a time",
        "older:-1s, is not a time",
        "older:30 s, is not a time",
        "older:0s, is zero or negative",
        "older:PT-1S, is zero or negative",
        "older:999999999999h, is more than 292 years"
    })
    void refusesOtherTexts(String text, String fault) {
        assertEquals(fault, Refusal.of(() -> SettingKey.LEAKS.read(text)));
    }

    @Test
    void errorsNameAcceptedValues() {
        assertEquals(
                "bad value: buffers.leaks=older:soon (from builder) is not a time; accepted: count, all, sample:<n> with n"
                        + " from 1 to 2147483647 such as sample:100, or older:<duration> such as older:30s, older:PT30S",
                Refusal.of(() -> Setting.ofBuilder(SettingKey.LEAKS, "older:soon")));
        assertEquals(
                "sample rate not positive: every=0; accepted: 1 or more", Refusal.of(() -> LeakTracking.sample(0)));
        for (Duration wrong : List.of(Duration.ZERO, Duration.ofSeconds(-1))) {
            Refusal.of(
                    () -> LeakTracking.older(wrong),
                    "time out of range: duration=" + wrong + "; accepted: more than zero, at most ");
        }
    }
}

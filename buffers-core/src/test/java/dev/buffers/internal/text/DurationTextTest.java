// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.buffers.support.Refusal;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationTextTest {

    @ParameterizedTest
    @CsvSource({
        "500ms, PT0.5S",
        "10s, PT10S",
        "2m, PT2M",
        "1h, PT1H",
        "90s, PT90S",
        "PT10S, PT10S",
        "pt1m30s, PT90S",
        "P1D, PT24H",
        "PT0.000000001S, PT0.000000001S",
        "PT2562047H47M16.854775807S, PT2562047H47M16.854775807S"
    })
    void readsShortAndIsoSpellings(String text, String iso) {
        assertEquals(Duration.parse(iso), DurationText.parse(text));
    }

    @ParameterizedTest
    @CsvSource({
        "PT0.5S, 500ms",
        "PT10S, 10s",
        "PT120S, 2m",
        "PT90M, 90m",
        "PT24H, 24h",
        "PT0.0000005S, PT0.0000005S",
        "PT1.001S, 1001ms"
    })
    void writesShortestSpellingThatReadsBack(String iso, String text) {
        assertEquals(text, DurationText.of(Duration.parse(iso)));
        assertEquals(Duration.parse(iso), DurationText.parse(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "10", "s", "10 s", "10S", "1d", "1.5s", "-1s", "off", "soon", "2M"})
    void refusesMalformedTimes(String text) {
        assertEquals("is not a time", Refusal.of(() -> DurationText.parse(text)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0s", "0ms", "PT0S", "PT-5S"})
    void refusesTimesOfZeroOrLess(String text) {
        assertEquals("is zero or negative", Refusal.of(() -> DurationText.parse(text)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"999999999999999999ms", "P110000D", "999999999999999999h"})
    void refusesTimesThatAreTooLong(String text) {
        assertEquals("is more than 292 years", Refusal.of(() -> DurationText.parse(text)));
    }

    @Test
    void writesEvenTimesOutOfRange() {
        assertEquals("PT0S", DurationText.of(Duration.ZERO));
        assertEquals("PT-5S", DurationText.of(Duration.ofSeconds(-5)));
        Duration forEver = Duration.ofSeconds(Long.MAX_VALUE);
        assertEquals(forEver.toString(), DurationText.of(forEver));
    }
}

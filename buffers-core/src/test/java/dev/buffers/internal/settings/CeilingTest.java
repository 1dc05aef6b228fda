// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Refusal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CeilingTest {

    @Test
    void aNumberOfBytesIsItself() {
        Ceiling ceiling = Ceiling.parse("64m");
        assertFalse(ceiling.percent());
        assertEquals(64 << 20, ceiling.bytes());
        assertEquals("64m", ceiling.toString());
    }

    @ParameterizedTest
    @CsvSource({
        "100%, 1000, 1000",
        "50%, 1000, 500",
        "12.5%, 1000, 125",
        "33.3%, 1000, 333",
        "0.1%, 1000, 1",
        "0.001%, 1000, 1",
        "50%, 9223372036854775807, 4611686018427387903",
        "100%, 9223372036854775807, 9223372036854775807"
    })
    void aPercentageIsExactRoundedDownAndAtLeastOneByte(String text, long limit, long bytes) {
        Ceiling ceiling = Ceiling.parse(text);
        assertTrue(ceiling.percent());
        assertEquals(bytes, ceiling.of(limit));
        assertEquals(text, ceiling.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"0%", "0.0%", "100.1%", "101%", "999999999%"})
    void refusesPercentagesOutOfRange(String text) {
        assertEquals("is out of range", Refusal.of(() -> Ceiling.parse(text)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"%", "-5%", "5 %", ".5%", "5.%", "5,5%", "5k%", "1e1%", "9999999999%"})
    void refusesMalformedPercentages(String text) {
        assertEquals("is not a percentage", Refusal.of(() -> Ceiling.parse(text)));
    }

    @Test
    void refusesNothingAndLess() {
        assertEquals("is too small", Refusal.of(() -> Ceiling.parse("0")));
        assertEquals("is negative", Refusal.of(() -> Ceiling.parse("-64m")));
    }

    @Test
    void aPercentageHasNoBytesUntilItsLimitIsKnown() {
        assertThrows(IllegalStateException.class, () -> Ceiling.parse("50%").bytes());
    }
}

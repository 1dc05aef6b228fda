// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The accepted ports, and the ports that come after one. */
class MetricsPortTest {

    @Test
    void portsAreRead() {
        assertEquals(new MetricsPort(0), MetricsPort.of("0"));
        assertEquals(new MetricsPort(65_535), MetricsPort.of("65535"));
        assertEquals("--metrics=9400", MetricsPort.of("9400").option());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "-1", "65536", "99999999999", "9400/tcp", "1.5"})
    void invalidPortIsRefusedWithAcceptedValues(String text) {
        String why = assertThrows(IllegalArgumentException.class, () -> MetricsPort.of(text))
                .getMessage();
        assertTrue(why.endsWith("metrics=" + text), why);
        assertTrue(why.contains("1 to 65535") && why.contains("0, for any free one"), why);
    }

    @Test
    void theNextOnesFollow() {
        assertEquals(new MetricsPort(9404), new MetricsPort(9400).plus(4));
        assertEquals(new MetricsPort(0), new MetricsPort(0).plus(4));
        assertThrows(IllegalArgumentException.class, () -> new MetricsPort(65_533).plus(4));
    }
}

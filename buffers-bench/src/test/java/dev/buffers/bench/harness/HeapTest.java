// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeapTest {
    private static final long GIBI = 1L << 30;

    @Test
    void theHeapIsAGibibyteAndAnEighthOfASmallMachine() {
        assertEquals(List.of("-Xms1024m", "-Xmx1024m", "-XX:+AlwaysPreTouch"), Heap.options(List.of(), 24 * GIBI));
        assertEquals(List.of("-Xms256m", "-Xmx256m", "-XX:+AlwaysPreTouch"), Heap.options(List.of("-Da=b"), 2 * GIBI));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-Xmx2g", "-Xmn64m", "-XX:MaxRAMPercentage=50", "-XX:MaxHeapSize=2g"})
    void aSizeThatIsGivenStays(String size) {
        assertEquals(List.of(), Heap.options(List.of("-Da=b", size), 24 * GIBI));
    }
}

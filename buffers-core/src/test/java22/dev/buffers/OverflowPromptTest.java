// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import dev.buffers.support.Overflow;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** I10 with {@code free=prompt}: stacks overflow while memory is freed without a collection. */
class OverflowPromptTest {

    @ParameterizedTest
    @EnumSource
    void overflowedStacksLoseNoPromptMemory(Overflow.Kind kind) throws Exception {
        OverflowTest.overflow(BufferPool.builder("overflow").free(PoolSettings.Freeing.PROMPT), kind, 20);
    }
}

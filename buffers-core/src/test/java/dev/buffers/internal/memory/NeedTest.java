// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class NeedTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final Need need = new Need();
    private final long now = System.nanoTime();

    @Test
    void smallestRequestCountsForTenSeconds() {
        assertEquals(Need.NONE, need.least(now));
        need.note(500, now);
        need.note(700, now + SECOND);
        assertEquals(500, need.least(now + 11 * SECOND - 1));
        assertEquals(Need.NONE, need.least(now + 11 * SECOND));
        need.note(700, now + 11 * SECOND);
        assertEquals(700, need.least(now + 11 * SECOND));
    }

    @Test
    void collectionAnswersUntilLossesAreFound() {
        need.note(500, now);
        need.answer();
        assertEquals(Need.NONE, need.least(now));
        need.renew();
        assertEquals(500, need.least(now));
        need.answer();
        need.note(700, now);
        assertEquals(700, need.least(now));
        need.renew();
        assertEquals(Need.NONE, need.least(now + 10 * SECOND));
    }
}

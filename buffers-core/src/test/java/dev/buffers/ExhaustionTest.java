// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.buffers.internal.settings.SettingKey;
import dev.buffers.support.Refusal;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExhaustionTest {

    @ParameterizedTest
    @ValueSource(strings = {"fail", "unpooled", "wait:500ms", "wait:10s", "wait:2m", "wait:1h"})
    void textReadsBack(String text) {
        assertEquals(text, SettingKey.AT_LIMIT.read(text).toString());
        assertEquals(SettingKey.AT_LIMIT.read(text), SettingKey.AT_LIMIT.read(text));
        assertEquals(
                SettingKey.AT_LIMIT.read(text).hashCode(),
                SettingKey.AT_LIMIT.read(text).hashCode());
    }

    @Test
    void exposesKindAndPatience() {
        assertEquals(Exhaustion.Kind.FAIL, Exhaustion.fail().kind());
        assertEquals(Exhaustion.Kind.UNPOOLED, Exhaustion.unpooled().kind());
        assertEquals(Duration.ZERO, Exhaustion.fail().patience());
        Exhaustion waiting = SettingKey.AT_LIMIT.read("wait:PT10S");
        assertEquals(Exhaustion.Kind.WAIT, waiting.kind());
        assertEquals(Duration.ofSeconds(10), waiting.patience());
        assertEquals(Exhaustion.waiting(Duration.ofSeconds(10)), waiting);
        assertNotEquals(Exhaustion.waiting(Duration.ofSeconds(11)), waiting);
        assertNotEquals(Exhaustion.fail(), Exhaustion.unpooled());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "FAIL", "wait", "wait:", "wait:10", "wait:0s", "wait: 1s", "block", "fail "})
    void refusesOtherTexts(String text) {
        Refusal.of(() -> SettingKey.AT_LIMIT.read(text), "is ");
    }

    @Test
    void refusesPatienceOutOfRange() {
        Refusal.of(() -> Exhaustion.waiting(Duration.ZERO), "time out of range: duration=PT0S; accepted: more than");
        Refusal.of(() -> Exhaustion.waiting(Duration.ofSeconds(-1)), "duration=PT-1S");
        Refusal.of(() -> Exhaustion.waiting(Duration.ofSeconds(Long.MAX_VALUE)), "at most PT2562047H47M");
        assertThrows(NullPointerException.class, () -> Exhaustion.waiting(null));
    }
}

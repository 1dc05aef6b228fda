// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.buffers.support.Explicit;
import dev.buffers.support.Refusal;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Guesses for refused values. */
class SuggestionTest {

    private static Optional<String> guess(String key, String text) {
        return Suggestion.of(SettingKey.named(key).orElseThrow(), text);
    }

    @ParameterizedTest
    @CsvSource({
        "max, 64 MB, 64m",
        "max, 64 m, 64m",
        "max, 64 MiB, 64m",
        "max, 1.5g, 1536m",
        "max, 64_000, 64000",
        "max, 1T, 1024g",
        "max, 50 %, 50%",
        "region-size, 4 Mb, 4m",
        "at-limit, Fail, fail",
        "at-limit, faill, fail",
        "at-limit, wait, wait:10s",
        "at-limit, wait 10s, wait:10s",
        "at-limit, wait=5min, wait:5m",
        "at-limit, wait:2 seconds, wait:2s",
        "at-limit, un-pooled, unpooled",
        "zero, Relaese, release",
        "leaks, ALL, all",
        "leaks, sample=7, sample:7",
        "leaks, sample, sample:100",
        "trim-after, Off, off",
        "trim-after, 10, 10s",
        "trim-after, 10 sec, 10s",
        "trim-after, 1.5s, 1500ms",
        "trim-after, 1d, 24h",
        "free, promt, prompt",
        "guard, true, on",
        "guard, No, off",
        "jmx, on, true",
        "jmx, 0, false"
    })
    void theValueThatWasMeant(String key, String text, String meant) {
        assertEquals(Optional.of(meant), guess(key, text));
    }

    @ParameterizedTest
    @CsvSource({
        "max, lots",
        "max, 0%",
        "max, -1",
        "max, ''",
        "max, 101 %",
        "region-size, 50%",
        "max-size, 17m",
        "zero, x",
        "trim-after, never",
        "leaks, 100",
        "jmx, 2",
        "policy, ' '",
        "max, 99999999999999999999g"
    })
    void dissimilarValueIsNotGuessed(String key, String text) {
        assertEquals(Optional.empty(), guess(key, text));
    }

    @ParameterizedTest
    @CsvSource({"Direct-View, direct-view", "direct_view, direct-view", "directView, direct-view", "Heap, heap"})
    void aPolicyStaysAnErrorWithTheNameThatWasMeant(String policy, String meant) {
        Refusal.of(
                () -> ResolvedSettings.resolve("web", new Explicit(), Map.of("buffers.policy", policy), Map.of()),
                "bad value: buffers.policy=" + policy + " (from -Dbuffers.policy) is no policy, did you mean " + meant
                        + "?; accepted: heap, direct, ");
        Refusal.of(
                () -> ResolvedSettings.resolve("web", new Explicit().policy(policy), Map.of(), Map.of()),
                "(from builder) is no policy, did you mean " + meant + "?;");
    }

    @Test
    void aPolicyLikeNoOtherIsNotGuessed() {
        Refusal.of(
                () -> ResolvedSettings.resolve("web", new Explicit(), Map.of("buffers.policy", "mmap"), Map.of()),
                "buffers.policy=mmap (from -Dbuffers.policy) is no policy; accepted: ");
    }
}

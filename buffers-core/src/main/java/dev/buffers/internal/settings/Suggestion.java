// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.settings;

import dev.buffers.internal.text.ByteSize;
import dev.buffers.internal.text.DurationText;
import dev.buffers.internal.text.Spelling;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Guesses which value a refused text was meant to be. A guess is always a text that its key accepts. */
final class Suggestion {
    private static final Pattern AMOUNT = Pattern.compile("([0-9][0-9_,]{0,17}(?:\\.[0-9]{1,3})?)([a-z]*)");

    /** Bytes, by what their unit may look like. */
    private static final Map<String, Long> BYTES = Map.of(
            "(b|bytes)?", 1L,
            "ki?b?", ByteSize.KIB,
            "mi?b?", ByteSize.MIB,
            "gi?b?", ByteSize.GIB,
            "ti?b?", 1024 * ByteSize.GIB);

    /** Milliseconds, by what their unit may look like; seconds without one. */
    private static final Map<String, Long> MILLIS = Map.of(
            "ms|msec|milli(s|seconds?)?", 1L,
            "(s|secs?|seconds?)?", 1_000L,
            "m|mins?|minutes?", 60_000L,
            "h|hrs?|hours?", 3_600_000L,
            "d|days?", 86_400_000L);

    private static final Set<String> YES = Set.of("on", "true", "yes", "enabled", "1");
    private static final Set<String> NO = Set.of("off", "false", "no", "disabled", "0");

    private Suggestion() {}

    static Optional<String> of(SettingKey<?> key, String text) {
        String lower = text.strip().toLowerCase(Locale.ROOT);
        if (lower.isEmpty()) {
            return Optional.empty();
        }
        String tight = lower.replaceAll("\\s", "");
        String[] parts = lower.split("[\\s=:]+", 2); // wait 10s, wait=10s
        List<String> guesses = new ArrayList<>();
        amount(tight, BYTES).map(ByteSize::text).ifPresent(guesses::add); // first: 64 MB is 64m, not 64mb
        guesses.addAll(List.of(tight, tight.replace('_', '-'), String.join(":", parts)));
        time(tight).ifPresent(guesses::add);
        if (parts.length == 2) {
            time(parts[1].replaceAll("\\s", "")).ifPresent(time -> guesses.add(parts[0] + ":" + time));
        }
        if (YES.contains(tight)) {
            guesses.addAll(List.of("on", "true"));
        } else if (NO.contains(tight)) {
            guesses.addAll(List.of("off", "false"));
        }
        similar(key, tight).ifPresent(guesses::add);
        return guesses.stream().filter(guess -> isAccepted(key, guess)).findFirst();
    }

    private static boolean isAccepted(SettingKey<?> key, String text) {
        try {
            key.read(text);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static Optional<String> time(String text) {
        return amount(text, MILLIS).map(Duration::ofMillis).map(DurationText::of);
    }

    /** A number times its unit, as {@code 64mb}, {@code 1.5gib}, {@code 64_000} or {@code 10sec}; empty without a whole number. */
    private static Optional<Long> amount(String text, Map<String, Long> units) {
        Matcher amount = AMOUNT.matcher(text);
        if (!amount.matches()) {
            return Optional.empty();
        }
        BigDecimal number = new BigDecimal(amount.group(1).replaceAll("[_,]", ""));
        try {
            return units.entrySet().stream()
                    .filter(unit -> amount.group(2).matches(unit.getKey()))
                    .map(unit ->
                            number.multiply(BigDecimal.valueOf(unit.getValue())).longValueExact())
                    .findFirst();
        } catch (ArithmeticException e) {
            return Optional.empty();
        }
    }

    /** The most similar of the values that stand in the list of accepted ones. A number has no such value. */
    private static Optional<String> similar(SettingKey<?> key, String text) {
        if (Character.isDigit(text.charAt(0))) {
            return Optional.empty();
        }
        List<String> values = Arrays.stream(key.accepted().split("[\\s,;()]+"))
                .filter(value -> isAccepted(key, value))
                .toList();
        return Spelling.nearest(values, text);
    }
}

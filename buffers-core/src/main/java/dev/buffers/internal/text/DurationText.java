// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.text;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as settings spell them: {@code 500ms}, {@code 10s}, {@code 2m}, {@code 1h}, or ISO {@code PT10S}. */
public final class DurationText {

    /** The accepted values, for messages. */
    public static final String ACCEPTED = "a time such as 500ms, 10s, 2m, 1h or PT10S, more than zero";

    private static final Pattern SHORT = Pattern.compile("([0-9]{1,18})(ms|s|m|h)");
    private static final Map<String, ChronoUnit> UNITS =
            Map.of("ms", ChronoUnit.MILLIS, "s", ChronoUnit.SECONDS, "m", ChronoUnit.MINUTES, "h", ChronoUnit.HOURS);
    private static final String TOO_LONG = "is more than 292 years";
    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

    private DurationText() {}

    /** Reads a time of more than zero. */
    public static Duration parse(String text) {
        Duration duration;
        try {
            Matcher matcher = SHORT.matcher(text);
            duration = matcher.matches()
                    ? Duration.of(Long.parseLong(matcher.group(1)), UNITS.get(matcher.group(2)))
                    : Duration.parse(text);
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException("is not a time", e);
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException(TOO_LONG, e);
        }
        if (!inRange(duration)) {
            throw new IllegalArgumentException(duration.compareTo(LONGEST) > 0 ? TOO_LONG : "is zero or negative");
        }
        return duration;
    }

    /** Refuses, with a separate message, a duration that {@link #parse} would not accept. */
    public static Duration checked(Duration duration) {
        if (!inRange(duration)) {
            throw new IllegalArgumentException(
                    "time out of range: duration=" + duration + "; accepted: more than zero, at most " + LONGEST);
        }
        return duration;
    }

    /** Whether the duration is more than zero and its nanoseconds fit a long. */
    private static boolean inRange(Duration duration) {
        return !duration.isZero() && !duration.isNegative() && duration.compareTo(LONGEST) <= 0;
    }

    /** The shortest spelling that {@link #parse} reads back. */
    public static String of(Duration duration) {
        if (!inRange(duration) || duration.toNanosPart() % 1_000_000 != 0) {
            return duration.toString();
        }
        long millis = duration.toMillis();
        if (millis % 1_000 != 0) {
            return millis + "ms";
        }
        long seconds = millis / 1_000;
        if (seconds % 60 != 0) {
            return seconds + "s";
        }
        return seconds % 3_600 != 0 ? seconds / 60 + "m" : seconds / 3_600 + "h";
    }
}

package dev.buffers.internal.settings;

import dev.buffers.internal.text.ByteSize;
import dev.buffers.internal.text.DurationText;
import dev.buffers.internal.text.Spelling;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Guesses which value a refused text was meant to be. A guess is always a text that its key accepts. */
final class Suggestion {
    private static final Pattern AMOUNT = Pattern.compile("([0-9][0-9_,]{0,17}(?:\\.[0-9]{1,3})?)([a-z]*)");
    private static final long DAY = Duration.ofDays(1).toMillis();

    private static final Map<String, List<String>> FLAGS = Map.of(
            "on", List.of("true", "yes", "enabled", "1"),
            "off", List.of("false", "no", "disabled", "0"),
            "true", List.of("on", "yes", "enabled", "1"),
            "false", List.of("off", "no", "disabled", "0"));

    private Suggestion() {}

    static Optional<String> of(SettingKey<?> key, String text) {
        String lower = text.strip().toLowerCase(Locale.ROOT);
        if (lower.isEmpty()) {
            return Optional.empty();
        }
        String tight = lower.replaceAll("\\s", "");
        String coloned = lower.replaceFirst("[\\s=:]+", ":"); // wait 10s, wait=10s
        int colon = coloned.indexOf(':');
        Stream<String> afterColon = colon < 0
                ? Stream.of()
                : time(coloned.substring(colon + 1).replaceAll("\\s", ""))
                        .map(time -> coloned.substring(0, colon + 1) + time)
                        .stream();
        List<String> guesses = Stream.of(
                        Stream.of(tight, tight.replace('_', '-'), coloned),
                        bytes(tight).stream(),
                        time(tight).stream(),
                        afterColon,
                        flag(tight),
                        similar(key, tight))
                .flatMap(each -> each)
                .toList();
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

    /** {@code 64mb}, {@code 1.5gib}, {@code 64_000}, in our spelling. */
    private static Optional<String> bytes(String text) {
        Matcher amount = AMOUNT.matcher(text);
        if (!amount.matches()) {
            return Optional.empty();
        }
        long unit = switch (amount.group(2)) {
            case "", "b", "bytes" -> 1;
            case "k", "kb", "kib" -> ByteSize.KIB;
            case "m", "mb", "mib" -> ByteSize.MIB;
            case "g", "gb", "gib" -> ByteSize.GIB;
            case "t", "tb", "tib" -> 1024 * ByteSize.GIB;
            default -> 0;
        };
        return unit == 0 ? Optional.empty() : exact(amount.group(1), unit).map(ByteSize::text);
    }

    /** {@code 10sec}, {@code 5minutes}, {@code 1d}, or seconds without a unit, in our spelling. */
    private static Optional<String> time(String text) {
        Matcher amount = AMOUNT.matcher(text);
        if (!amount.matches()) {
            return Optional.empty();
        }
        long millis = switch (amount.group(2)) {
            case "ms", "milli", "millis", "msec", "millisecond", "milliseconds" -> 1;
            case "", "s", "sec", "secs", "second", "seconds" -> 1000;
            case "m", "min", "mins", "minute", "minutes" -> 60_000;
            case "h", "hr", "hrs", "hour", "hours" -> 3_600_000;
            case "d", "day", "days" -> DAY;
            default -> 0;
        };
        return millis == 0
                ? Optional.empty()
                : exact(amount.group(1), millis).map(Duration::ofMillis).map(DurationText::of);
    }

    private static Optional<Long> exact(String number, long unit) {
        try {
            return Optional.of(new BigDecimal(number.replaceAll("[_,]", ""))
                    .multiply(BigDecimal.valueOf(unit))
                    .longValueExact());
        } catch (ArithmeticException e) {
            return Optional.empty();
        }
    }

    private static Stream<String> flag(String text) {
        return FLAGS.entrySet().stream()
                .filter(entry -> entry.getValue().contains(text))
                .map(Map.Entry::getKey);
    }

    /** The most similar of the values that stand in the list of accepted ones. A number has no such value. */
    private static Stream<String> similar(SettingKey<?> key, String text) {
        if (Character.isDigit(text.charAt(0))) {
            return Stream.of();
        }
        List<String> values = Arrays.stream(key.accepted().split("[\\s,;()]+"))
                .filter(value -> isAccepted(key, value))
                .toList();
        return Spelling.nearest(values, text).stream();
    }
}

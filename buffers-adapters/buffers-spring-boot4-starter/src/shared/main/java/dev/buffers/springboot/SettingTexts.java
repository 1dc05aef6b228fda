// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.springboot;

import dev.buffers.BufferPool;
import dev.buffers.Exhaustion;
import dev.buffers.LeakTracking;
import dev.buffers.PoolSettings.Collecting;
import dev.buffers.PoolSettings.Freeing;
import dev.buffers.PoolSettings.Zeroing;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.boot.convert.DurationStyle;

/**
 * How the text of each setting is given to a pool's builder: the texts that the system properties take. {@code on} and {@code off} also
 * work as {@code true} and {@code false}, into which YAML turns them. Each throws an {@code IllegalArgumentException}.
 */
final class SettingTexts {
    static final String MAX = "max";

    /** Every setting but {@code max}, which depends on the policy's kind of memory. */
    static final Map<String, BiConsumer<BufferPool.Builder, String>> SETTERS = setters();

    private static final Pattern BYTES = Pattern.compile("([0-9]{1,18})([kKmMgG]?)");
    private static final String WAIT = "wait:";
    private static final String OLDER = "older:";
    private static final String SAMPLE = "sample:[0-9]{1,9}";

    private SettingTexts() {}

    private static Map<String, BiConsumer<BufferPool.Builder, String>> setters() {
        Map<String, BiConsumer<BufferPool.Builder, String>> setters = new LinkedHashMap<>();
        setters.put("policy", BufferPool.Builder::policy);
        setters.put("at-limit", (builder, text) -> builder.atLimit(exhaustion(text)));
        setters.put("region-size", (builder, text) -> builder.regionSize(bytes(text)));
        setters.put("max-size", (builder, text) -> builder.maxSize((int) Math.min(Integer.MAX_VALUE, bytes(text))));
        setters.put("max-input", (builder, text) -> builder.maxInput((int) Math.min(Integer.MAX_VALUE, bytes(text))));
        setters.put("align", (builder, text) -> builder.align((int) Math.min(Integer.MAX_VALUE, bytes(text))));
        setters.put("preallocate", (builder, text) -> builder.preallocate(bytes(text)));
        setters.put("thread-cache", (builder, text) -> builder.threadCache(bytes(text)));
        setters.put("zero", (builder, text) -> builder.zero(choice(Zeroing.values(), text)));
        setters.put("leaks", (builder, text) -> builder.leaks(tracking(text)));
        setters.put("trim-after", SettingTexts::trimAfter);
        setters.put("free", (builder, text) -> builder.free(choice(Freeing.values(), text)));
        setters.put(
                "collect",
                (builder, text) -> builder.collect(
                        text.equals("false")
                                ? Collecting.OFF
                                : choice(Collecting.values(), text))); // what YAML makes of "off"
        setters.put("guard", (builder, text) -> builder.guard(flag(text)));
        setters.put("jmx", (builder, text) -> builder.jmx(flag(text)));
        return setters;
    }

    static long bytes(String text) {
        return bytes(text, "such as 65536, 64k, 4m or 1g");
    }

    /** The setting {@code max} also takes a percentage, which is read elsewhere. */
    static long bytesOfMax(String text) {
        return bytes(text, "such as 65536, 64k, 4m or 1g, or a percentage of the JVM's limit such as 50%");
    }

    private static long bytes(String text, String accepted) {
        Matcher matcher = BYTES.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("not a number of bytes; accepted: " + accepted + DidYouMean.bytes(text));
        }
        int shift = switch (matcher.group(2)) {
            case "k", "K" -> 10;
            case "m", "M" -> 20;
            case "g", "G" -> 30;
            default -> 0;
        };
        try {
            return Math.multiplyExact(Long.parseLong(matcher.group(1)), 1L << shift);
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("more than " + Long.MAX_VALUE + " bytes", e);
        }
    }

    private static Exhaustion exhaustion(String text) {
        if (text.startsWith(WAIT)) {
            return Exhaustion.waiting(duration(text.substring(WAIT.length())));
        }
        return switch (text) {
            case "fail" -> Exhaustion.fail();
            case "unpooled" -> Exhaustion.unpooled();
            default ->
                throw new IllegalArgumentException("accepted: fail, unpooled, or wait:<duration> such as wait:10s");
        };
    }

    static LeakTracking tracking(String text) {
        if (text.startsWith(OLDER)) {
            return LeakTracking.older(duration(text.substring(OLDER.length())));
        }
        if (text.matches(SAMPLE)) {
            return LeakTracking.sample(Integer.parseInt(text.substring(text.indexOf(':') + 1)));
        }
        return switch (text) {
            case "count" -> LeakTracking.count();
            case "all" -> LeakTracking.all();
            default ->
                throw new IllegalArgumentException(
                        "accepted: count, all, sample:<n> such as sample:100, or older:<duration> such as older:30s");
        };
    }

    private static void trimAfter(BufferPool.Builder builder, String text) {
        if (text.equals("off") || text.equals("false")) {
            builder.trimNever();
        } else {
            builder.trimAfter(duration(text));
        }
    }

    private static Duration duration(String text) {
        if (text.isEmpty() || Character.isDigit(text.charAt(text.length() - 1))) {
            throw new IllegalArgumentException("not a time with its unit; accepted: such as 500ms, 10s, 2m or PT10S");
        }
        return DurationStyle.detectAndParse(text);
    }

    private static boolean flag(String text) {
        return switch (text) {
            case "on", "true" -> true;
            case "off", "false" -> false;
            default -> throw new IllegalArgumentException("accepted: true or false, on or off");
        };
    }

    private static <E extends Enum<E>> E choice(E[] values, String text) {
        return Arrays.stream(values)
                .filter(value -> value.toString().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("accepted: " + Arrays.toString(values)));
    }
}

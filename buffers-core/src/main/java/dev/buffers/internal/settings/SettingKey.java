// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.settings;

import dev.buffers.Exhaustion;
import dev.buffers.LeakTracking;
import dev.buffers.PoolSettings.Collecting;
import dev.buffers.PoolSettings.Freeing;
import dev.buffers.PoolSettings.Zeroing;
import dev.buffers.internal.memory.BuiltInPolicy;
import dev.buffers.internal.text.ByteSize;
import dev.buffers.internal.text.DurationText;
import dev.buffers.internal.text.Spelling;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The settings that exist: the name of each, its default, the values it accepts, and the conversion of its text to a value and back.
 *
 * @param <T> the type of its value
 */
public final class SettingKey<T> {

    /** The prefix of all setting names in system properties and in {@code buffers.properties}. */
    static final String PREFIX = "buffers.";

    /** The prefix of all environment variables. */
    static final String VARIABLE_PREFIX = "BUFFERS_";

    /** The name of a setting that is refused since its removal. */
    static final String REMOVED = "leases";

    /** The Spring Boot starter's settings, which no pool reads. */
    static final Set<String> OF_STARTER = Set.of("buffers.spring.enabled", "buffers.server.max-requests");

    /** The same as environment variables, in each of their spellings. */
    static final Set<String> VARIABLES_OF_STARTER =
            Set.of("BUFFERS_SPRING_ENABLED", "BUFFERS_SERVER_MAX_REQUESTS", "BUFFERS_SERVER_MAXREQUESTS");

    private static final String WAIT_PREFIX = "wait:";
    private static final String OLDER_PREFIX = "older:";
    private static final Pattern SAMPLE = Pattern.compile("sample:([0-9]{1,18})");

    /** Declared above the constants: their constructor adds to it. */
    private static final List<SettingKey<?>> DECLARED = new ArrayList<>();

    public static final SettingKey<String> POLICY = new SettingKey<>(
            "policy",
            "direct-view",
            BuiltInPolicy.ALL.stream().map(BuiltInPolicy::name).collect(Collectors.joining(", "))
                    + ", or a name found by ServiceLoader",
            SettingKey::notBlank,
            Function.identity());

    /** What {@code max} is by default where memory is on the heap. */
    static final Ceiling MAX_ON_HEAP = Ceiling.parse("25%");

    /** The default is for direct memory. */
    public static final SettingKey<Ceiling> MAX = new SettingKey<>(
            "max",
            "50%",
            "bytes such as 64m or 64MB, at least " + Ceiling.SMALLEST
                    + ", or a percentage above 0% and up to 100% of the JVM's limit for that memory",
            Ceiling::parse,
            Ceiling::toString);

    public static final SettingKey<Exhaustion> AT_LIMIT = new SettingKey<>(
            "at-limit",
            "fail",
            "fail, unpooled, or wait:<duration> such as wait:500ms, wait:10s, wait:PT10S",
            SettingKey::exhaustion,
            Exhaustion::toString);

    public static final SettingKey<Long> REGION_SIZE = bytes("region-size", "4m", 4 * ByteSize.KIB, ByteSize.GIB);
    public static final SettingKey<Long> MAX_SIZE = bytes("max-size", "256k", ByteSize.KIB, 16 * ByteSize.MIB);
    public static final SettingKey<Long> MAX_INPUT = bytes("max-input", "64k", ByteSize.KIB, 16 * ByteSize.MIB);

    public static final SettingKey<Long> ALIGN = new SettingKey<>(
            "align", "1", "a power of two from 1 to 64k, such as 4k", SettingKey::alignment, ByteSize::text);

    public static final SettingKey<Long> PREALLOCATE = bytes("preallocate", "0", 0, Long.MAX_VALUE);
    public static final SettingKey<Long> THREAD_CACHE = bytes("thread-cache", "4m", 0, Long.MAX_VALUE);
    public static final SettingKey<Zeroing> ZERO = choice("zero", Zeroing.NEVER, Zeroing.values());

    public static final SettingKey<LeakTracking> LEAKS = new SettingKey<>(
            "leaks",
            "count",
            "count, all, sample:<n> with n from 1 to " + Integer.MAX_VALUE
                    + " such as sample:100, or older:<duration> such as older:30s, older:PT30S",
            SettingKey::tracking,
            LeakTracking::toString);

    public static final SettingKey<Optional<Duration>> TRIM_AFTER = new SettingKey<>(
            "trim-after",
            "10s",
            "off, or " + DurationText.ACCEPTED,
            text -> text.equals("off") ? Optional.empty() : Optional.of(DurationText.parse(text)),
            idle -> idle.map(DurationText::of).orElse("off"));

    public static final SettingKey<Freeing> FREE = choice("free", Freeing.GC, Freeing.values());
    public static final SettingKey<Collecting> COLLECT = choice("collect", Collecting.AUTO, Collecting.values());
    public static final SettingKey<Boolean> GUARD = flag("guard", "on", "off");
    public static final SettingKey<Boolean> JMX = flag("jmx", "true", "false");

    /** Every setting, in the order in which they are documented and printed: that of the constants above. */
    public static final List<SettingKey<?>> ALL = List.copyOf(DECLARED);

    private final String name;
    private final String defaultText;
    private final String accepted;
    private final Function<String, T> reader;
    private final Function<T, String> writer;

    /**
     * Declares a setting.
     *
     * @param reader throws an {@code IllegalArgumentException} with a message that continues "the value ..."
     * @param writer makes the text that {@code reader} turns into this value
     */
    private SettingKey(
            String name, String defaultText, String accepted, Function<String, T> reader, Function<T, String> writer) {
        this.name = name;
        this.defaultText = defaultText;
        this.accepted = accepted;
        this.reader = reader;
        this.writer = writer;
        DECLARED.add(this);
    }

    /** Whether there is such a policy is checked when a pool is created. */
    private static String notBlank(String text) {
        if (text.isBlank()) {
            throw new IllegalArgumentException("is blank");
        }
        return text;
    }

    private static Exhaustion exhaustion(String text) {
        return text.startsWith(WAIT_PREFIX)
                ? Exhaustion.waiting(DurationText.parse(text.substring(WAIT_PREFIX.length())))
                : among(List.of(Exhaustion.fail(), Exhaustion.unpooled()), Exhaustion::toString, text);
    }

    private static LeakTracking tracking(String text) {
        if (text.startsWith(OLDER_PREFIX)) {
            return LeakTracking.older(DurationText.parse(text.substring(OLDER_PREFIX.length())));
        }
        Matcher sample = SAMPLE.matcher(text);
        if (!sample.matches()) {
            return among(List.of(LeakTracking.count(), LeakTracking.all()), LeakTracking::toString, text);
        }
        long every = Long.parseLong(sample.group(1));
        if (every < 1 || every > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("is out of range");
        }
        return LeakTracking.sample((int) every);
    }

    private static long alignment(String text) {
        long bytes = ByteSize.parse(text, 1, 64 * ByteSize.KIB);
        if (Long.bitCount(bytes) != 1) {
            throw new IllegalArgumentException("is not a power of two");
        }
        return bytes;
    }

    /** The value that is written as this text. */
    private static <T> T among(List<T> values, Function<T, String> writer, String text) {
        return values.stream()
                .filter(value -> writer.apply(value).equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("is none of the choices"));
    }

    private static SettingKey<Long> bytes(String name, String defaultText, long least, long most) {
        String range =
                most == Long.MAX_VALUE ? least + " or more" : ByteSize.text(least) + " to " + ByteSize.text(most);
        return new SettingKey<>(
                name,
                defaultText,
                "bytes, " + range + " (units: k, m, g or kB, MB, GB, of 1024 each)",
                text -> ByteSize.parse(text, least, most),
                ByteSize::text);
    }

    private static SettingKey<Boolean> flag(String name, String yes, String no) {
        return choice(name, no, List.of(true, false), value -> value ? yes : no);
    }

    private static <E extends Enum<E>> SettingKey<E> choice(String name, E usual, E[] values) {
        return choice(name, usual.toString(), List.of(values), Enum::toString);
    }

    private static <T> SettingKey<T> choice(String name, String usual, List<T> values, Function<T, String> writer) {
        String accepted = values.stream().map(writer).collect(Collectors.joining(" or "));
        return new SettingKey<>(name, usual, accepted, text -> among(values, writer, text), writer);
    }

    /** The setting with this name, such as {@code max-size}. */
    public static Optional<SettingKey<?>> named(String name) {
        return ALL.stream().filter(key -> key.name.equals(name)).findFirst();
    }

    /** The setting most similar to the misspelt {@code name}, if any is similar enough. */
    public static Optional<SettingKey<?>> nearest(String name) {
        return Spelling.nearest(ALL.stream().map(SettingKey::name).toList(), name)
                .flatMap(SettingKey::named);
    }

    /** The names of all settings, for messages. */
    public static String names() {
        return ALL.stream().map(SettingKey::name).collect(Collectors.joining(", "));
    }

    /** What the variables of this pool alone begin with. */
    static String variablePrefix(String pool) {
        return VARIABLE_PREFIX + inVariable(pool) + "_";
    }

    /** A pool's name or a key as it stands in a variable's name: every other character than a letter or a digit becomes an underscore. */
    static String inVariable(String name) {
        return name.toUpperCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N}]", "_");
    }

    /** How an environment variable with this setting ends: {@code MAX_SIZE}, or {@code MAXSIZE}, as Spring Boot spells it. */
    List<String> variables() {
        String usual = inVariable(name);
        return List.of(usual, usual.replace("_", ""));
    }

    /** Such as {@code max-size}. */
    public String name() {
        return name;
    }

    public String defaultText() {
        return defaultText;
    }

    /** The accepted values, for messages. */
    public String accepted() {
        return accepted;
    }

    /** The name of the setting for all pools, such as {@code buffers.max-size}. */
    public String property() {
        return PREFIX + name;
    }

    public T read(String text) {
        return reader.apply(text);
    }

    public String write(T value) {
        return writer.apply(value);
    }

    @Override
    public String toString() {
        return property();
    }
}

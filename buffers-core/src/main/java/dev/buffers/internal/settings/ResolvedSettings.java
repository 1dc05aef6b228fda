// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.settings;

import dev.buffers.BufferPolicy;
import dev.buffers.Exhaustion;
import dev.buffers.LeakTracking;
import dev.buffers.internal.memory.ArenaMemory;
import dev.buffers.internal.memory.BuiltInPolicy;
import dev.buffers.internal.memory.DirectLimit;
import dev.buffers.internal.memory.MemoryRoom;
import dev.buffers.internal.signals.PlacedSettings;
import dev.buffers.internal.text.ByteSize;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The settings of one pool, read, checked and completed.
 *
 * <p>Immutable, for any thread.
 *
 * @param all every setting, in the order of the keys
 */
public record ResolvedSettings(
        String name,
        String keyName,
        BufferPolicy policy,
        long maxBytes,
        boolean sharesDefaultBudget,
        Exhaustion atLimit,
        long regionSize,
        int maxSize,
        int maxInput,
        int align,
        long preallocate,
        long threadCache,
        Zeroing zero,
        LeakTracking leaks,
        Optional<Duration> trimAfter,
        Freeing free,
        Collecting collect,
        boolean guard,
        boolean jmx,
        List<Setting<?>> all)
        implements PlacedSettings {

    private ResolvedSettings(String name, String keyName, BufferPolicy policy, List<Setting<?>> all) {
        this(
                name,
                keyName,
                policy,
                in(all, SettingKey.MAX).value().bytes(),
                in(all, SettingKey.MAX).isDefault(),
                in(all, SettingKey.AT_LIMIT).value(),
                in(all, SettingKey.REGION_SIZE).value(),
                Math.toIntExact(in(all, SettingKey.MAX_SIZE).value()),
                Math.toIntExact(in(all, SettingKey.MAX_INPUT).value()),
                Math.toIntExact(in(all, SettingKey.ALIGN).value()),
                in(all, SettingKey.PREALLOCATE).value(),
                in(all, SettingKey.THREAD_CACHE).value(),
                in(all, SettingKey.ZERO).value(),
                in(all, SettingKey.LEAKS).value(),
                in(all, SettingKey.TRIM_AFTER).value(),
                in(all, SettingKey.FREE).value(),
                in(all, SettingKey.COLLECT).value(),
                in(all, SettingKey.GUARD).value(),
                in(all, SettingKey.JMX).value(),
                all);
    }

    @SuppressWarnings("unchecked") // each is where its key is
    private static <T> Setting<T> in(List<Setting<?>> all, SettingKey<T> key) {
        return (Setting<T>) all.get(SettingKey.ALL.indexOf(key));
    }

    /** Reads the settings of a pool that is being created. */
    public static ResolvedSettings resolve(String pool, ExplicitSettings explicit) {
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        ClassLoader ours = ResolvedSettings.class.getClassLoader();
        Map<String, String> systemProperties = SettingsFile.texts(System.getProperties());
        Map<String, String> environment = System.getenv();
        ResolvedSettings settings = resolve(
                pool,
                explicit,
                systemProperties,
                environment,
                Stream.of(context, ours).filter(Objects::nonNull).distinct().toArray(ClassLoader[]::new));
        NearMisses.warn(pool, systemProperties, environment);
        if (settings.policy.direct()) {
            MemoryRoom.check(pool, settings.maxBytes);
        }
        return settings;
    }

    /**
     * Reads the settings from the given system properties, environment and class loaders.
     *
     * @throws IllegalArgumentException with the setting, its value, where it came from and what would be accepted
     */
    public static ResolvedSettings resolve(
            String pool,
            ExplicitSettings explicit,
            Map<String, String> systemProperties,
            Map<String, String> environment,
            ClassLoader... loaders) {
        List<ClassLoader> all = List.of(loaders);
        SettingsSource source =
                new SettingsSource(pool, explicit, systemProperties, environment, SettingsFile.find(all));
        // A policy object given to the builder is used, even if there are other policies with its name.
        BufferPolicy policy =
                explicit.policy().orElseGet(() -> new PolicyLookup(all).find(source.get(SettingKey.POLICY)));
        source.put(inBytes(source.get(SettingKey.MAX), policy.direct()));
        Setting<Long> align = source.get(SettingKey.ALIGN);
        if (align.value() > 1 && !policy.direct()) {
            throw align.refused(
                    "is for direct memory, and policy=" + policy.name() + " is not",
                    "1, or policy=direct-view or direct with it");
        }
        source.put(inGranules(source.get(SettingKey.REGION_SIZE), granule(source)));
        fit(source, SettingKey.MAX_SIZE, SettingKey.REGION_SIZE, true);
        fit(source, SettingKey.MAX_INPUT, SettingKey.MAX_SIZE, false);
        checkFree(source.get(SettingKey.FREE), policy);
        Setting<Ceiling> max = source.get(SettingKey.MAX);
        if (max.value().bytes() < granule(source)) {
            throw max.refused("holds no buffer of the smallest size", "at least " + granule(source) + " bytes");
        }
        Setting<Long> preallocate = source.get(SettingKey.PREALLOCATE);
        if (preallocate.value() > max.value().bytes()) {
            throw preallocate.refused("is more than " + max, "at most max");
        }
        return new ResolvedSettings(pool, pool, policy, source.all());
    }

    /** Turns {@code max} into bytes; if not set, it is half of the direct limit or a quarter of the heap. */
    private static Setting<Ceiling> inBytes(Setting<Ceiling> max, boolean direct) {
        Ceiling ceiling = max.isDefault() && !direct ? SettingKey.MAX_ON_HEAP : max.value();
        if (!ceiling.percent()) {
            return max;
        }
        long limit = direct ? DirectLimit.limit() : Runtime.getRuntime().maxMemory();
        String share = ceiling + " of the JVM's " + ByteSize.text(limit) + (direct ? " of direct memory" : " of heap");
        if (direct && ceiling.of(limit) < Ceiling.SMALLEST) {
            throw max.refused(
                    "holds no buffer of the smallest size, since the JVM allows " + ByteSize.text(limit)
                            + " of direct memory (-XX:MaxDirectMemorySize)",
                    "more than that, or policy=heap-view or heap");
        }
        String note = max.isDefault() ? share + ", shared by all such pools that set no max" : share;
        return max.adjusted(Ceiling.ofBytes(ceiling.of(limit)), note);
    }

    /**
     * {@code part} must not exceed {@code whole}: adjusts that of them which is a default, {@code whole} only if it may; or else throws.
     */
    private static void fit(SettingsSource source, SettingKey<Long> part, SettingKey<Long> whole, boolean raises) {
        Setting<Long> smaller = source.get(part);
        Setting<Long> larger = source.get(whole);
        if (smaller.value() <= larger.value()) {
            return;
        }
        if (smaller.isDefault()) {
            source.put(smaller.adjusted(larger.value(), "lowered to " + whole.name()));
        } else if (raises && larger.isDefault()) {
            source.put(inGranules(larger.adjusted(smaller.value(), "raised to " + part.name()), granule(source)));
        } else {
            throw smaller.refused("is more than " + larger, "at most " + whole.name());
        }
    }

    /** The bytes of the smallest slot, of which those of every other slot are a multiple. */
    private static long granule(SettingsSource source) {
        return Math.max(Ceiling.SMALLEST, source.get(SettingKey.ALIGN).value());
    }

    /** Rounds up, so that a region is filled by slots of each class up to its size. */
    private static Setting<Long> inGranules(Setting<Long> bytes, long granule) {
        long rounded = bytes.value() + granule - 1 & -granule;
        return rounded == bytes.value() ? bytes : bytes.adjusted(rounded, "rounded up to a multiple of " + granule);
    }

    private static void checkFree(Setting<Freeing> free, BufferPolicy policy) {
        if (free.value() != Freeing.PROMPT) {
            return;
        }
        if (!ArenaMemory.available()) {
            throw free.refused("needs Java 22 or later, and this is " + Runtime.version(), "gc");
        }
        if (!(policy instanceof BuiltInPolicy) || !policy.direct()) {
            throw free.refused(
                    "is for direct memory of our own, and policy=" + policy.name() + " is not",
                    "gc, or policy=direct-view or direct with it");
        }
    }

    @Override
    public String where(String key) {
        return placeOf(key, "");
    }

    @Override
    public String where(String key, String value) {
        return placeOf(key, "=" + value);
    }

    private String placeOf(String key, String value) {
        SettingKey<?> known = SettingKey.named(key).orElseThrow();
        return in(all, known).where("-D" + SettingKey.PREFIX + keyName + "." + key, value);
    }

    /** The same settings for a pool that has another name, because the wanted one was in use. */
    public ResolvedSettings named(String other) {
        return new ResolvedSettings(other, keyName, policy, all);
    }

    @Override
    public String toString() {
        String head = "pool " + name + (name.equals(keyName) ? "" : ", with the keys of " + keyName);
        return all.stream().map(Setting::toString).collect(Collectors.joining("\n", head + "\n", ""));
    }
}

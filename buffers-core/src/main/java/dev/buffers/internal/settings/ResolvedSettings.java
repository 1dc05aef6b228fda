package dev.buffers.internal.settings;

import dev.buffers.BufferPolicy;
import dev.buffers.Exhaustion;
import dev.buffers.LeakTracking;
import dev.buffers.PoolSettings;
import dev.buffers.internal.memory.ArenaMemory;
import dev.buffers.internal.memory.BuiltInPolicy;
import dev.buffers.internal.memory.DirectLimit;
import dev.buffers.internal.memory.MemoryRoom;
import dev.buffers.internal.text.ByteSize;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reads, checks and completes the settings of one pool.
 *
 * <p>Immutable, for any thread.
 */
public final class ResolvedSettings implements PoolSettings {
    private final String name;
    private final BufferPolicy policy;
    private final boolean sharesDefaultBudget;
    private final SettingMap settings = new SettingMap();

    private ResolvedSettings(String name, BufferPolicy policy, SettingsSource source) {
        this.name = name;
        this.policy = policy;
        SettingKey.ALL.forEach(key -> settings.put(source.get(key)));
        this.sharesDefaultBudget = setting(SettingKey.MAX).isDefault();
        settings.put(inBytes(setting(SettingKey.MAX), policy.direct()));
        fitMaxSizeIntoRegion();
        checkFree();
        if (preallocate() > maxBytes()) {
            throw setting(SettingKey.PREALLOCATE).refused("is more than " + setting(SettingKey.MAX), "at most max");
        }
    }

    /** Reads the settings of a pool that is being created. */
    public static ResolvedSettings resolve(String pool, ExplicitSettings explicit) {
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        ClassLoader ours = ResolvedSettings.class.getClassLoader();
        Map<String, String> systemProperties = SettingsSource.systemProperties();
        Map<String, String> environment = System.getenv();
        ResolvedSettings settings = resolve(
                pool,
                explicit,
                systemProperties,
                environment,
                Stream.of(context, ours).filter(Objects::nonNull).distinct().toArray(ClassLoader[]::new));
        NearMisses.warn(pool, systemProperties, environment);
        if (settings.policy.direct()) {
            MemoryRoom.check(pool, settings.maxBytes());
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
        return new ResolvedSettings(pool, policy, source);
    }

    /** Turns {@code max} into bytes; if not set, it is half of the direct limit or a quarter of the heap. */
    private static Setting<Ceiling> inBytes(Setting<Ceiling> max, boolean direct) {
        Ceiling ceiling = max.isDefault() && !direct ? SettingKey.MAX_ON_HEAP : max.value();
        if (!ceiling.percent()) {
            return max;
        }
        long limit = direct ? DirectLimit.limit() : Runtime.getRuntime().maxMemory();
        String share = ceiling + " of the JVM's " + ByteSize.text(limit) + (direct ? " of direct memory" : " of heap");
        String note = max.isDefault() ? share + ", shared by all such pools that set no max" : share;
        return max.adjusted(Ceiling.ofBytes(ceiling.of(limit)), note);
    }

    /** Adjusts a setting that is a default to the other one; throws when both were set. */
    private void fitMaxSizeIntoRegion() {
        Setting<Long> region = setting(SettingKey.REGION_SIZE);
        Setting<Long> size = setting(SettingKey.MAX_SIZE);
        if (size.value() <= region.value()) {
            return;
        }
        if (size.isDefault()) {
            settings.put(size.adjusted(region.value(), "lowered to region-size"));
        } else if (region.isDefault()) {
            settings.put(region.adjusted(size.value(), "raised to max-size"));
        } else {
            throw size.refused("is more than " + region, "at most region-size");
        }
    }

    private void checkFree() {
        if (free() != Freeing.PROMPT) {
            return;
        }
        if (!ArenaMemory.available()) {
            throw setting(SettingKey.FREE).refused("needs Java 22 or later, and this is " + Runtime.version(), "gc");
        } else if (!(policy instanceof BuiltInPolicy) || !policy.direct()) {
            throw setting(SettingKey.FREE)
                    .refused(
                            "is for direct memory of our own, and policy=" + policy.name() + " is not",
                            "gc, or policy=direct-view or direct with it");
        }
    }

    private <T> Setting<T> setting(SettingKey<T> key) {
        return settings.get(key).orElseThrow();
    }

    private <T> T value(SettingKey<T> key) {
        return setting(key).value();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public BufferPolicy policy() {
        return policy;
    }

    @Override
    public long maxBytes() {
        return value(SettingKey.MAX).bytes();
    }

    @Override
    public boolean sharesDefaultBudget() {
        return sharesDefaultBudget;
    }

    @Override
    public Exhaustion atLimit() {
        return value(SettingKey.AT_LIMIT);
    }

    @Override
    public long regionSize() {
        return value(SettingKey.REGION_SIZE);
    }

    @Override
    public int maxSize() {
        return Math.toIntExact(value(SettingKey.MAX_SIZE));
    }

    @Override
    public long preallocate() {
        return value(SettingKey.PREALLOCATE);
    }

    @Override
    public long threadCache() {
        return value(SettingKey.THREAD_CACHE);
    }

    @Override
    public LeaseMode leases() {
        return value(SettingKey.LEASES);
    }

    @Override
    public Zeroing zero() {
        return value(SettingKey.ZERO);
    }

    @Override
    public LeakTracking leaks() {
        return value(SettingKey.LEAKS);
    }

    @Override
    public Optional<Duration> trimAfter() {
        return value(SettingKey.TRIM_AFTER);
    }

    @Override
    public Freeing free() {
        return value(SettingKey.FREE);
    }

    @Override
    public boolean guard() {
        return value(SettingKey.GUARD);
    }

    @Override
    public boolean jmx() {
        return value(SettingKey.JMX);
    }

    /** Policy, cap, and every other setting that is no default, each with where it comes from. */
    public String inOneLine() {
        return settings.stream()
                .filter(setting ->
                        !setting.isDefault() || setting.key() == SettingKey.POLICY || setting.key() == SettingKey.MAX)
                .map(Setting::toString)
                .collect(Collectors.joining(", "));
    }

    @Override
    public String toString() {
        return settings.stream().map(Setting::toString).collect(Collectors.joining("\n", "pool " + name + "\n", ""));
    }
}

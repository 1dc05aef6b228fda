package dev.buffers;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What one pool was told, and by whom: the outcome of its builder, the system properties, the file
 * {@code buffers.properties} and the defaults, in this order. {@link #toString} prints every value with where it came
 * from.
 *
 * <p>Immutable, for any thread. Everything is read when the pool is created; what changes in the system properties
 * later has no effect on it. The accessors look values up in a map: read them once, not for every buffer.
 */
public final class PoolSettings {

    /** How the object that stands for a lease is made: the setting {@code leases}. */
    public enum LeaseMode {
        /** A new object for every lease, so that a stale one is dead for ever. */
        FRESH,
        /** The slot's own object, again and again: no garbage, but a late call may end the next holder's lease. */
        RECYCLED;

        /** The setting's text. */
        @Override
        public String toString() {
            return lowerCase(this);
        }
    }

    /** When memory is overwritten with zeros, so that no holder sees another's bytes: the setting {@code zero}. */
    public enum Zeroing {
        /** Not at all. */
        NEVER,
        /** As it is released: nothing stays readable in free memory. */
        RELEASE,
        /** As it is acquired: the whole buffer is zero, whoever wrote into it since. */
        ACQUIRE;

        /** The setting's text. */
        @Override
        public String toString() {
            return lowerCase(this);
        }
    }

    /** How a region's memory goes back to the system: the setting {@code free}. */
    public enum Freeing {
        /** The collector takes it once nothing reaches it. */
        GC,
        /** At once, from an arena of its own; Java 22 and later. */
        PROMPT;

        /** The setting's text. */
        @Override
        public String toString() {
            return lowerCase(this);
        }
    }

    private final String name;
    private final BufferPolicy policy;
    private final boolean sharesDefaultBudget;
    private final SettingMap settings = new SettingMap();

    private PoolSettings(String name, BufferPolicy policy, SettingsSource source) {
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
    static PoolSettings resolve(String pool, ExplicitSettings explicit) {
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        ClassLoader ours = PoolSettings.class.getClassLoader();
        return resolve(
                pool,
                explicit,
                SettingsSource.systemProperties(),
                Stream.of(context, ours).filter(Objects::nonNull).distinct().toArray(ClassLoader[]::new));
    }

    /**
     * The same, from system properties and class loaders of the caller's choice.
     *
     * @throws IllegalArgumentException naming the setting, its value, where it came from and what would be accepted
     */
    static PoolSettings resolve(
            String pool, ExplicitSettings explicit, Map<String, String> systemProperties, ClassLoader... loaders) {
        List<ClassLoader> all = List.of(loaders);
        SettingsSource source = new SettingsSource(pool, explicit, systemProperties, SettingsFile.find(all));
        // A policy given by the builder is the policy, whatever others of its name there are.
        BufferPolicy policy =
                explicit.policy().orElseGet(() -> new PolicyLookup(all).find(source.get(SettingKey.POLICY)));
        return new PoolSettings(pool, policy, source);
    }

    /** Turns {@code max} into bytes; unset, it is half of the direct limit or a quarter of the heap. */
    private static Setting<Ceiling> inBytes(Setting<Ceiling> max, boolean direct) {
        Ceiling ceiling = max.isDefault() && !direct ? Ceiling.parse("25%") : max.value();
        if (!ceiling.percent()) {
            return max;
        }
        long limit = direct ? DirectLimit.limit() : Runtime.getRuntime().maxMemory();
        String share = ceiling + " of the JVM's " + ByteSize.text(limit) + (direct ? " of direct memory" : " of heap");
        String note = max.isDefault() ? share + ", shared by all such pools that set no max" : share;
        return max.adjusted(Ceiling.ofBytes(ceiling.of(limit)), note);
    }

    /** Whichever of the two nobody set gives way to the other. */
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

    private static String lowerCase(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /**
     * The pool's name, without dots or white space.
     *
     * @return the name under which its own settings were looked up
     */
    public String name() {
        return name;
    }

    /**
     * Which memory, and how it is cut; {@code direct-view} unless set.
     *
     * @return the policy itself
     */
    public BufferPolicy policy() {
        return policy;
    }

    /**
     * The cap. Unless set, half of the JVM's limit for direct memory or a quarter of the heap, by the policy.
     *
     * @return bytes, at least 1
     */
    public long maxBytes() {
        return value(SettingKey.MAX).bytes();
    }

    /**
     * Whether nobody set {@code max}. All pools of which this is true share one budget for each kind of memory, of
     * {@link #maxBytes} in all.
     *
     * @return true when the cap is not this pool's own
     */
    public boolean sharesDefaultBudget() {
        return sharesDefaultBudget;
    }

    /**
     * What happens at the cap; {@code fail} unless set.
     *
     * @return the way of an acquire for which there is no room
     */
    public Exhaustion atLimit() {
        return value(SettingKey.AT_LIMIT);
    }

    /**
     * The size of a large region; the first ones may be smaller.
     *
     * @return bytes, from 4 KiB to 1 GiB
     */
    public long regionSize() {
        return value(SettingKey.REGION_SIZE);
    }

    /**
     * The largest size that is pooled; what is larger gets a region of its own.
     *
     * @return bytes, from 1 KiB to 16 MiB, at most {@link #regionSize}
     */
    public int maxSize() {
        return Math.toIntExact(value(SettingKey.MAX_SIZE));
    }

    /**
     * What the pool reserves when it is created and never trims away; 0 unless set.
     *
     * @return bytes, at most {@link #maxBytes}
     */
    public long preallocate() {
        return value(SettingKey.PREALLOCATE);
    }

    /** Of that what the policy has a use for: one that does not cut views could not know which sizes to keep. */
    long preallocatedBytes() {
        return policy.views() ? preallocate() : 0;
    }

    /**
     * What one thread may keep for itself.
     *
     * @return bytes; 0 when threads keep nothing
     */
    public long threadCache() {
        return value(SettingKey.THREAD_CACHE);
    }

    /**
     * How leases are made; {@code fresh} unless set.
     *
     * @return the mode
     */
    public LeaseMode leases() {
        return value(SettingKey.LEASES);
    }

    /**
     * When memory is zeroed; {@code never} unless set.
     *
     * @return the moment
     */
    public Zeroing zero() {
        return value(SettingKey.ZERO);
    }

    /**
     * What is remembered of leases; {@code count} unless set.
     *
     * @return the tracking
     */
    public LeakTracking leaks() {
        return value(SettingKey.LEAKS);
    }

    /**
     * How long memory stays unused before it goes back; 10 seconds unless set.
     *
     * @return the idle time, or nothing when memory is not trimmed
     */
    public Optional<Duration> trimAfter() {
        return value(SettingKey.TRIM_AFTER);
    }

    /**
     * How memory goes back; {@code gc} unless set.
     *
     * @return the way
     */
    public Freeing free() {
        return value(SettingKey.FREE);
    }

    /**
     * Whether misuse is hunted at a price; not unless set.
     *
     * @return true for {@code guard=on}
     */
    public boolean guard() {
        return value(SettingKey.GUARD);
    }

    /**
     * Whether the pool registers a JMX bean; not unless set.
     *
     * @return true for {@code jmx=true}
     */
    public boolean jmx() {
        return value(SettingKey.JMX);
    }

    /** Every setting, one a line, each with where it came from, as in {@code max=64m (-Dbuffers.web.max)}. */
    @Override
    public String toString() {
        return settings.stream().map(Setting::toString).collect(Collectors.joining("\n", "pool " + name + "\n", ""));
    }
}

package dev.buffers.internal.settings;

import dev.buffers.BufferPolicy;
import dev.buffers.Exhaustion;
import dev.buffers.LeakTracking;
import dev.buffers.PoolSettings;
import dev.buffers.internal.memory.BuiltInPolicy;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The settings given to a pool's builder; they override all others. Each value is written as text and read back at once, so that a bad
 * value fails in the call that gave it, by the same rules and with the same message as on the command line.
 *
 * <p>For one thread.
 */
public final class ExplicitSettings {

    private final SettingMap settings = new SettingMap();
    private @Nullable BufferPolicy policy;

    /** Sets a policy by its name; it is looked up when the pool is created. */
    public void policy(String name) {
        put(SettingKey.POLICY, name);
        policy = null;
    }

    /** Sets a user's own policy. Its name must not be that of a built-in policy: metrics could not distinguish the two. */
    public void policy(BufferPolicy own) {
        String name = PolicyLookup.checkedName(given(SettingKey.POLICY, own));
        if (!(own instanceof BuiltInPolicy) && BuiltInPolicy.named(name).isPresent()) {
            throw new IllegalArgumentException("policy by a built-in name: "
                    + own.getClass().getName() + ".name()=" + name + "; accepted: another name");
        }
        put(SettingKey.POLICY, name);
        policy = own;
    }

    public void maxBytes(long bytes) {
        put(SettingKey.MAX, Ceiling.ofBytes(bytes));
    }

    public void atLimit(Exhaustion exhaustion) {
        put(SettingKey.AT_LIMIT, exhaustion);
    }

    public void regionSize(long bytes) {
        put(SettingKey.REGION_SIZE, bytes);
    }

    public void maxSize(int bytes) {
        put(SettingKey.MAX_SIZE, (long) bytes);
    }

    public void preallocate(long bytes) {
        put(SettingKey.PREALLOCATE, bytes);
    }

    public void threadCache(long bytes) {
        put(SettingKey.THREAD_CACHE, bytes);
    }

    public void leases(PoolSettings.LeaseMode mode) {
        put(SettingKey.LEASES, mode);
    }

    public void zero(PoolSettings.Zeroing when) {
        put(SettingKey.ZERO, when);
    }

    public void leaks(LeakTracking tracking) {
        put(SettingKey.LEAKS, tracking);
    }

    public void trimAfter(Duration idle) {
        put(SettingKey.TRIM_AFTER, Optional.of(given(SettingKey.TRIM_AFTER, idle)));
    }

    /** Sets {@code trim-after=off}. */
    public void trimNever() {
        put(SettingKey.TRIM_AFTER, Optional.empty());
    }

    public void free(PoolSettings.Freeing how) {
        put(SettingKey.FREE, how);
    }

    public void guard(boolean on) {
        put(SettingKey.GUARD, on);
    }

    public void jmx(boolean on) {
        put(SettingKey.JMX, on);
    }

    private <T> void put(SettingKey<T> key, T value) {
        settings.put(Setting.ofBuilder(key, key.write(given(key, value))));
    }

    /** Returns the value, or throws when it is null: some callers have no nullness checks. */
    private static <V> V given(SettingKey<?> key, @Nullable V value) {
        if (value == null) {
            throw new NullPointerException("missing value: " + key + "=null; accepted: " + key.accepted());
        }
        return value;
    }

    /** A copy of the settings given so far. */
    SettingMap settings() {
        return settings.copy();
    }

    /** The policy if it was given as an object, not by name. */
    Optional<BufferPolicy> policy() {
        return Optional.ofNullable(policy);
    }
}

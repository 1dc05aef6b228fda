package dev.buffers.internal.settings;

import dev.buffers.BufferPolicy;
import dev.buffers.BufferPool;
import dev.buffers.Exhaustion;
import dev.buffers.LeakReport;
import dev.buffers.LeakTracking;
import dev.buffers.PoolSettings;
import dev.buffers.internal.memory.BuiltInPolicy;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The settings given to a pool's builder; they override all others. Each value is written as text and read back at once, so that a bad
 * value fails in the call that gave it, by the same rules and with the same message as on the command line.
 *
 * <p>For one thread.
 */
public abstract class ExplicitSettings implements BufferPool.Builder {

    private final SettingMap settings = new SettingMap();
    private @Nullable BufferPolicy policy;
    private @Nullable Consumer<LeakReport> onLeak;

    @Override
    public ExplicitSettings policy(String name) {
        put(SettingKey.POLICY, name);
        policy = null;
        return this;
    }

    @Override
    public ExplicitSettings policy(BufferPolicy own) {
        String name = PolicyLookup.checkedName(given(SettingKey.POLICY, own));
        if (!(own instanceof BuiltInPolicy) && BuiltInPolicy.named(name).isPresent()) {
            throw new IllegalArgumentException("policy by a built-in name: "
                    + own.getClass().getName() + ".name()=" + name + "; accepted: another name");
        }
        put(SettingKey.POLICY, name);
        policy = own;
        return this;
    }

    @Override
    public ExplicitSettings max(long bytes) {
        put(SettingKey.MAX, Ceiling.ofBytes(bytes));
        return this;
    }

    @Override
    public ExplicitSettings atLimit(Exhaustion exhaustion) {
        put(SettingKey.AT_LIMIT, exhaustion);
        return this;
    }

    @Override
    public ExplicitSettings regionSize(long bytes) {
        put(SettingKey.REGION_SIZE, bytes);
        return this;
    }

    @Override
    public ExplicitSettings maxSize(int bytes) {
        put(SettingKey.MAX_SIZE, (long) bytes);
        return this;
    }

    @Override
    public ExplicitSettings preallocate(long bytes) {
        put(SettingKey.PREALLOCATE, bytes);
        return this;
    }

    @Override
    public ExplicitSettings threadCache(long bytes) {
        put(SettingKey.THREAD_CACHE, bytes);
        return this;
    }

    @Override
    public ExplicitSettings leases(PoolSettings.LeaseMode mode) {
        put(SettingKey.LEASES, mode);
        return this;
    }

    @Override
    public ExplicitSettings zero(PoolSettings.Zeroing when) {
        put(SettingKey.ZERO, when);
        return this;
    }

    @Override
    public ExplicitSettings leaks(LeakTracking tracking) {
        put(SettingKey.LEAKS, tracking);
        return this;
    }

    @Override
    public ExplicitSettings trimAfter(Duration idle) {
        put(SettingKey.TRIM_AFTER, Optional.of(given(SettingKey.TRIM_AFTER, idle)));
        return this;
    }

    @Override
    public ExplicitSettings trimNever() {
        put(SettingKey.TRIM_AFTER, Optional.empty());
        return this;
    }

    @Override
    public ExplicitSettings free(PoolSettings.Freeing how) {
        put(SettingKey.FREE, how);
        return this;
    }

    @Override
    public ExplicitSettings guard(boolean on) {
        put(SettingKey.GUARD, on);
        return this;
    }

    @Override
    public ExplicitSettings jmx(boolean on) {
        put(SettingKey.JMX, on);
        return this;
    }

    @Override
    public ExplicitSettings onLeak(Consumer<LeakReport> listener) {
        onLeak = Objects.requireNonNull(listener, "listener");
        return this;
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

    /** The leak listener; null without one. */
    protected @Nullable Consumer<LeakReport> leakListener() {
        return onLeak;
    }
}

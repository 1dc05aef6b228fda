// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.settings;

import dev.buffers.BufferPolicy;
import dev.buffers.BufferPool;
import dev.buffers.Exhaustion;
import dev.buffers.LeakReport;
import dev.buffers.LeakTracking;
import dev.buffers.PoolSettings;
import dev.buffers.internal.memory.BuiltInPolicy;
import dev.buffers.internal.text.Spelling;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The settings given to a pool's builder; they override all others. Each value is written as text and read back at once, so that a bad
 * value fails in the call that gave it, by the same rules and with the same message as on the command line.
 *
 * <p>For one thread.
 */
public class ExplicitSettings implements BufferPool.Builder {

    private final String name;
    private final BiFunction<ResolvedSettings, @Nullable Consumer<LeakReport>, BufferPool> opener;
    private final Map<SettingKey<?>, Setting<?>> settings = new LinkedHashMap<>();
    private boolean forServer;
    private @Nullable BufferPolicy policy;
    private @Nullable Consumer<LeakReport> onLeak;

    /** Builds pools with this name. The {@code opener} gets a leak listener or null. */
    public ExplicitSettings(
            String name, BiFunction<ResolvedSettings, @Nullable Consumer<LeakReport>, BufferPool> opener) {
        this.name = name;
        this.opener = opener;
    }

    @Override
    public ExplicitSettings policy(String policyName) {
        put(SettingKey.POLICY, policyName);
        policy = null;
        return this;
    }

    @Override
    public ExplicitSettings policy(BufferPolicy own) {
        String itsName = PolicyLookup.checkedName(given(SettingKey.POLICY, own));
        if (!(own instanceof BuiltInPolicy) && BuiltInPolicy.named(itsName).isPresent()) {
            throw new IllegalArgumentException("policy by a built-in name: "
                    + own.getClass().getName() + ".name()=" + itsName + "; accepted: another name");
        }
        put(SettingKey.POLICY, itsName);
        policy = own;
        return this;
    }

    @Override
    public ExplicitSettings max(long bytes) {
        return put(SettingKey.MAX, Ceiling.ofBytes(bytes));
    }

    @Override
    public ExplicitSettings atLimit(Exhaustion exhaustion) {
        return put(SettingKey.AT_LIMIT, exhaustion);
    }

    @Override
    public ExplicitSettings forServer() {
        forServer = true;
        return this;
    }

    @Override
    public ExplicitSettings regionSize(long bytes) {
        return put(SettingKey.REGION_SIZE, bytes);
    }

    @Override
    public ExplicitSettings maxSize(int bytes) {
        return put(SettingKey.MAX_SIZE, (long) bytes);
    }

    @Override
    public ExplicitSettings maxInput(int bytes) {
        return put(SettingKey.MAX_INPUT, (long) bytes);
    }

    @Override
    public ExplicitSettings align(int bytes) {
        return put(SettingKey.ALIGN, (long) bytes);
    }

    @Override
    public ExplicitSettings preallocate(long bytes) {
        return put(SettingKey.PREALLOCATE, bytes);
    }

    @Override
    public ExplicitSettings threadCache(long bytes) {
        return put(SettingKey.THREAD_CACHE, bytes);
    }

    @Override
    public ExplicitSettings zero(PoolSettings.Zeroing when) {
        return put(SettingKey.ZERO, when);
    }

    @Override
    public ExplicitSettings leaks(LeakTracking tracking) {
        return put(SettingKey.LEAKS, tracking);
    }

    @Override
    public ExplicitSettings trimAfter(Duration idle) {
        return put(SettingKey.TRIM_AFTER, Optional.of(given(SettingKey.TRIM_AFTER, idle)));
    }

    @Override
    public ExplicitSettings trimNever() {
        return put(SettingKey.TRIM_AFTER, Optional.empty());
    }

    @Override
    public ExplicitSettings free(PoolSettings.Freeing how) {
        return put(SettingKey.FREE, how);
    }

    @Override
    public ExplicitSettings collect(PoolSettings.Collecting when) {
        return put(SettingKey.COLLECT, when);
    }

    @Override
    public ExplicitSettings guard(boolean on) {
        return put(SettingKey.GUARD, on);
    }

    @Override
    public ExplicitSettings jmx(boolean on) {
        return put(SettingKey.JMX, on);
    }

    @Override
    public ExplicitSettings onLeak(Consumer<LeakReport> listener) {
        onLeak = Objects.requireNonNull(listener, "listener");
        return this;
    }

    @Override
    public ExplicitSettings set(String key, String text, String property, String place) {
        SettingKey<?> known = SettingKey.named(key)
                .orElseThrow(() -> new IllegalArgumentException("unknown key: " + key + "=" + text + " (from " + place
                        + ")" + Spelling.didYouMean(SettingKey.nearest(key).map(SettingKey::name)) + "; accepted: "
                        + SettingKey.names()));
        if (property.isBlank() || place.isBlank() || Setting.isReserved(place)) {
            throw new IllegalArgumentException("bad place: property=" + property + ", place=" + place
                    + "; accepted: the name and the place of a setting in a configuration");
        }
        settings.put(known, Setting.read(known, property, text, place));
        if (known == SettingKey.POLICY) {
            policy = null;
        }
        return this;
    }

    @Override
    public BufferPool build() {
        return opener.apply(ResolvedSettings.resolve(name, this), onLeak);
    }

    private <T> ExplicitSettings put(SettingKey<T> key, T value) {
        settings.put(key, Setting.ofBuilder(key, key.write(given(key, value))));
        return this;
    }

    /** Returns the value, or throws when it is null: some callers have no nullness checks. */
    private static <V> V given(SettingKey<?> key, @Nullable V value) {
        if (value == null) {
            throw new NullPointerException("missing value: " + key + "=null; accepted: " + key.accepted());
        }
        return value;
    }

    /** The settings given so far. */
    Map<SettingKey<?>, Setting<?>> settings() {
        return settings;
    }

    /** Whether the defaults are those of a server's own pool. */
    boolean isForServer() {
        return forServer;
    }

    /** The policy if it was given as an object, not by name. */
    Optional<BufferPolicy> policy() {
        return Optional.ofNullable(policy);
    }
}

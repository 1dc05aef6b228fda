package dev.buffers.internal.pool;

import dev.buffers.BufferPolicy;
import dev.buffers.BufferPool;
import dev.buffers.Exhaustion;
import dev.buffers.LeakReport;
import dev.buffers.LeakTracking;
import dev.buffers.PoolSettings;
import dev.buffers.internal.settings.ExplicitSettings;
import dev.buffers.internal.settings.ResolvedSettings;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The builder of the pools in this package. One thread at a time, as {@link BufferPool.Builder} says. */
final class PoolBuilder implements BufferPool.Builder {
    private final String name;
    private final ExplicitSettings settings = new ExplicitSettings();
    private @Nullable Consumer<LeakReport> onLeak;

    PoolBuilder(String name) {
        this.name = name;
    }

    @Override
    public PoolBuilder policy(String policy) {
        settings.policy(policy);
        return this;
    }

    @Override
    public PoolBuilder policy(BufferPolicy policy) {
        settings.policy(policy);
        return this;
    }

    @Override
    public PoolBuilder max(long bytes) {
        settings.maxBytes(bytes);
        return this;
    }

    @Override
    public PoolBuilder atLimit(Exhaustion exhaustion) {
        settings.atLimit(exhaustion);
        return this;
    }

    @Override
    public PoolBuilder regionSize(long bytes) {
        settings.regionSize(bytes);
        return this;
    }

    @Override
    public PoolBuilder maxSize(int bytes) {
        settings.maxSize(bytes);
        return this;
    }

    @Override
    public PoolBuilder preallocate(long bytes) {
        settings.preallocate(bytes);
        return this;
    }

    @Override
    public PoolBuilder threadCache(long bytes) {
        settings.threadCache(bytes);
        return this;
    }

    @Override
    public PoolBuilder leases(PoolSettings.LeaseMode mode) {
        settings.leases(mode);
        return this;
    }

    @Override
    public PoolBuilder zero(PoolSettings.Zeroing when) {
        settings.zero(when);
        return this;
    }

    @Override
    public PoolBuilder leaks(LeakTracking tracking) {
        settings.leaks(tracking);
        return this;
    }

    @Override
    public PoolBuilder onLeak(Consumer<LeakReport> listener) {
        onLeak = Objects.requireNonNull(listener, "listener");
        return this;
    }

    @Override
    public PoolBuilder trimAfter(Duration idle) {
        settings.trimAfter(idle);
        return this;
    }

    @Override
    public PoolBuilder trimNever() {
        settings.trimNever();
        return this;
    }

    @Override
    public PoolBuilder free(PoolSettings.Freeing how) {
        settings.free(how);
        return this;
    }

    @Override
    public PoolBuilder guard(boolean on) {
        settings.guard(on);
        return this;
    }

    @Override
    public PoolBuilder jmx(boolean on) {
        settings.jmx(on);
        return this;
    }

    @Override
    public BufferPool build() {
        return SlabPool.open(ResolvedSettings.resolve(name, settings), onLeak);
    }
}

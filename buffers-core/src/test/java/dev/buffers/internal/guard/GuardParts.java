// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.guard;

import dev.buffers.PoolStats;
import dev.buffers.PooledBuffer;
import dev.buffers.internal.memory.Budget;
import dev.buffers.internal.settings.ExplicitSettings;
import dev.buffers.internal.settings.ResolvedSettings;
import dev.buffers.internal.signals.Callbacks;
import dev.buffers.internal.signals.PoolName;
import dev.buffers.internal.signals.PoolState;
import dev.buffers.internal.slab.SizeClasses;
import dev.buffers.support.Explicit;
import java.lang.ref.ReferenceQueue;
import java.nio.ByteBuffer;
import java.util.Map;

/** What a test must see of a guarded pool, and its store without the pool. */
public final class GuardParts extends PoolState {
    final SizeClasses classes = SizeClasses.of(settings());
    final Budget budget = new Budget(settings().maxBytes());
    final Findings findings = new Findings(this);
    final BlockStore blocks = new BlockStore(this, findings, classes, budget);

    GuardParts(String policy, long max) {
        this(new Explicit().policy(policy).max(max));
    }

    private GuardParts(ExplicitSettings settings) {
        super(PoolName.of("guard-parts"), ResolvedSettings.resolve("guard-parts", settings, Map.of(), Map.of()), 60);
        ownedName().free();
    }

    /** The memory of an open lease, which later leases may get. */
    public static Object block(PooledBuffer lease) {
        return ((GuardedBuffer) lease).tenancy.block;
    }

    /** A tenancy that no store knows. */
    static Tenancy tenancy(int capacity) {
        Tenancy.Owner owner = new Tenancy.Owner() {
            @Override
            public String name() {
                return "guard-parts";
            }

            @Override
            public void takeBack(Tenancy ended, boolean discards) {
                throw new UnsupportedOperationException();
            }

            @Override
            public IllegalStateException ended(Tenancy tenancy, boolean release) {
                throw new UnsupportedOperationException();
            }
        };
        return new Tenancy(
                owner, new Block(0, capacity), capacity, ByteBuffer.allocate(capacity), new ReferenceQueue<>());
    }

    Block take(int size) {
        int row = classes.classOf(size);
        return blocks.take(row, classes.sizeOf(row), true);
    }

    @Override
    public PoolStats stats() {
        return blocks.stats(0, Map.of(), Map.of());
    }

    @Override
    public long tick(long now) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void call(Callbacks.Callback callback) {
        callbacks().call(callback);
    }
}

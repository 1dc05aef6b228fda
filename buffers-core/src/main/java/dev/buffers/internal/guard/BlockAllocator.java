// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.guard;

import dev.buffers.BufferPolicy;
import dev.buffers.internal.memory.ArenaMemory;
import dev.buffers.internal.memory.Budget;
import dev.buffers.internal.memory.BuiltInPolicy;
import dev.buffers.internal.memory.DirectLimit;
import dev.buffers.internal.memory.Footprint;
import dev.buffers.internal.memory.PolicyMemory;
import dev.buffers.internal.signals.FlightEvents;
import dev.buffers.internal.signals.PoolState;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Charges and allocates the memory of blocks, and keeps why it was refused last.
 *
 * <p>Any thread, with no lock held: a policy is the user's code.
 */
final class BlockAllocator {
    private static final long DIRECT_LIMIT = DirectLimit.limit();

    private final PoolState pool;
    private final BufferPolicy policy;
    private final Budget budget;
    private final boolean arenas;
    private final int fence;
    private volatile String refusal = "nothing was refused";

    /** Whether it was because of the JVM's limit for direct memory. */
    private volatile boolean refusedByTheJvm;

    BlockAllocator(PoolState pool, Budget budget) {
        this.pool = pool;
        this.policy = pool.settings().policy();
        this.budget = budget;
        this.arenas = arenas(policy);
        this.fence = policy.views() && !policy.direct() ? Block.FENCE : 0;
    }

    /** Whether each block has an arena, which serves one lease. */
    static boolean arenas(BufferPolicy policy) {
        return policy.direct() && ArenaMemory.available();
    }

    String refusal() {
        return refusal;
    }

    boolean wasRefusedByTheJvm() {
        return refusedByTheJvm;
    }

    /** Charges so many bytes; false at the cap. */
    boolean charge(int bytes) {
        if (budget.tryCharge(bytes)) {
            return true;
        }
        refusal = "the cap is reached";
        refusedByTheJvm = false;
        return false;
    }

    /** Allocates the memory of a charged block, and returns the view to lend; null when the JVM has no memory for it. */
    @Nullable ByteBuffer allocate(Block block, Footprint.Owner owner) {
        ArenaMemory arena = null;
        ByteBuffer view = null;
        try {
            if (arenas) {
                arena = new ArenaMemory();
                ByteBuffer made = arena.allocate(block.bytes);
                block.charged(made, arena, budget, owner);
                view = made;
            } else {
                ByteBuffer base = memory(block.bytes);
                if (base != null) {
                    block.allocated(base, base.capacity() == block.bytes ? 0 : fence);
                    block.charged(base, null, budget, owner);
                    view = block.view();
                }
            }
        } catch (OutOfMemoryError e) {
            refuse(e);
        } finally {
            if (view == null && arena != null && !block.isCharged()) {
                arena.tryClose();
            }
        }
        if (view != null) {
            FlightEvents.regionReserved(pool.name(), policy.name(), block.bytes, false);
        }
        return view;
    }

    /** Memory with its fences; null at the JVM's limit for direct memory. */
    private @Nullable ByteBuffer memory(int capacity) {
        int length = capacity > Integer.MAX_VALUE - 4 * Block.FENCE ? capacity : capacity + 2 * fence;
        if (policy.direct() && policy.countsAsDirect() && DirectLimit.used() + length > DIRECT_LIMIT) {
            refusal = "the JVM's limit for direct memory is reached: used=" + DirectLimit.used() + ", limit="
                    + DIRECT_LIMIT;
            refusedByTheJvm = true;
            return null;
        }
        return policy instanceof BuiltInPolicy ? policy.allocate(length) : PolicyMemory.allocate(pool, policy, length);
    }

    /** A block of heap memory beyond the cap, for one lease; null without heap. */
    @Nullable Block beyond(int row, int size) {
        try {
            Block block = new Block(row, 0);
            block.capacity = size;
            block.allocated(ByteBuffer.allocate(size), 0);
            return block;
        } catch (OutOfMemoryError e) {
            refuse(e);
            return null;
        }
    }

    private void refuse(OutOfMemoryError why) {
        refusedByTheJvm = false;
        try {
            refusal = "the JVM is out of memory: " + why.getMessage();
        } catch (OutOfMemoryError e) {
            refusal = "the JVM is out of memory";
        }
    }
}

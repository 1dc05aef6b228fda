// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.guard;

import dev.buffers.internal.failsafe.IntrusiveList;
import dev.buffers.internal.memory.Region;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Memory for one lease at a time, which is poisoned while it is free; or the charge for memory that is not allocated yet.
 *
 * <p>The thread that holds it (for a lease, or to look at it) uses its memory; the lock of {@link BlockStore} guards the rest.
 */
final class Block {
    /*
     *     FENCE bytes         capacity         FENCE bytes
     *   +--------------+-------------------+--------------+----------------+
     *   |  0xCA ...    |  lent memory      |  0xCA ...    |  0xDB ...      |     views of heap memory; the others have no fences
     *   +--------------+-------------------+--------------+----------------+
     *
     * Free, all of it is 0xDB.
     */
    static final int FENCE = 64;

    /** What {@link #changedAt} and {@link #overrunAt} return when nothing has changed. */
    static final int NOWHERE = Integer.MIN_VALUE;

    private static final byte[] POISON = filled(0xDB);
    private static final byte[] CANARY = filled(0xCA);

    final IntrusiveList.Link<Block> link = new IntrusiveList.Link<>(this);

    /** Of the lease that has it, or had it last. */
    int capacity;

    /** Since when it is not leased. */
    long since;

    /** The bytes that are charged for it before its allocation. */
    int charge;

    private @Nullable Region region;

    /** The base of all views; null for an arena, before its allocation, and once the block was dropped. */
    private @Nullable ByteBuffer memory;

    private int fence;

    /** The last tenancy on it; null while it was never released. */
    private @Nullable Tenancy last;

    /** Without memory yet. */
    Block(int capacity) {
        this.capacity = capacity;
    }

    private static byte[] filled(int value) {
        byte[] row = new byte[4096];
        Arrays.fill(row, (byte) value);
        return row;
    }

    /** Gives it this memory. */
    Block in(Region its) {
        ByteBuffer base = inArena(its);
        memory = base;
        fence = (base.capacity() - its.bytes()) / 2;
        last = its.footprints() == 0 ? null : (Tenancy) its.footprint(0).note;
        return this;
    }

    /** Gives it the memory of an arena, and returns the buffer to lend. It is not kept: the collector tells when no view of it is left. */
    ByteBuffer inArena(Region its) {
        region = its;
        return its.handOut();
    }

    boolean hasMemory() {
        return memory != null;
    }

    boolean hasRegion() {
        return region != null;
    }

    Region region() {
        return Objects.requireNonNull(region);
    }

    /** The bytes that are charged, without the fences. */
    int bytes() {
        return region().bytes();
    }

    /** Whether it is beyond the cap, for one lease. */
    boolean isBeyond() {
        return region != null && region.charge == Region.Charge.NONE;
    }

    @Nullable Tenancy last() {
        return last;
    }

    /** Leaves the memory to the collector, and what is known of it to the next block that has it. */
    void forget() {
        if (region().footprints() > 0) {
            region().footprint(0).note = last;
        }
        memory = null;
    }

    /** A new view of the part that is lent, between new fences. */
    ByteBuffer view() {
        ByteBuffer all = all();
        fill(all, 0, fence, CANARY);
        fill(all, fence + capacity, fence, CANARY);
        return capacity == all.capacity() ? all.duplicate() : all.slice(fence, capacity);
    }

    /** The first changed byte of the fences, counted from the lent part's end if it is behind, from its start, negative, if before. */
    int overrunAt() {
        int behind = firstChanged(fence + capacity, fence, CANARY[0]);
        int before = firstChanged(0, fence, CANARY[0]);
        return behind >= 0 ? behind : before >= 0 ? before - fence : NOWHERE;
    }

    /** Overwrites all of it, after this lease. */
    void poison(@Nullable Tenancy tenancy) {
        ByteBuffer all = all();
        fill(all, 0, all.capacity(), POISON);
        last = tenancy;
    }

    /** The first byte that was changed since it was poisoned, counted from the start of the lent memory; repairs it. */
    int changedAt() {
        ByteBuffer all = all();
        int at = last == null ? -1 : firstChanged(0, all.capacity(), POISON[0]);
        if (at >= 0) {
            fill(all, 0, all.capacity(), POISON);
        }
        return at >= 0 ? at - fence : NOWHERE;
    }

    private ByteBuffer all() {
        ByteBuffer present = memory;
        if (present == null) {
            throw new IllegalStateException("block has no memory: capacity=" + capacity);
        }
        return present;
    }

    /** Allocates nothing. Uses the capacity, whatever position and limit are, so the buffer must be clear. */
    private static void fill(ByteBuffer all, int from, int length, byte[] row) {
        int at = from;
        for (int left = length; left > 0; ) {
            int n = Math.min(left, row.length);
            all.put(at, row, 0, n);
            at += n;
            left -= n;
        }
    }

    /** The first byte that is not {@code expected}, counted from {@code from}; -1 without any. Allocates nothing. */
    private int firstChanged(int from, int length, byte expected) {
        ByteBuffer all = all();
        long eight = (expected & 0xFFL) * 0x0101_0101_0101_0101L;
        int end = from + length;
        int at = from;
        while (at <= end - Long.BYTES && all.getLong(at) == eight) {
            at += Long.BYTES;
        }
        while (at < end && all.get(at) == expected) {
            at++;
        }
        return at < end ? at - from : -1;
    }
}

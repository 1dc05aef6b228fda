// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.guard;

import dev.buffers.internal.failsafe.IntrusiveList;
import dev.buffers.internal.memory.ArenaMemory;
import dev.buffers.internal.memory.Budget;
import dev.buffers.internal.memory.Footprint;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Memory for one lease at a time, which is poisoned while it is free. The memory of an arena serves one lease only.
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
    private static final byte[] ZERO = filled(0);

    /** Where it is. */
    enum Place {
        LEASED,
        ASIDE,
        FREE,
        DROPPED,
        GONE
    }

    /** By size class; that of oversize memory is the last. */
    final int row;

    /** Charged to the budget, without the fences. */
    final int bytes;

    final IntrusiveList.Link<Block> link = new IntrusiveList.Link<>(this);
    Place place = Place.GONE;

    /** Of the lease that has it, or had it last. */
    int lentRow;

    int capacity;

    /** Since when it is not leased. */
    long since;

    private @Nullable Charge charge;

    /** The base of all views; null for an arena, before its allocation, and once the block was dropped. */
    private @Nullable ByteBuffer memory;

    private int fence;

    /** The last lease on it; null while it was never released. */
    private @Nullable Tenancy last;

    Block(int row, int bytes) {
        this.row = row;
        this.bytes = bytes;
        this.lentRow = row;
        this.capacity = bytes;
    }

    private static byte[] filled(int value) {
        byte[] row = new byte[4096];
        Arrays.fill(row, (byte) value);
        return row;
    }

    boolean hasMemory() {
        return memory != null;
    }

    /** Whether it was charged to a budget; that beyond the cap never is. */
    boolean isCharged() {
        return charge != null;
    }

    @Nullable Tenancy last() {
        return last;
    }

    /** Gives it its memory. */
    void allocated(ByteBuffer its, int fences) {
        memory = its;
        fence = fences;
    }

    /** Has the budget keep its bytes charged until this memory, or {@code arena}, is gone. */
    void charged(ByteBuffer its, @Nullable ArenaMemory arena, Budget budget, Footprint.Owner owner) {
        charge = new Charge(this, its, arena, budget, owner);
        budget.track(charge);
    }

    /** Null before its allocation, and for memory beyond the cap. */
    @Nullable Charge charge() {
        return charge;
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
            throw new IllegalStateException("block has no memory: bytes=" + bytes);
        }
        return present;
    }

    static void zero(ByteBuffer view) {
        fill(view, 0, view.capacity(), ZERO);
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

    // ---------------------------------------------------------------- the end of its memory

    /** Leaves the memory to the collector. */
    void forget() {
        memory = null;
    }

    /** Takes it back from the collector, if that has not begun to take it. */
    boolean adopt() {
        memory = charge == null ? null : charge.memory();
        return memory != null;
    }

    /** Its charge, as its budget keeps it. Refers weakly to the block, because the budget may outlive the pool. */
    static final class Charge extends Footprint {
        private final WeakReference<Block> block;

        private Charge(Block block, ByteBuffer memory, @Nullable ArenaMemory arena, Budget budget, Owner owner) {
            super(memory, block.bytes, arena, budget.collected, owner);
            this.block = new WeakReference<>(block);
        }

        @Nullable Block block() {
            return block.get();
        }
    }
}

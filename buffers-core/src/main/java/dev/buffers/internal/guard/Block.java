// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.guard;

import dev.buffers.internal.failsafe.IntrusiveList;
import dev.buffers.internal.memory.Region;
import dev.buffers.internal.signals.WaitQueue;
import dev.buffers.internal.slab.SizeClasses;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Memory for one lease at a time, which is poisoned while it is free; or the charge for memory that is not allocated yet.
 *
 * <p>The thread that holds it (for a lease, or to look at it) uses its memory; the lock of {@link BlockStore} guards the rest.
 */
final class Block implements WaitQueue.Room {
    /*
     *     FENCE bytes         capacity         FENCE bytes
     *   +--------------+-------------------+--------------+----------------+
     *   |  0xCA ...    |  lent memory      |  0xCA ...    |  0xDB ...      |     views of heap memory; the others have no fences
     *   +--------------+-------------------+--------------+----------------+
     *
     * Aside or dropped, all of it is 0xDB.
     */
    static final int FENCE = 64;

    /** What {@link #changedAt} and {@link #overrunAt} return when nothing has changed. */
    static final int NOWHERE = Integer.MIN_VALUE;

    private static final byte POISON = (byte) 0xDB;
    private static final byte CANARY = (byte) 0xCA;

    final IntrusiveList.Link<Block> link = new IntrusiveList.Link<>(this);

    /** The next of several that one thread holds. */
    @Nullable Block next;

    /** Of the lease that has it, or had it last. */
    int capacity;

    int sizeClass = SizeClasses.OVERSIZE;

    /** Since when it is not leased. */
    long since;

    /** The bytes that are charged for it before its allocation. */
    int charge;

    private @Nullable Region region;

    /** The base of all views; null for an arena, before its allocation, and once the block was dropped. */
    private @Nullable ByteBuffer memory;

    private int fence;

    /** Whether a view of it was made since it was poisoned. */
    private boolean lent;

    /** The last tenancy on it; null while it was never released. */
    @Nullable Tenancy last;

    /** Without memory yet. */
    Block(int capacity) {
        this.capacity = capacity;
    }

    /** Gives it this memory. */
    Block in(Region its) {
        region = its;
        ByteBuffer base = its.handOut();
        memory = base;
        fence = (base.capacity() - its.bytes()) / 2;
        last = its.footprints() == 0 ? null : (Tenancy) its.footprint(0).note;
        return this;
    }

    /** Gives it the memory of an arena. Its buffer is not kept once it is lent: the collector tells when no view of it is left. */
    void inArena(Region its) {
        region = its;
    }

    @Override
    public int sizeClass() {
        return sizeClass;
    }

    @Override
    public int size() {
        return capacity;
    }

    /** Its tenancy begins when it is lent. False of a charge, of which a wake-up is notified: a thread needs memory. */
    @Override
    public boolean begin() {
        return hasRegion();
    }

    @Override
    public void link(WaitQueue.@Nullable Room after) {
        next = (Block) after;
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

    /** Leaves the memory to the collector, and its last tenancy to the next block that has it. */
    void forget() {
        if (region().footprints() > 0) {
            region().footprint(0).note = last;
        }
        memory = null;
    }

    /** A new view of the part that is lent, between new fences. */
    ByteBuffer view() {
        lent = true;
        fill(0, fence, CANARY);
        fill(fence + capacity, fence, CANARY);
        return capacity == all().capacity() ? all().duplicate() : all().slice(fence, capacity);
    }

    /** The first changed byte of the fences, counted from the lent part's end if it is behind, from its start, negative, if before. */
    int overrunAt() {
        int behind = firstChanged(fence + capacity, fence, CANARY);
        int before = firstChanged(0, fence, CANARY);
        return behind >= 0 ? behind : before >= 0 ? before - fence : NOWHERE;
    }

    /** Overwrites all of it, after this lease. */
    void poison(@Nullable Tenancy tenancy) {
        fill(0, all().capacity(), POISON);
        last = tenancy;
        lent = false;
    }

    /** Overwrites all of it if a view of it was made, and returns that. Otherwise a write to it stays there to be found. */
    boolean restore() {
        boolean was = lent;
        if (was) {
            poison(last);
        }
        return was;
    }

    /** The first byte that was changed since it was poisoned, counted from the start of the lent memory; repairs it. */
    int changedAt() {
        int at = last == null ? -1 : firstChanged(0, all().capacity(), POISON);
        if (at >= 0) {
            fill(0, all().capacity(), POISON);
        }
        return at >= 0 ? at - fence : NOWHERE;
    }

    private ByteBuffer all() {
        return Objects.requireNonNull(memory);
    }

    private void fill(int from, int length, byte value) {
        ByteBuffer all = all();
        for (int at = from; at < from + length; at++) {
            all.put(at, value);
        }
    }

    /** The first byte that is not {@code expected}, counted from {@code from}; -1 without any. */
    private int firstChanged(int from, int length, byte expected) {
        ByteBuffer all = all();
        int at = from;
        while (at < from + length && all.get(at) == expected) {
            at++;
        }
        return at < from + length ? at - from : -1;
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.guard;

import dev.buffers.AcquireOutcome;
import dev.buffers.BufferPolicy;
import dev.buffers.PoolStats;
import dev.buffers.ReleaseOutcome;
import dev.buffers.internal.failsafe.IntrusiveList;
import dev.buffers.internal.guard.Block.Place;
import dev.buffers.internal.memory.Budget;
import dev.buffers.internal.memory.BuiltInPolicy;
import dev.buffers.internal.memory.Footprint;
import dev.buffers.internal.signals.FlightEvents;
import dev.buffers.internal.signals.PoolState;
import dev.buffers.internal.slab.SizeClasses;
import dev.buffers.internal.upkeep.Healing;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a guarded pool, whether leased, kept aside, free or dropped, and the open tenancies.
 *
 * <p>Any thread. One lock; memory is allocated, poisoned, closed and reported without it. Only the look at a block that leaves ASIDE is
 * under it.
 */
final class BlockStore implements Footprint.Owner, Healing.Memory {
    /*
     *   charge --> LEASED --poison--> ASIDE --oldest first, still poison?--> FREE --> DROPPED --the collector--> GONE, credited
     *                 ^  |                                                     |         |
     *                 |  `---- arena closed --> GONE, credited                 |         |
     *                 `--------------------------- lent again -----------------'---------'
     *
     * An arena that an I/O is using, lost and discarded memory are DROPPED and never lent again. Memory of the policy `unpooled` is
     * credited when it leaves ASIDE. Fences are outside the cap.
     */
    private static final int MOST_ASIDE = 4096;

    private final PoolState pool;
    private final Findings findings;
    private final SizeClasses classes;
    private final BufferPolicy policy;
    private final Budget budget;
    private final boolean arenas;
    private final boolean reuses;
    private final BlockAllocator allocator;

    private final IntrusiveList<Tenancy> open = new IntrusiveList<>();
    private final IntrusiveList<Block> aside = new IntrusiveList<>();
    private final IntrusiveList<Block>[] free;
    private final IntrusiveList<Block>[] dropped;

    /** Lost and discarded memory, and arenas that an I/O is using. */
    private final IntrusiveList<Block> retired = new IntrusiveList<>();

    private final BlockFigures figures;

    BlockStore(PoolState pool, Findings findings, SizeClasses classes, Budget budget) {
        this.pool = pool;
        this.findings = findings;
        this.classes = classes;
        this.policy = pool.settings().policy();
        this.budget = budget;
        this.arenas = BlockAllocator.arenas(policy);
        this.reuses = BuiltInPolicy.pools(policy);
        this.allocator = new BlockAllocator(pool, budget);
        this.free = lists(classes.count() + 1);
        this.dropped = lists(classes.count() + 1);
        this.figures = new BlockFigures(classes);
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static IntrusiveList<Block>[] lists(int rows) {
        IntrusiveList<Block>[] lists = new IntrusiveList[rows];
        Arrays.setAll(lists, row -> new IntrusiveList<>());
        return lists;
    }

    String refusal() {
        return allocator.refusal();
    }

    // ---------------------------------------------------------------- places, under the lock

    private void move(Block block, Place to, @Nullable IntrusiveList<Block> list) {
        figures.count(block, -1);
        block.link.leave();
        block.since = block.place == Place.LEASED ? System.nanoTime() : block.since;
        block.place = to;
        if (list != null) {
            list.add(block.link);
        }
        figures.count(block, 1);
    }

    private @Nullable Block lendAgain(IntrusiveList<Block>[] lists, int row, int capacity, boolean larger) {
        for (int r = row; r < (larger ? lists.length : row + 1); r++) {
            for (IntrusiveList.Link<Block> link = lists[r].first(); link != null; link = link.next()) {
                Block block = link.it;
                boolean suits = larger ? block.bytes >= capacity : block.bytes == capacity;
                if (suits && (block.hasMemory() || block.adopt())) {
                    block.lentRow = row;
                    block.capacity = capacity;
                    move(block, Place.LEASED, null);
                    return block;
                }
            }
        }
        return null;
    }

    // ---------------------------------------------------------------- to a lease

    /** Free memory of that capacity, or the charge for new memory; null at the cap. The caller calls {@link #lend} or {@link #giveBack}. */
    @Nullable Block take(int row, int capacity, boolean grow) {
        synchronized (this) {
            Block again = lendAgain(free, row, capacity, false);
            again = again != null ? again : lendAgain(dropped, row, capacity, false);
            if (again != null) {
                return again;
            }
        }
        if (!grow) {
            return null;
        }
        Block made = new Block(row, capacity);
        if (!allocator.charge(capacity)) {
            return null;
        }
        synchronized (this) {
            move(made, Place.LEASED, null);
        }
        return made;
    }

    /** Free memory of a larger capacity, of which a part is lent; null without any, or when the policy allows no views. */
    synchronized @Nullable Block takeLarger(int row, int capacity) {
        if (!policy.views()) {
            return null;
        }
        Block block = lendAgain(free, row, capacity, true);
        return block != null ? block : lendAgain(dropped, row, capacity, true);
    }

    /** The view to lend of a block that was taken; allocates it if it is new. Null when the JVM has no memory for it. */
    @Nullable ByteBuffer lend(Block block) {
        if (block.hasMemory()) {
            reportWrite(block.last(), block.changedAt());
            return block.view();
        }
        return allocator.allocate(block, this);
    }

    /** Heap memory beyond the cap, for one lease; null without heap. */
    @Nullable Block beyond(int size) {
        Block block = allocator.beyond(classes.count(), size);
        if (block != null) {
            synchronized (this) {
                move(block, Place.LEASED, null);
            }
        }
        return block;
    }

    /** Adds an open tenancy; false when the pool is closed by now. */
    synchronized boolean begin(Tenancy tenancy) {
        if (pool.isClosed()) {
            return false;
        }
        open.add(tenancy.link);
        return true;
    }

    // ---------------------------------------------------------------- from a lease

    /** Takes back a block that was taken, and is lent to no lease. */
    void giveBack(Block block) {
        if (block.hasMemory() && block.isCharged()) {
            block.poison(block.last());
            boolean kept;
            synchronized (this) {
                kept = freeOrDrop(block);
            }
            if (!kept) {
                afterDrop(block);
            }
        } else if (!block.isCharged()) {
            retire(block);
            budget.credit(block.bytes);
        } else if (!end(block)) {
            retire(block);
        }
    }

    /** Takes back the memory of a tenancy that has ended. False when an I/O is still using it. */
    boolean takeBack(Tenancy tenancy, Block block, boolean discards) {
        boolean returned = true;
        if (!block.hasMemory()) { // an arena
            returned = end(block);
        } else if (!discards) {
            block.poison(tenancy.trace);
        }
        boolean kept;
        synchronized (this) {
            open.remove(tenancy.link);
            tenancy.block = null;
            kept = block.place == Place.LEASED && !discards && block.hasMemory() && block.isCharged();
            if (kept) {
                move(block, Place.ASIDE, aside);
            } else {
                retire(block);
            }
        }
        if (!kept) {
            noteDropped(block);
        }
        while (isAsideFull() && leaveOldest()) {
            // and the next
        }
        return returned;
    }

    /**
     * With the lock held: a block of a size class may be lent again; an oversize one has a size that is rarely wanted. False when it was
     * dropped: then the caller calls {@link #afterDrop} without the lock.
     */
    private boolean freeOrDrop(Block block) {
        if (reuses && block.row < classes.count() && !pool.isClosed()) {
            move(block, Place.FREE, free[block.row]);
            return true;
        }
        drop(block);
        return false;
    }

    /** Gives up the memory of a leased block, which is never used again. */
    private synchronized void retire(Block block) {
        if (block.place == Place.LEASED) {
            block.forget();
            move(block, block.isCharged() ? Place.DROPPED : Place.GONE, block.isCharged() ? retired : null);
        }
    }

    private synchronized boolean isAsideFull() {
        return aside.size() > MOST_ASIDE || figures.bytes(Place.ASIDE) > budget.max() / 8 || pool.isClosed();
    }

    /** Ends the time aside of the oldest block, after a look at it. False when none is aside. */
    boolean leaveOldest() {
        return leaveAside(System.nanoTime()) >= 0;
    }

    /** The same of a block released before that time. Returns the bytes that were dropped; less than 0 without such a block. */
    private long leaveAside(long before) {
        Block block;
        Trace culprit;
        int at;
        boolean kept;
        synchronized (this) {
            block = aside.peek();
            if (block == null || block.since - before > 0) {
                return -1;
            }
            culprit = block.last();
            at = block.changedAt(); // under the lock, so that no thread finds the block neither here nor there
            kept = freeOrDrop(block);
        }
        reportWrite(culprit, at);
        return kept ? 0 : afterDrop(block);
    }

    private void reportWrite(@Nullable Trace culprit, int at) {
        if (culprit != null && at != Block.NOWHERE) {
            findings.report(Findings.Kind.WRITE_AFTER_RELEASE, culprit, new Throwable("found here, at offset " + at));
        }
    }

    /** Looks at the fences of a block whose last lease is just ending. */
    void checkFences(Tenancy tenancy, Block block) {
        int at = block.hasMemory() ? block.overrunAt() : Block.NOWHERE;
        if (at != Block.NOWHERE) {
            findings.report(
                    at < 0 ? Findings.Kind.UNDERRUN : Findings.Kind.OVERRUN,
                    tenancy.trace,
                    new Throwable("found here, " + Math.abs(at) + " bytes " + (at < 0 ? "before" : "behind")
                            + " the buffer"));
        }
    }

    private void noteDropped(Block block) {
        if (block.isCharged()) {
            FlightEvents.regionDropped(pool.name(), policy.name(), block.bytes);
        }
    }

    /** With the lock held: leaves a block to the collector. */
    private void drop(Block block) {
        block.forget();
        move(block, Place.DROPPED, reuses ? dropped[block.row] : retired);
    }

    /** After {@link #drop}, without the lock. Memory that is never lent again counts as gone at once. Returns its bytes. */
    private long afterDrop(Block block) {
        noteDropped(block);
        if (!reuses) {
            end(block);
        }
        return block.bytes;
    }

    /** Drops the blocks that have been aside or free since before that time, a reading of {@link System#nanoTime}; returns the bytes. */
    long dropIdle(long before) {
        long sum = 0;
        for (long bytes = leaveAside(before); bytes >= 0; bytes = leaveAside(before)) {
            sum += bytes;
        }
        for (int row = 0; row < free.length; row++) {
            for (Block block = dropFree(row, before); block != null; block = dropFree(row, before)) {
                sum += afterDrop(block);
            }
        }
        return sum;
    }

    /** Drops the oldest free block of a row if it is not younger than that; null without one. */
    private synchronized @Nullable Block dropFree(int row, long before) {
        Block block = free[row].peek();
        if (block == null || block.since - before > 0) {
            return null;
        }
        drop(block);
        return block;
    }

    /** Drops all free memory if there is room for that many bytes once it is gone. */
    void dropFor(int wanted) {
        boolean suffices;
        synchronized (this) {
            suffices = wanted <= budget.max() - figures.bytes(Place.LEASED);
        }
        if (suffices) {
            dropIdle(System.nanoTime());
        }
    }

    @Override
    public synchronized void gone(Footprint it) {
        Block block = ((Block.Charge) it).block();
        if (block != null) {
            move(block, Place.GONE, null);
        }
    }

    /** Credits the memory that is gone, and tries again to close arenas; true when there is more room now. */
    boolean collect() {
        return budget.collect(Long.MAX_VALUE) > 0;
    }

    /** Ends the charge of a dropped block that the collector has taken and not reported yet; false without one. */
    boolean endTaken() {
        Footprint taken = arenas ? null : taken(); // an arena is closed
        if (taken != null) {
            budget.end(taken);
        }
        return taken != null;
    }

    private synchronized @Nullable Footprint taken() {
        for (int row = 0; row <= dropped.length; row++) {
            IntrusiveList<Block> list = row == dropped.length ? retired : dropped[row];
            for (IntrusiveList.Link<Block> link = list.first(); link != null; link = link.next()) {
                Footprint charge = link.it.charge();
                if (charge != null && charge.refersTo(null)) {
                    return charge;
                }
            }
        }
        return null;
    }

    /** Ends the charge of a block: closes its arena, or leaves plain memory to the collector. False while an I/O is using the arena. */
    private boolean end(Block block) {
        Footprint charge = block.charge();
        return charge != null && budget.end(charge);
    }

    /** Ends a tenancy whose leases were all lost; false when it has ended already. */
    boolean lost(Tenancy tenancy) {
        Block block;
        synchronized (this) {
            block = tenancy.block;
            if (block == null || !open.remove(tenancy.link)) {
                return false;
            }
            tenancy.block = null;
        }
        if (block.hasMemory() || !end(block)) {
            retire(block);
        }
        noteDropped(block);
        return true;
    }

    // ---------------------------------------------------------------- for the healing

    /** An arena that an I/O uses is closed without a collection. */
    @Override
    public synchronized long collectableBytes() {
        return arenas ? 0 : figures.bytes(Place.DROPPED);
    }

    @Override
    public @Nullable String refusalByTheJvm() {
        return allocator.wasRefusedByTheJvm() ? allocator.refusal() : null;
    }

    @Override
    public synchronized boolean hasSuspect(long now) {
        IntrusiveList.Link<Tenancy> oldest = open.first();
        return oldest != null && now - oldest.it.trace.nanoTime >= Healing.SUSPICIOUS_NANOS;
    }

    // ---------------------------------------------------------------- figures

    synchronized List<Tenancy> open() {
        List<Tenancy> copy = new ArrayList<>(open.size());
        for (IntrusiveList.Link<Tenancy> link = open.first(); link != null; link = link.next()) {
            copy.add(link.it);
        }
        return copy;
    }

    /** Whether no block is leased, kept or waits to be gone; dropped blocks count only in a budget that others share. */
    synchronized boolean isEmpty() {
        boolean shared = pool.settings().sharesDefaultBudget();
        return open.isEmpty() && figures.reserved() == 0 && (!shared && !arenas || figures.blocks(Place.DROPPED) == 0);
    }

    PoolStats stats(long waiters, Map<AcquireOutcome, Long> acquires, Map<ReleaseOutcome, Long> releases) {
        synchronized (this) {
            return figures.stats(budget.max(), pool.counters, waiters, acquires, releases);
        }
    }
}

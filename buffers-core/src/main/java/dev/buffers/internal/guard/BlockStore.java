// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.guard;

import dev.buffers.BufferPolicy;
import dev.buffers.internal.failsafe.IntrusiveList;
import dev.buffers.internal.memory.ArenaMemory;
import dev.buffers.internal.memory.Budget;
import dev.buffers.internal.memory.BuiltInPolicy;
import dev.buffers.internal.memory.Region;
import dev.buffers.internal.memory.RegionAllocator;
import dev.buffers.internal.signals.PoolState;
import dev.buffers.internal.slab.SizeClasses;
import dev.buffers.internal.slab.SlabStore;
import dev.buffers.internal.upkeep.Healing;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a guarded pool, whether leased or kept aside, and the open tenancies. {@link RegionAllocator} has the dropped memory.
 *
 * <p>Any thread. One lock, taken before that of the budget; memory is allocated, poisoned, closed and reported without it. Only the look
 * at a block that leaves {@code aside} is under it.
 */
final class BlockStore implements Healing.Leases {
    /*
     *   charge --> leased --poison--> aside --oldest first, still poison?--> dropped --the collector--> gone, credited
     *                 ^  |                                                     |
     *                 |  `---- arena closed --> gone, credited                 |
     *                 `------------------- adopted, still poison? -------------'
     *
     * Dropped memory stays charged and poisoned, and its footprint notes its last tenancy. A view that is still reachable keeps it from
     * the collector. An arena that an I/O is using, lost and discarded memory are dropped and never lent again. Memory of the policy
     * `unpooled` is credited when it is dropped. Fences are outside the cap.
     */
    private static final int MOST_ASIDE = 4096;

    private final PoolState pool;
    private final Findings findings;
    private final SizeClasses classes;
    final RegionAllocator regions;

    /** Whether each block has an arena, which serves one lease. */
    private final boolean arenas;

    private final boolean reuses;
    private final boolean views;

    private final IntrusiveList<Tenancy> open = new IntrusiveList<>();
    private final IntrusiveList<Block> aside = new IntrusiveList<>();
    private long asideBytes;

    BlockStore(PoolState pool, Findings findings, SizeClasses classes, Budget budget) {
        this.pool = pool;
        this.findings = findings;
        this.classes = classes;
        BufferPolicy policy = pool.settings().policy();
        this.arenas = policy.direct() && ArenaMemory.available();
        this.reuses = BuiltInPolicy.pools(policy);
        this.views = policy.views();
        int fences = views && !policy.direct() ? 2 * Block.FENCE : 0;
        this.regions = new RegionAllocator(pool, policy, budget, arenas, fences);
    }

    // ---------------------------------------------------------------- to a lease

    /**
     * Dropped memory of {@code capacity} to {@code most} bytes, the smallest and oldest; null without any. As the next methods, leaves
     * {@code kept} bytes for a waiter ({@link RegionAllocator}, R5). The caller calls {@link #lend} or {@link #giveBack}, as with the next
     * methods; a mere charge it must {@link #allocate} first.
     */
    @Nullable Block take(int capacity, int most, int kept) {
        Region adopted = regions.adopt(capacity, most, kept);
        return adopted == null ? null : new Block(views ? capacity : adopted.bytes()).in(adopted);
    }

    /** The same of at least {@code capacity} bytes, of which a part is lent. Without views, a pooled size gets exactly the bytes of its class. */
    @Nullable Block takeLarger(int capacity, int kept) {
        int alone = classes.classOf(capacity) == SizeClasses.OVERSIZE ? Region.mostAlone(capacity) : capacity;
        return take(capacity, views ? Integer.MAX_VALUE : alone, kept);
    }

    /** The charge for new memory; null at the cap. */
    @Nullable Block charge(int capacity, int kept) {
        Block block = new Block(capacity);
        if (!regions.charge(capacity, kept)) {
            return null;
        }
        block.charge = capacity;
        return block;
    }

    /** Heap memory beyond the cap, for one lease; null without heap. */
    @Nullable Block beyond(int size) {
        Region plain = regions.allocatePlain(size, Region.Charge.NONE, 0);
        return plain == null ? null : new Block(size).in(plain);
    }

    /** Allocates a block that is only charged. False when the JVM has no memory for it: then its charge is credited. */
    boolean allocate(Block block) {
        if (block.hasRegion()) {
            return true;
        }
        block.charge = 0; // credited there, if it allocates nothing
        Region made = regions.allocateCharged(block.capacity, 1);
        if (made != null && arenas) {
            block.inArena(made);
        } else if (made != null) {
            block.in(made);
        }
        return made != null;
    }

    /** The view to lend of a block that was taken and is allocated. */
    ByteBuffer lend(Block block) {
        ByteBuffer view;
        if (block.hasMemory()) {
            reportWrite(block.last, block.changedAt());
            view = block.view();
        } else {
            view = block.region().handOut();
        }
        regions.reportOnce(block.region());
        return view;
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
        if (!block.hasRegion()) {
            regions.credit(block.charge);
        } else if (!block.hasMemory() || block.isBeyond()) {
            regions.reportOnce(block.region()); // an arena that a waiter could not use
            retire(block);
        } else if (block.restore()) {
            regions.reportDrop(drop(block));
        } else {
            drop(block); // Flight Recorder does not know that it was adopted
        }
    }

    /** Takes back the memory of a tenancy whose leases have ended, and counts that. False when an I/O is still using it. */
    boolean takeBack(Tenancy tenancy, Block block, boolean discards) {
        boolean poisons = block.hasMemory() && !discards;
        if (poisons) {
            block.poison(tenancy);
        }
        boolean keeps = poisons && !block.isBeyond();
        boolean returned = keeps || retire(block);
        synchronized (this) {
            end(tenancy);
            if (keeps) {
                block.since = System.nanoTime();
                aside.add(block.link);
                asideBytes += block.bytes();
            }
        }
        if (discards) {
            pool.counters.discarded(tenancy.sizeClass);
        } else {
            pool.counters.recycled(tenancy.sizeClass);
        }
        while (isAsideFull() && leaveOldest()) {
            // and the next
        }
        return returned;
    }

    /** With the lock held: ends an open tenancy. */
    private void end(Tenancy tenancy) {
        tenancy.link.leave();
        tenancy.block = null;
        tenancy.clear(); // the collector need not report its view any more
    }

    /** Drops memory that is never adopted again. False while an I/O is using its arena, which is closed later. */
    private boolean retire(Block block) {
        Region region = block.region();
        boolean leftToCollector = block.isBeyond() || block.hasMemory() && reuses;
        boolean ended = leftToCollector || regions.budget.end(region.footprint(0));
        region.isReusable = false;
        block.forget();
        regions.drop(region);
        regions.reportDrop(region);
        return ended;
    }

    private synchronized boolean isAsideFull() {
        return aside.size() > MOST_ASIDE || asideBytes > regions.budget.max() / 8 || pool.isClosed();
    }

    /** Drops memory that may be adopted again. Allocates nothing. The caller reports that, with no lock held. */
    private Region drop(Block block) {
        Region region = block.region();
        if (!reuses) {
            regions.budget.end(region.footprint(0));
        }
        block.forget(); // first: once it is dropped, another thread may adopt it
        regions.drop(region);
        return region;
    }

    /** Drops the block that has been aside for longest. False when none is aside. */
    boolean leaveOldest() {
        return leaveAside(System.nanoTime()) != null;
    }

    /** The same, after a look at the block, if it was released before that time; null without such a block. */
    private @Nullable Region leaveAside(long before) {
        Region region;
        Tenancy culprit;
        int at;
        synchronized (this) { // for all of it, so that no thread finds the block neither here nor there
            Block block = aside.peek();
            if (block == null || block.since - before > 0) {
                return null;
            }
            culprit = block.last;
            at = block.changedAt();
            block.link.leave();
            asideBytes -= block.bytes();
            block.region().footprint(0).exactOnly =
                    block.capacity != block.bytes(); // else it would be lent in part again and again
            region = drop(block);
        }
        regions.reportDrop(region);
        reportWrite(culprit, at);
        return region;
    }

    private void reportWrite(@Nullable Tenancy culprit, int at) {
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
                    tenancy,
                    new Throwable("found here, " + Math.abs(at) + " bytes " + (at < 0 ? "before" : "behind")
                            + " the buffer"));
        }
    }

    /** Drops the blocks that have been aside since before that time, a reading of {@link System#nanoTime}; returns the bytes. */
    long dropIdle(long before) {
        long sum = 0;
        for (Region region = leaveAside(before); region != null; region = leaveAside(before)) {
            sum += region.bytes();
        }
        return sum;
    }

    /** Credits the memory that is gone, and tries again to close arenas. */
    void collect() {
        regions.makeRoom(Long.MAX_VALUE);
    }

    /** Ends and counts a tenancy whose leases were all lost; false when it has ended already. */
    boolean lost(Tenancy tenancy) {
        Block block;
        synchronized (this) {
            block = open.has(tenancy.link) ? tenancy.block : null;
            end(tenancy);
        }
        if (block == null) {
            return false;
        }
        pool.counters.leaked(tenancy.sizeClass);
        retire(block);
        return true;
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

    /** Whether any lease is out. */
    synchronized boolean hasOpen() {
        return !open.isEmpty();
    }

    /** Whether no memory is leased or aside, and no arena is still to be closed. */
    synchronized boolean isEmpty() {
        return open.isEmpty() && regions.isEmpty();
    }

    /** Each block counts as a slab. The part of a leased one that is not lent is uncarved, and so are those aside without a class. */
    SlabStore.Figures figures() {
        SlabStore.Figures figures = new SlabStore.Figures(classes.count() + 1);
        long[] held;
        synchronized (this) {
            for (IntrusiveList.Link<Tenancy> link = open.first(); link != null; link = link.next()) {
                Block block = link.it.block;
                if (block != null && !block.isBeyond()) {
                    count(figures, link.it.sizeClass, block.capacity);
                }
            }
            for (IntrusiveList.Link<Block> link = aside.first(); link != null; link = link.next()) {
                int sizeClass = classes.classOf(link.it.bytes());
                if (sizeClass == SizeClasses.OVERSIZE) {
                    figures.slabs[classes.count()]++;
                } else {
                    count(figures, sizeClass, link.it.bytes());
                }
            }
            held = regions.reservedAndDropped(); // of the same moment: until now, no block leaves aside
        }
        figures.reservedBytes = held[0];
        figures.droppedBytes = held[1];
        figures.uncarvedBytes =
                Math.max(0, held[0] - LongStream.of(figures.slotBytes).sum());
        return figures;
    }

    private void count(SlabStore.Figures figures, int sizeClass, int bytes) {
        int row = sizeClass == SizeClasses.OVERSIZE ? classes.count() : sizeClass;
        figures.slabs[row]++;
        figures.slotBytes[row] += bytes;
    }
}

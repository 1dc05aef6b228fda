// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.guard;

import dev.buffers.BufferPool;
import dev.buffers.ChannelBuffers;
import dev.buffers.LeakReport;
import dev.buffers.PoolStats;
import dev.buffers.PooledBuffer;
import dev.buffers.internal.memory.Budget;
import dev.buffers.internal.monitor.Exposure;
import dev.buffers.internal.monitor.LeakReports;
import dev.buffers.internal.monitor.OpenLease;
import dev.buffers.internal.monitor.OpenLeases;
import dev.buffers.internal.monitor.PoolDump;
import dev.buffers.internal.monitor.Statistics;
import dev.buffers.internal.signals.Counters;
import dev.buffers.internal.signals.PlacedSettings;
import dev.buffers.internal.signals.PoolName;
import dev.buffers.internal.signals.PoolState;
import dev.buffers.internal.slab.SizeClasses;
import dev.buffers.internal.upkeep.Healing;
import dev.buffers.internal.upkeep.MaintenanceThread;
import dev.buffers.internal.upkeep.Turns;
import java.lang.invoke.MethodHandles;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The pool of {@code guard=on}: it finds uses of a buffer after its release, and other misuse, and reports where the buffer was acquired
 * and released.
 *
 * <p>Any thread. Each acquire and release takes a stack trace, a pass over the buffer and a short lock. For tests, and to hunt a bug.
 */
public final class GuardedPool extends PoolState implements BufferPool, Tenancy.Owner {
    /*
     * acquire:  GuardedAcquire: reserve (BlockStore: dropped memory, or a charge) -> allocate, if it is a charge -> lend (look at the
     *           poison) -> Tenancy with its stack -> lease. For a waiter the thread that makes room allocates, or the callback thread
     * release:  the last lease -> stack, fences, poison or arena closed -> aside -> serve the waiters
     *
     * A user's code, the log, a reference queue, an arena and the allocation of memory are reached with no lock held, but for the one of
     * direct allocations (RegionAllocator). What throws on the way of a release leaves its view to the collector, and the tenancy is found
     * lost.
     */
    static {
        // As Preload does for the classes that both pools use.
        try {
            for (Class<?> each : List.of(Block.class, Findings.Kind.class, GuardedBuffer.class, Tenancy.class)) {
                MethodHandles.lookup().ensureInitialized(each);
            }
        } catch (IllegalAccessException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final SizeClasses classes;
    private final Findings findings = new Findings(this);
    final BlockStore blocks;
    final GuardedAcquire acquire;
    private final LeakReports lost;
    private final LeakReports overdue;
    private final Exposure exposure;
    private final Healing healing;
    private final Turns turns;

    /** The settings have this name too. */
    public GuardedPool(PoolName name, PlacedSettings settings, @Nullable Consumer<LeakReport> onLeak) {
        super(name, settings, SizeClasses.of(settings).count());
        this.classes = SizeClasses.of(settings);
        Budget budget = Budget.of(settings);
        this.blocks = new BlockStore(this, findings, classes, budget);
        this.lost = new LeakReports(this, true, onLeak);
        this.acquire = new GuardedAcquire(this, this, classes, blocks, lost, budget.max());
        this.overdue = new LeakReports(this, false, onLeak);
        this.exposure = new Exposure(this);
        this.healing = new Healing(this, blocks.regions, blocks);
        this.turns = new Turns(acquire.waitQueue);
        try {
            MaintenanceThread.watch(this, exposure, budget);
            exposure.begin(this);
        } catch (Throwable e) {
            close();
            throw e;
        }
    }

    @Override
    public PooledBuffer acquire(int size) {
        return acquire.acquire(size);
    }

    @Override
    public PooledBuffer acquire(int size, Duration patience) {
        return acquire.acquire(size, patience);
    }

    @Override
    public @Nullable PooledBuffer tryAcquire(int size) {
        return acquire.tryAcquire(size);
    }

    @Override
    public void whenAvailable(int size, Runnable wake) {
        acquire.whenAvailable(size, wake);
    }

    // ---------------------------------------------------------------- release

    @Override
    public void takeBack(Tenancy tenancy, boolean discards) {
        Block block = Objects.requireNonNull(tenancy.block);
        try {
            if (!discards) {
                if (isClosed()) {
                    findings.report(Findings.Kind.RELEASE_AFTER_CLOSE, tenancy, tenancy.released);
                }
                blocks.checkFences(tenancy, block);
            }
        } catch (OutOfMemoryError e) {
            // The finding is not reported then, but the memory is returned all the same.
        }
        boolean returned = blocks.takeBack(tenancy, block, discards);
        if (!returned && !discards) {
            findings.report(Findings.Kind.IO_IN_FLIGHT, tenancy, tenancy.released);
        }
        acquire.serve();
    }

    @Override
    public IllegalStateException ended(Tenancy tenancy, boolean release, @Nullable Throwable released) {
        if (release) {
            counters.invalid.incrementAndGet();
        }
        return findings.ended(tenancy, release, released);
    }

    // ---------------------------------------------------------------- by the clock

    @Override
    public long tick(long now) {
        acquire.endLost();
        blocks.regions.budget.creditInTurn(now);
        blocks.collect();
        overdue.findOverdue(this::open, now);
        settings().trimAfter().ifPresent(idle -> trimmed(blocks.dropIdle(now - idle.toNanos())));
        boolean isLast = isClosed() && !blocks.hasOpen();
        lost.report(isLast);
        overdue.report(isLast);
        if (isClosed()) {
            endAll();
            healing.askIfNeeded(Counters.NONE_REFUSED, 0, now); // another pool may need the lost memory
            return blocks.isEmpty() && lost.isAllReported() && overdue.isAllReported() ? -1 : MaintenanceThread.TICK;
        }
        long tickets = acquire.waitQueue.tickets();
        acquire.serve();
        boolean turn = turns.next(tickets, blocks.regions.withinReach(), now) != null;
        healing.askIfNeeded(counters.takeLeastRefused(), acquire.waitQueue.leastBytes(), now);
        return turn || acquire.waitQueue.size() > 0 ? MaintenanceThread.PRESSURE_TICK : MaintenanceThread.TICK;
    }

    private long trimmed(long bytes) {
        counters.trimmedBytes.addAndGet(bytes);
        return bytes;
    }

    @Override
    public long trim() {
        enter();
        blocks.collect();
        long bytes = trimmed(blocks.dropIdle(System.nanoTime()));
        acquire.serve();
        return bytes;
    }

    @Override
    public void close() {
        checkPolicy();
        if (beginClose()) {
            try {
                exposure.run();
            } finally {
                try {
                    endAll();
                } finally {
                    MaintenanceThread.requestTick();
                }
            }
            Exposure.warnOfOpenLeases(this, this::open);
        }
    }

    private void endAll() {
        acquire.waitQueue.wakeAll();
        blocks.collect();
        blocks.dropIdle(System.nanoTime());
    }

    // ---------------------------------------------------------------- what it shows

    @Override
    public ChannelBuffers channel(int maxInput) {
        checkCaller();
        return new GuardedChannel(acquire, classes.maxSize(), maxInput, findings);
    }

    @Override
    public PoolStats stats() {
        return new Statistics(counters, classes, null)
                .stats(blocks.figures(), blocks.regions.budget.max(), acquire.waitQueue.size());
    }

    @Override
    public List<LeakReport> openLeases() {
        return OpenLeases.reports(open());
    }

    private List<OpenLease> open() {
        return blocks.open().stream()
                .map(tenancy -> new OpenLease(name(), tenancy.capacity, tenancy.trace))
                .toList();
    }

    @Override
    public String dump() {
        String name = name() + ", " + settings().policy().name() + ", guarded" + (isClosed() ? ", closed" : "");
        return PoolDump.of(name, stats(), OpenLeases.ofLeases(open()));
    }
}

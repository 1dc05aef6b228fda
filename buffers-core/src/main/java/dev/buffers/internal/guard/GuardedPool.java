// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.guard;

import dev.buffers.AcquireOutcome;
import dev.buffers.BufferPool;
import dev.buffers.ChannelBuffers;
import dev.buffers.LeakReport;
import dev.buffers.LeakTracking;
import dev.buffers.PoolExhaustedException;
import dev.buffers.PoolSettings;
import dev.buffers.PoolStats;
import dev.buffers.PooledBuffer;
import dev.buffers.ReleaseOutcome;
import dev.buffers.internal.failsafe.StackProbe;
import dev.buffers.internal.memory.Budget;
import dev.buffers.internal.monitor.Exposure;
import dev.buffers.internal.monitor.LeakReports;
import dev.buffers.internal.monitor.OpenLeases;
import dev.buffers.internal.monitor.PoolDump;
import dev.buffers.internal.signals.Callbacks;
import dev.buffers.internal.signals.FlightEvents;
import dev.buffers.internal.signals.PoolName;
import dev.buffers.internal.signals.PoolState;
import dev.buffers.internal.slab.SizeClasses;
import dev.buffers.internal.upkeep.Healing;
import dev.buffers.internal.upkeep.MaintenanceThread;
import java.lang.invoke.MethodHandles;
import java.time.Duration;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
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
     * acquire:  GuardedAcquire: reserve (BlockStore: free memory, or a charge) -> lend (allocate, or look at the poison)
     *           -> Tenancy with its stack -> lease
     * release:  the last lease -> stack, fences, poison or arena closed -> aside -> serve the waiters
     *
     * A user's code, the log, a reference queue, an arena and the allocation of memory are reached with no lock held. What throws on the
     * way of a release leaves its view to the collector, and the tenancy is found lost.
     */
    static {
        // A class whose initialiser finds no heap can never be used afterwards.
        try {
            for (Class<?> each : List.of(
                    Block.class,
                    Block.Charge.class,
                    Findings.Kind.class,
                    FlightEvents.class,
                    GuardedBuffer.class,
                    LeakReport.Acquisition.class,
                    OpenLeases.class,
                    PoolExhaustedException.class,
                    PoolStats.SizeClass.class,
                    Tenancy.class,
                    Waiters.Waiter.class)) {
                MethodHandles.lookup().ensureInitialized(each);
            }
        } catch (IllegalAccessException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final SizeClasses classes;
    private final Findings findings = new Findings(this);
    private final BlockStore blocks;
    private final Budget budget;
    private final GuardedAcquire acquire;
    private final LeakReports lost;
    private final LeakReports overdue;
    private final long threshold;
    private final long idle;
    private final Exposure exposure;
    private final Healing healing;
    private long lastSecond;

    /** The settings have this name too. */
    public GuardedPool(PoolName name, PoolSettings settings, @Nullable Consumer<LeakReport> onLeak) {
        super(name, settings, SizeClasses.of(settings).count());
        this.classes = SizeClasses.of(settings);
        this.budget = settings.sharesDefaultBudget()
                ? Budget.shared(settings.policy().direct(), settings.maxBytes())
                : new Budget(settings.maxBytes());
        this.blocks = new BlockStore(this, findings, classes, budget);
        LeakTracking tracking = settings.leaks();
        this.threshold = tracking.kind() == LeakTracking.Kind.OLDER
                ? tracking.threshold().toNanos()
                : Long.MAX_VALUE;
        this.idle = settings.trimAfter().map(Duration::toNanos).orElse(Long.MAX_VALUE);
        this.lost = new LeakReports(this, true, LeakTracking::all, onLeak);
        this.acquire = new GuardedAcquire(this, this, classes, blocks, lost, budget.max());
        this.overdue = new LeakReports(this, false, () -> tracking, onLeak);
        this.exposure = new Exposure(this);
        this.healing = new Healing(this, blocks);
        try {
            MaintenanceThread.watch(this, exposure, budget);
            exposure.begin(this);
        } catch (RuntimeException | Error e) {
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

    @Override
    public void call(Callbacks.Callback callback) {
        if (MaintenanceThread.isCurrent()) {
            callbacks().add(callback);
        } else {
            callbacks().call(callback);
        }
    }

    // ---------------------------------------------------------------- release

    @Override
    public void takeBack(Tenancy tenancy, boolean discards) {
        Block block = Objects.requireNonNull(tenancy.block);
        try {
            tenancy.trace.release();
            if (isClosed()) {
                findings.report(Findings.Kind.RELEASE_AFTER_CLOSE, tenancy.trace, tenancy.trace.released);
            }
            blocks.checkFences(tenancy, block);
        } catch (OutOfMemoryError e) {
            // The finding is not reported then, but the memory is returned all the same.
        }
        int sizeClass = block.lentRow == classes.count() ? SizeClasses.OVERSIZE : block.lentRow;
        boolean returned = blocks.takeBack(tenancy, block, discards);
        if (discards) {
            counters.discarded(sizeClass);
        } else {
            counters.recycled(sizeClass);
        }
        if (!returned && !discards) {
            try {
                findings.report(Findings.Kind.IO_IN_FLIGHT, tenancy.trace, tenancy.trace.released);
            } catch (OutOfMemoryError e) {
                // As above.
            }
        }
        acquire.serve();
    }

    @Override
    public IllegalStateException ended(Trace trace, boolean release) {
        if (release) {
            counters.invalid.incrementAndGet();
        }
        return findings.ended(trace, release);
    }

    // ---------------------------------------------------------------- by the clock

    @Override
    public long tick(long now) {
        acquire.collect();
        boolean second = now - lastSecond >= MaintenanceThread.TICK || lastSecond == 0;
        if (second) {
            lastSecond = now;
            findOverdue(now);
            if (idle != Long.MAX_VALUE) {
                trimmed(blocks.dropIdle(now - idle));
            }
        }
        lost.report();
        overdue.report();
        if (isClosed()) {
            endAll();
            return blocks.isEmpty() && lost.isAllReported() && overdue.isAllReported() ? -1 : MaintenanceThread.TICK;
        }
        acquire.serve();
        healing.askIfNeeded(acquire.leastBytes(), now);
        return acquire.waiting() > 0 ? MaintenanceThread.PRESSURE_TICK : MaintenanceThread.TICK;
    }

    private void findOverdue(long now) {
        if (threshold == Long.MAX_VALUE) {
            return;
        }
        try {
            for (Tenancy tenancy : blocks.open()) {
                Trace trace = tenancy.trace;
                if (!trace.overdue && now - trace.nanoTime > threshold && !overdue.isFull()) {
                    LeakReport report = trace.report(name(), false, now);
                    overdue.count();
                    overdue.add(report);
                    trace.overdue = true;
                }
            }
        } catch (OutOfMemoryError e) {
            // The next look finds the others.
        }
    }

    private long trimmed(long bytes) {
        counters.trimmedBytes.addAndGet(bytes);
        return bytes;
    }

    @Override
    public long trim() {
        StackProbe.check();
        checkCaller();
        acquire.collect();
        long bytes = trimmed(blocks.dropIdle(System.nanoTime()));
        acquire.serve();
        return bytes;
    }

    @Override
    public void close() {
        StackProbe.check();
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
            Exposure.warnOfOpenLeases(this, () -> OpenLeases.of(openLeases()));
        }
    }

    private void endAll() {
        acquire.wakeAll();
        acquire.collect();
        blocks.dropIdle(System.nanoTime());
    }

    // ---------------------------------------------------------------- what it shows

    @Override
    public ChannelBuffers channel() {
        return channel(settings().maxInput());
    }

    @Override
    public ChannelBuffers channel(int maxInput) {
        checkCaller();
        return new GuardedChannel(this, acquire::findForChannel, classes.maxSize(), maxInput, findings);
    }

    @Override
    public PoolStats stats() {
        StackProbe.check();
        if (acquire.collect()) {
            acquire.serve();
        }
        Map<ReleaseOutcome, Long> releases = new EnumMap<>(ReleaseOutcome.class);
        releases.put(ReleaseOutcome.RECYCLED, counters.recycled.get());
        releases.put(ReleaseOutcome.DISCARDED, counters.discarded.get());
        releases.put(ReleaseOutcome.INVALID, counters.invalid.get());
        Map<AcquireOutcome, Long> acquires = new EnumMap<>(AcquireOutcome.class);
        for (AcquireOutcome outcome : AcquireOutcome.values()) {
            acquires.put(outcome, counters.acquires(outcome));
        }
        return blocks.stats(acquire.waiting(), acquires, releases);
    }

    @Override
    public List<LeakReport> openLeases() {
        StackProbe.check();
        long now = System.nanoTime();
        return blocks.open().stream()
                .sorted(Comparator.comparingLong(tenancy -> tenancy.trace.nanoTime - now))
                .map(tenancy -> tenancy.trace.report(name(), false, now))
                .toList();
    }

    @Override
    public String dump() {
        String name = name() + ", " + settings().policy().name() + ", guarded" + (isClosed() ? ", closed" : "");
        return PoolDump.of(name, stats(), OpenLeases.of(openLeases()));
    }

    @Override
    public String toString() {
        return PoolDump.line(name(), settings().policy().name(), stats(), isClosed());
    }
}

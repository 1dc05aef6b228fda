// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.pool;

import dev.buffers.AcquireOutcome;
import dev.buffers.BufferPolicy;
import dev.buffers.BufferPool;
import dev.buffers.ChannelBuffers;
import dev.buffers.LeakReport;
import dev.buffers.PoolSettings;
import dev.buffers.PoolStats;
import dev.buffers.PooledBuffer;
import dev.buffers.internal.cache.Magazine;
import dev.buffers.internal.cache.ThreadCaches;
import dev.buffers.internal.cache.ThreadTable;
import dev.buffers.internal.failsafe.StackProbe;
import dev.buffers.internal.guard.GuardedPool;
import dev.buffers.internal.memory.Budget;
import dev.buffers.internal.memory.RegionAllocator;
import dev.buffers.internal.monitor.Exposure;
import dev.buffers.internal.monitor.LeakTracker;
import dev.buffers.internal.monitor.OpenLeases;
import dev.buffers.internal.monitor.PoolDump;
import dev.buffers.internal.monitor.Statistics;
import dev.buffers.internal.settings.ExplicitSettings;
import dev.buffers.internal.settings.ResolvedSettings;
import dev.buffers.internal.signals.PlacedSettings;
import dev.buffers.internal.signals.PoolName;
import dev.buffers.internal.signals.PoolState;
import dev.buffers.internal.signals.WaitQueue;
import dev.buffers.internal.slab.Lease;
import dev.buffers.internal.slab.SizeClasses;
import dev.buffers.internal.slab.SlabStore;
import dev.buffers.internal.slab.Slot;
import dev.buffers.internal.slab.SlotState;
import dev.buffers.internal.upkeep.MaintenanceThread;
import dev.buffers.internal.upkeep.Waiting;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The pool: the code path of a hit, and what concerns the pool as a whole. A hit is an acquire or release that the magazine of the current
 * thread (its small stack of free slots) serves. {@link SlowAcquire} and {@link SlowRelease} handle a miss.
 *
 * <p>Any thread. A hit takes no lock. On a platform thread an acquire takes one atomic step, and a release takes one.
 */
public final class SlabPool extends ThreadTable implements BufferPool {
    /*
     * acquire:  size -> class -> this thread's magazine -> begin a tenancy and take the view (Slot, S1, S2) -> count -> lease
     * release:  end the tenancy (S1) -> view back, free (S2) -> count -> the magazine that the lease came from, if it is this thread's
     *
     * L1  A lease that stays in one method needs no object: HotSpot removes it if it inlines there the acquire and the call that ends the
     *     lease, and if acquire can return no other object. This must hold whatever else a program does with this pool or with others. So
     *     code that is not part of every hit is behind a call that HotSpot never inlines (SlowAcquire.find, which also serves a hit while
     *     there is a signal, and SlowRelease.endAndPlace). Decisions 002 and 009 give the limits and the reasons.
     */
    static {
        Preload.all();
    }

    final SizeClasses classes;
    final SlabStore slabs;
    private final ThreadCaches magazines;
    final SlowAcquire slowAcquire;
    final SlowRelease slowRelease;
    final WaitQueue waitQueue;
    private final FreeSlots free;
    private final Maintenance maintenance;
    private final LeakTracker leaks;
    private final Exposure exposure;
    private final long max;

    /** The builder of a pool with this name. */
    public static BufferPool.Builder builder(String name) {
        return new ExplicitSettings(name, SlabPool::open);
    }

    /** Opens a pool with these settings, under the first free name. */
    public static BufferPool open(ResolvedSettings wanted, @Nullable Consumer<LeakReport> onLeak) {
        if (wanted.jmx() && ModuleLayer.boot().findModule("java.management").isEmpty()) {
            // Here, before anything is opened: the class of the beans cannot even be loaded.
            throw new IllegalStateException("jmx=true needs the module java.management, which this Java does not have");
        }
        PoolName name = PoolName.of(wanted.keyName());
        try {
            ResolvedSettings settings = wanted.named(name.toString());
            if (settings.guard()) {
                return new GuardedPool(name, settings, onLeak);
            }
            return new SlabPool(name, settings, onLeak, MaintenanceThread::watch);
        } catch (Throwable e) {
            name.free();
            throw e;
        }
    }

    /** A pool for tests, which no daemon looks after unless {@code watcher} says so. */
    SlabPool(PoolName name, PlacedSettings settings, @Nullable Consumer<LeakReport> onLeak, Watcher watcher) {
        super(name, settings, SizeClasses.of(settings).count());
        this.classes = SizeClasses.of(settings);
        BufferPolicy policy = settings.policy();
        Budget budget = Budget.of(settings);
        this.max = budget.max();
        RegionAllocator regions = new RegionAllocator(this, policy, budget);
        this.slabs = new SlabStore(classes.count(), regions, preallocated(settings));
        this.magazines = new ThreadCaches(this, classes, settings.threadCache(), max / 8);
        this.leaks = new LeakTracker(this, slabs, onLeak);
        this.waitQueue = new WaitQueue(this, classes.count());
        Cutting cutting = new Cutting(this, classes, regions, slabs, waitQueue);
        HandOff handOff = new HandOff(this, regions, slabs, waitQueue, cutting);
        this.free = new FreeSlots(this, classes, regions, slabs, magazines, cutting, handOff);
        this.slowAcquire = new SlowAcquire(this, classes, free, handOff, leaks);
        this.slowRelease = new SlowRelease(this, slabs, free, handOff);
        this.maintenance = new Maintenance(this, classes, regions, slabs, leaks, handOff, free);
        this.exposure = new Exposure(this);
        try {
            watcher.watch(this, exposure, budget);
            cutting.preallocate();
            exposure.begin(this);
        } catch (Throwable e) {
            close();
            throw e;
        }
    }

    /** How many bytes are preallocated; 0 with a policy that cuts no views: nothing says for which sizes. */
    static long preallocated(PoolSettings settings) {
        return settings.policy().views() ? settings.preallocate() & -SizeClasses.MIN_SIZE : 0;
    }

    /** Has a thread look after a pool, and call {@code onGone} when the pool is gone. */
    interface Watcher {
        void watch(PoolState pool, Runnable onGone, Budget budget);
    }

    @Override
    public long tick(long now) {
        return maintenance.tick(now);
    }

    @Override
    public PooledBuffer acquire(int size) {
        int sizeClass = classes.classOf(size);
        Magazine magazine = ownMagazine(sizeClass);
        Slot slot = magazine == null ? null : magazine.take();
        long stamp = slot == null ? 0 : SlotState.stampAfter(slot.stateVolatile());
        if (slot != null && magazine != null && slot.begin(stamp)) {
            magazine.hits++;
        } else {
            slot = slowAcquire.findOrRefuse(size, sizeClass);
            stamp = slot.stateVolatile();
            magazine = Magazine.ELSEWHERE; // the slot may be of another class
        }
        ByteBuffer view = slot.view; // no call from the beginning of the tenancy to the next line (Slot, S4)
        slot.view = null;
        return lease(slot, stamp, view, size, magazine);
    }

    @Override
    public @Nullable PooledBuffer tryAcquire(int size) {
        return tryAcquire(size, SlowAcquire.AtCap.REFUSE);
    }

    /** Acquires like {@link #tryAcquire(int)}, and does at the cap what {@code atCap} says. */
    @Nullable Lease tryAcquire(int size, SlowAcquire.AtCap atCap) {
        int sizeClass = classes.classOf(size);
        Magazine magazine = ownMagazine(sizeClass);
        Slot slot = magazine == null ? null : magazine.take();
        long stamp = slot == null ? 0 : SlotState.stampAfter(slot.stateVolatile());
        if (slot != null && magazine != null && slot.begin(stamp)) {
            magazine.hits++;
        } else {
            slot = slowAcquire.find(size, sizeClass, atCap);
            if (slot == null) {
                return null;
            }
            stamp = slot.stateVolatile();
            magazine = Magazine.ELSEWHERE; // the slot may be of another class
        }
        ByteBuffer view = slot.view; // no call from the beginning of the tenancy to the next line (Slot, S4)
        slot.view = null;
        return lease(slot, stamp, view, size, magazine);
    }

    @Override
    public PooledBuffer acquire(int size, Duration patience) {
        long nanos = Waiting.nanos(patience);
        int sizeClass = classes.classOf(size);
        Magazine magazine = ownMagazine(sizeClass);
        Slot slot = magazine == null ? null : magazine.take();
        long stamp = slot == null ? 0 : SlotState.stampAfter(slot.stateVolatile());
        if (slot != null && magazine != null && slot.begin(stamp)) {
            magazine.hits++;
        } else {
            slot = slowAcquire.findOrWait(size, sizeClass, nanos);
            stamp = slot.stateVolatile();
            magazine = Magazine.ELSEWHERE; // the slot may be of another class
        }
        ByteBuffer view = slot.view; // no call from the beginning of the tenancy to the next line (Slot, S4)
        slot.view = null;
        return lease(slot, stamp, view, size, magazine);
    }

    /** Makes the lease of a tenancy that has begun. Its view is already out of the slot. */
    @SuppressWarnings("NullAway") // a tenancy that has begun has its view
    private Lease lease(Slot slot, long stamp, @Nullable ByteBuffer view, int size, Magazine home) {
        try {
            // Before `new`: if another object is written in between, HotSpot adds write barriers.
            ByteBuffer its = view.clear().limit(size).order(ByteOrder.BIG_ENDIAN);
            return new Lease(slot, stamp, its, home);
        } catch (OutOfMemoryError e) {
            endUnleased(slot, view);
            throw e;
        }
    }

    /** Ends a tenancy for whose lease object there was no memory, so that its slot is not lost. */
    private void endUnleased(Slot slot, ByteBuffer view) {
        takeBack(slot, view, slot.endHold(slot.stateVolatile()), Magazine.ELSEWHERE);
    }

    /** Makes a lease for a channel on a slot that came back to that channel; null when the slot was revoked. */
    public @Nullable Lease leaseReturned(Slot slot, int size) {
        Magazine own = current(slot.sizeClass());
        if (!beginReturned(slot, size, own)) {
            return null;
        }
        ByteBuffer view = slot.view;
        slot.view = null;
        return lease(slot, slot.stateVolatile(), view, size, own == null ? Magazine.ELSEWHERE : own);
    }

    /** Begins a tenancy on a slot that came back to a channel, and counts it; false when the slot was revoked. */
    private boolean beginReturned(Slot slot, int size, @Nullable Magazine own) {
        boolean watched = watchesAcquires();
        if (own == null || watched) {
            StackProbe.check();
        }
        if (!slot.begin()) {
            return false;
        } else if (own == null) {
            counters.acquired(AcquireOutcome.CHANNEL, slot.sizeClass());
        } else {
            own.channelHits++;
        }
        if (watched) {
            slowAcquire.prepare(slot, size);
        }
        return true;
    }

    /**
     * Takes back the slot of the tenancy that has just ended in the state {@code held}; only the caller ended it. Puts the view back into
     * the slot, and the slot where the next acquire looks first.
     */
    @Override
    protected void takeBack(Slot slot, ByteBuffer view, long held, @Nullable Object home) {
        ByteBuffer left = view;
        if (home instanceof Magazine magazine
                && magazine.isOwn()
                && (signals == 0 || isPlain(signals & OF_RELEASES, slot.sizeClass()))
                && SlotState.endsPlainly(held)
                && slot.returnStack == null) {
            slot.free(view, held);
            magazine.releases++;
            if (magazine.put(slot)) {
                return;
            }
            left = null;
        }
        slowRelease.endAndPlace(slot, left, SlotState.NOT_OPEN, held);
    }

    /** Ends the lease of that stamp although the slot's state differs from the stamp, as {@link Slot#endHold} says. */
    @Override
    protected long endSlowly(Slot slot, ByteBuffer view, long stamp) {
        return slowRelease.endAndPlace(slot, view, stamp, 0);
    }

    @Override
    public void whenAvailable(int size, Runnable wake) {
        Objects.requireNonNull(wake, "wake");
        enter();
        slowAcquire.whenAvailable(size, classes.classOf(size), wake);
    }

    @Override
    public ChannelBuffers channel(int maxInput) {
        checkCaller();
        return new SlabChannelBuffers(this, maxInput);
    }

    @Override
    public PoolStats stats() {
        return new Statistics(counters, classes, magazines).stats(slabs.figures(), max, waitQueue.size());
    }

    @Override
    public List<LeakReport> openLeases() {
        return OpenLeases.reports(leaks.openLeases());
    }

    /** The table for any pool, which need not be of this class. */
    public static String dumpOf(BufferPool pool) {
        return PoolDump.of(pool.name(), pool.stats(), OpenLeases.ofReports(pool.openLeases()));
    }

    @Override
    public String dump() {
        String name = name() + ", " + settings().policy().name() + (isClosed() ? ", closed" : "");
        return PoolDump.of(name, stats(), OpenLeases.ofLeases(leaks.openLeases()));
    }

    @Override
    public long trim() {
        enter();
        return free.trim();
    }

    @Override
    public void close() {
        checkPolicy();
        if (beginClose()) {
            try {
                exposure.run();
            } finally {
                try {
                    free.close();
                } finally {
                    MaintenanceThread.requestTick(); // the tick repeats what failed for want of heap
                }
            }
            Exposure.warnOfOpenLeases(this, leaks::openLeases);
        }
    }

    /** This thread's magazine; null when there is none, and when the acquire takes the slow path because of a signal. */
    private @Nullable Magazine ownMagazine(int sizeClass) {
        return signals == 0 || isPlain(signals & ~ZERO, sizeClass) ? current(sizeClass) : null;
    }

    /** Whether these signals do not concern a hit of this class: there are none, or the waiters wait for other classes. */
    private boolean isPlain(int these, int sizeClass) {
        return these == 0 || these == PRESSURE && !waitQueue.hasWaiters(sizeClass);
    }
}

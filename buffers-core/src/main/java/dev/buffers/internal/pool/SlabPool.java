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
import dev.buffers.internal.failsafe.StackProbe;
import dev.buffers.internal.memory.Budget;
import dev.buffers.internal.memory.RegionAllocator;
import dev.buffers.internal.monitor.Guard;
import dev.buffers.internal.monitor.LeakTracker;
import dev.buffers.internal.monitor.MBeans;
import dev.buffers.internal.monitor.OpenLeases;
import dev.buffers.internal.monitor.PoolDump;
import dev.buffers.internal.monitor.Statistics;
import dev.buffers.internal.settings.ExplicitSettings;
import dev.buffers.internal.signals.Callbacks;
import dev.buffers.internal.signals.FlightEvents;
import dev.buffers.internal.signals.PoolName;
import dev.buffers.internal.signals.PoolState;
import dev.buffers.internal.slab.Lease;
import dev.buffers.internal.slab.SizeClasses;
import dev.buffers.internal.slab.SlabStore;
import dev.buffers.internal.slab.Slot;
import dev.buffers.internal.slab.SlotOwner;
import dev.buffers.internal.slab.SlotState;
import java.lang.ref.WeakReference;
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
 * <p>Any thread. A hit takes no lock. On a platform thread an acquire takes no atomic step, and a release takes one.
 */
public sealed class SlabPool extends SlotOwner implements BufferPool permits SlabPool.RecycledPool, SpecialPool {
    /*
     * acquire:  size -> class -> this thread's magazine -> begin a tenancy and take the view (Slot, S3) -> count -> lease
     * release:  end the tenancy (Slot, S1) -> put the view back (S2) -> count -> the magazine that the lease came from, if it is this thread's
     *
     * L1  A lease that stays in one method needs no object: HotSpot removes it if it inlines there the acquire and the call that ends the
     *     lease, and if acquire can return no other object. This must hold whatever else a program does with this pool or with others. So
     *     what is not part of every hit is behind a call that HotSpot never inlines (SlowAcquire.find, which also serves a hit in a pool
     *     with size listeners, and SlowRelease.endAndPlace), or in a class of its own (RecycledPool, SpecialPool); and a revoked slot is
     *     found before a lease is made for it. Decisions 002 and 009 give the limits and the reasons.
     */
    private static final String ENDED =
            "lease has ended: a PooledBuffer may not be used after its release, close or discard, and is released once";

    static {
        Preload.all(SlabChannelBuffers.class);
    }

    private final SizeClasses classes;
    final SlabStore slabs;
    private final ThreadCaches magazines;
    private final SlowAcquire slowAcquire;
    private final SlowRelease slowRelease;
    private final WaitQueue waitQueue;
    private final Reclaiming reclaiming;
    private final Maintenance maintenance;
    private final LeakTracker leaks;
    private final @Nullable Guard guard;
    private final Runnable onGone;
    private final long max;

    /** The builder of a pool with this name. */
    public static BufferPool.Builder builder(String name) {
        return new ExplicitSettings(name, SlabPool::open);
    }

    /** Opens a pool with these settings. */
    public static SlabPool open(PoolSettings settings, @Nullable Consumer<LeakReport> onLeak) {
        if (settings.jmx() && ModuleLayer.boot().findModule("java.management").isEmpty()) {
            // Here, before anything is opened: the class of the beans cannot even be loaded.
            throw new IllegalStateException("jmx=true needs the module java.management, which this Java does not have");
        }
        if (SpecialPool.isAskedFor(settings)) {
            return new SpecialPool(settings, onLeak);
        }
        return settings.leases() == PoolSettings.LeaseMode.RECYCLED
                ? new RecycledPool(settings, onLeak)
                : new SlabPool(settings, onLeak);
    }

    SlabPool(PoolSettings settings, @Nullable Consumer<LeakReport> onLeak) {
        this(settings, onLeak, MaintenanceThread::watch);
    }

    /** A pool for tests, which no daemon looks after unless {@code watcher} says so. */
    SlabPool(PoolSettings settings, @Nullable Consumer<LeakReport> onLeak, Watcher watcher) {
        super(settings, SizeClasses.of(settings).count());
        this.classes = SizeClasses.of(settings);
        BufferPolicy policy = settings.policy();
        Budget budget = settings.sharesDefaultBudget()
                ? Budget.shared(policy.direct(), settings.maxBytes())
                : new Budget(settings.maxBytes());
        this.max = budget.max();
        RegionAllocator regions = new RegionAllocator(this, policy, budget);
        this.slabs = new SlabStore(classes.count(), regions);
        this.guard = settings.guard() ? new Guard(this, policy, max) : null;
        long threadCache = guard == null ? settings.threadCache() : 0;
        this.magazines = new ThreadCaches(this, classes, threadCache, max / 8);
        this.leaks = new LeakTracker(this, slabs, guard, settings.leaks(), onLeak);
        Caches caches = new Caches(classes, magazines, guard);
        this.waitQueue = new WaitQueue(this, classes.count());
        HandOff handOff = new HandOff(this, classes, regions, slabs, waitQueue);
        this.reclaiming = new Reclaiming(this, regions, slabs, caches, leaks, handOff);
        SlabGrowth growth = new SlabGrowth(this, classes, regions, slabs, reclaiming, handOff);
        this.slowAcquire = new SlowAcquire(this, classes, slabs, caches, handOff, growth, regions);
        this.slowRelease = new SlowRelease(this, classes, slabs, caches, handOff, guard);
        this.maintenance = new Maintenance(this, classes, regions, slabs, leaks, handOff, reclaiming);
        MBeans beans = settings.jmx() ? new MBeans(name()) : null;
        WeakReference<PoolState> weak = new WeakReference<>(this);
        this.onGone = onGone(ownedName(), weak, beans);
        try {
            watcher.watch(this, onGone, budget);
            growth.preallocate();
            FlightEvents.sample(weak);
            if (beans != null) {
                beans.register(this);
            }
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /** A pool with {@code leases=recycled}: all tenancies of a slot use its one lease object. A class of its own because of L1. */
    static final class RecycledPool extends SlabPool {
        private RecycledPool(PoolSettings settings, @Nullable Consumer<LeakReport> onLeak) {
            super(settings, onLeak);
        }

        @Override
        Lease make(Slot slot, long stamp, ByteBuffer view, @Nullable Magazine home) {
            return slot.recycled().reopen(stamp, view, home);
        }
    }

    /** Has a thread look after a pool, and call {@code onGone} when the pool is gone. */
    interface Watcher {
        void watch(PoolState pool, Runnable onGone, Budget budget);
    }

    /** Frees the name, and ends what shows the pool outside. It does not hold the pool. */
    private static Runnable onGone(PoolName name, WeakReference<PoolState> pool, @Nullable MBeans beans) {
        return () -> {
            name.free();
            FlightEvents.sampleNoMore(pool);
            if (beans != null) {
                beans.close();
            }
        };
    }

    @Override
    public long tick(long now) {
        return maintenance.tick(now);
    }

    @Override
    public void call(Callbacks.Callback callback) {
        if (MaintenanceThread.isCurrent()) {
            callbacks().add(callback);
        } else {
            callbacks().call(callback);
        }
    }

    @Override
    public PooledBuffer acquire(int size) {
        if (signals != 0) {
            checkSignals(size);
        }
        int sizeClass = classes.classOf(size);
        Magazine magazine = hasSizeListeners ? null : magazines.current(sizeClass);
        Slot slot = magazine == null ? null : magazine.take();
        ByteBuffer view = slot == null ? null : slot.beginAndTake();
        if (view != null && magazine != null) {
            magazine.hits++;
        }
        Slot found = null;
        while (slot == null || view == null) {
            found = slowAcquire.findOrRefuse(size, sizeClass, found);
            view = found.beginAndTake();
            slot = found;
            magazine = Magazine.ELSEWHERE; // this slot may be of another class
        }
        return lease(slot, view, size, magazine);
    }

    @Override
    public @Nullable PooledBuffer tryAcquire(int size) {
        return tryAcquire(size, SlowAcquire.AtCap.REFUSE);
    }

    /** Acquires like {@link #tryAcquire(int)}, and does at the cap what {@code atCap} says. */
    @Nullable Lease tryAcquire(int size, SlowAcquire.AtCap atCap) {
        if (signals != 0) {
            checkSignals(size);
        }
        int sizeClass = classes.classOf(size);
        Magazine magazine = hasSizeListeners ? null : magazines.current(sizeClass);
        Slot slot = magazine == null ? null : magazine.take();
        ByteBuffer view = slot == null ? null : slot.beginAndTake();
        if (view != null && magazine != null) {
            magazine.hits++;
        }
        Slot found = null;
        while (slot == null || view == null) {
            found = slowAcquire.find(size, sizeClass, found, atCap);
            if (found == null) {
                return null;
            }
            view = found.beginAndTake();
            slot = found;
            magazine = Magazine.ELSEWHERE; // this slot may be of another class
        }
        return lease(slot, view, size, magazine);
    }

    @Override
    public PooledBuffer acquire(int size, Duration patience) {
        long nanos = WaitingAcquire.nanos(patience);
        if (signals != 0) {
            checkSignals(size);
        }
        int sizeClass = classes.classOf(size);
        Magazine magazine = hasSizeListeners ? null : magazines.current(sizeClass);
        Slot slot = magazine == null ? null : magazine.take();
        ByteBuffer view = slot == null ? null : slot.beginAndTake();
        if (view != null && magazine != null) {
            magazine.hits++;
        }
        Slot found = null;
        while (slot == null || view == null) { // almost never more than once
            found = slowAcquire.waiting().findOrWait(size, sizeClass, found, nanos);
            view = found.beginAndTake();
            slot = found;
            magazine = Magazine.ELSEWHERE; // this slot may be of another class
        }
        return lease(slot, view, size, magazine);
    }

    /** Makes the lease of a tenancy that has begun. Its view is already out of the slot. */
    private Lease lease(Slot slot, ByteBuffer view, int size, @Nullable Magazine home) {
        try {
            view.clear().limit(size).order(ByteOrder.BIG_ENDIAN);
            return make(slot, slot.stateVolatile(), view, home);
        } catch (OutOfMemoryError | StackOverflowError e) {
            endUnleased(slot, view);
            throw e;
        }
    }

    /** Makes the lease object. */
    Lease make(Slot slot, long stamp, ByteBuffer view, @Nullable Magazine home) {
        return new Lease(slot, stamp, view, home);
    }

    /** Ends a tenancy for whose lease object there was no memory, so the slot is not lost; unless the stack has no room for this (S4). */
    private void endUnleased(Slot slot, ByteBuffer view) {
        takeBack(slot, view, slot.endUnused(), Magazine.ELSEWHERE);
    }

    /** Makes a lease for a channel on a slot that came back to that channel; null when the slot was revoked. */
    public @Nullable Lease leaseReturned(Slot slot, int size) {
        int sizeClass = slot.sizeClass();
        Magazine own = magazines.current(sizeClass);
        if (own == null) {
            StackProbe.check(); // without a magazine, counting is a call
        }
        ByteBuffer view = slot.beginAndTake();
        if (view == null) {
            return null;
        } else if (own == null) {
            counters.acquired(AcquireOutcome.CHANNEL, sizeClass);
        } else {
            own.channelHits++;
        }
        if (hasSizeListeners) {
            notifySizeListeners(size);
        }
        return lease(slot, view, size, own == null ? Magazine.ELSEWHERE : own);
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
                && (signals == 0 || isPlain(slot))
                && SlotState.endsPlainly(held)
                && slot.returnStack == null) {
            slot.viewRelease(view);
            magazine.releases++;
            if (magazine.put(slot)) {
                return;
            }
            left = null; // the view is back in the slot, and a revocation may take it
        }
        slowRelease.endAndPlace(slot, left, SlotState.NOT_OPEN, held);
    }

    /** Ends the lease of that stamp although the slot's state differs from the stamp, as {@link Slot#endHold} says. */
    @Override
    protected long endSlowly(Slot slot, ByteBuffer view, long stamp) {
        return slowRelease.endAndPlace(slot, view, stamp, 0);
    }

    /** Takes a free slot that a channel gives back. Its release was counted earlier. */
    void giveBackFree(Slot slot) {
        slowRelease.giveBackFree(slot);
    }

    @Override
    public void whenAvailable(int size, Runnable wake) {
        Objects.requireNonNull(wake, "wake");
        StackProbe.check();
        checkCaller();
        slowAcquire.waiting().whenAvailable(size, classes.classOf(size), wake);
    }

    @Override
    public ChannelBuffers channel() {
        checkCaller();
        return new SlabChannelBuffers(this);
    }

    @Override
    public PoolStats stats() {
        StackProbe.check();
        reclaiming.collect();
        return new Statistics(counters, classes, slabs, magazines).stats(max, waitQueue.size());
    }

    @Override
    public List<LeakReport> openLeases() {
        StackProbe.check();
        return OpenLeases.reports(slabs);
    }

    /** The table for any pool, which need not be of this class. */
    public static String dumpOf(BufferPool pool) {
        return PoolDump.of(pool.name(), pool.stats(), OpenLeases.of(pool.openLeases()));
    }

    @Override
    public String dump() {
        StackProbe.check();
        String name = name() + ", " + settings().policy().name() + (isClosed() ? ", closed" : "");
        return PoolDump.of(name, stats(), OpenLeases.in(slabs));
    }

    @Override
    public String toString() {
        return PoolDump.line(name(), settings().policy().name(), stats(), isClosed());
    }

    @Override
    public long trim() {
        StackProbe.check();
        checkCaller();
        return reclaiming.trim();
    }

    @Override
    public void close() {
        StackProbe.check();
        checkPolicy();
        if (beginClose()) {
            try {
                onGone.run();
            } finally {
                try {
                    reclaiming.close();
                } finally {
                    MaintenanceThread.requestTick(); // the tick repeats what failed for want of heap
                }
            }
            warnOfOpenLeases();
        }
    }

    /** Tells the log of the leases that are out, since nothing else will once the pool is closed. */
    private void warnOfOpenLeases() {
        try {
            PoolStats stats = stats();
            if (stats.leases() > 0) {
                String line =
                        OpenLeases.in(slabs).atClose(name(), settings().name(), stats.leases(), stats.leasedBytes());
                call(new Callbacks.Callback("the log", () -> Callbacks.warn(line, null)));
            }
        } catch (OutOfMemoryError | StackOverflowError | LinkageError e) {
            // The pool is closed all the same.
        }
    }

    /** Not on the path of a hit: refuses callers that must not call, and serves the waiters of the same class first. */
    private void checkSignals(int size) {
        checkCaller();
        int sizeClass = classes.classOf(size);
        if (waitQueue.hasWaiters(sizeClass)) {
            StackProbe.check();
            reclaiming.flushOwn(sizeClass);
        }
    }

    /** Whether the signals that are set do not concern the release of this slot: the waiters wait for other classes. */
    private boolean isPlain(Slot slot) {
        return signals == PRESSURE && !waitQueue.hasWaiters(slot.sizeClass());
    }

    /** Counts a release of a lease that had ended, and makes its error. */
    @Override
    protected IllegalStateException endedTwice(Slot slot, long stamp) {
        counters.invalid.incrementAndGet();
        return guard == null ? new IllegalStateException(ENDED) : guard.ended(slot, stamp, true, ENDED);
    }

    /** Makes the error of any other use of a lease that had ended. */
    @Override
    protected IllegalStateException usedAfterEnd(Slot slot, long stamp) {
        return guard == null ? new IllegalStateException(ENDED) : guard.ended(slot, stamp, false, ENDED);
    }

    public LeakTracker leaks() {
        return leaks;
    }

    @Nullable Guard guard() {
        return guard;
    }

    public int maxSize() {
        return classes.maxSize();
    }
}

package dev.buffers.internal.pool;

import dev.buffers.AcquireOutcome;
import dev.buffers.BufferPolicy;
import dev.buffers.BufferPool;
import dev.buffers.ChannelBuffers;
import dev.buffers.LeakReport;
import dev.buffers.PoolSettings;
import dev.buffers.PoolStats;
import dev.buffers.PooledBuffer;
import dev.buffers.internal.cache.Depots;
import dev.buffers.internal.cache.Magazine;
import dev.buffers.internal.cache.ThreadCaches;
import dev.buffers.internal.failsafe.StackProbe;
import dev.buffers.internal.memory.Budget;
import dev.buffers.internal.memory.RegionAllocator;
import dev.buffers.internal.monitor.Guard;
import dev.buffers.internal.monitor.LeakTracker;
import dev.buffers.internal.monitor.LostLeases;
import dev.buffers.internal.monitor.MBeans;
import dev.buffers.internal.monitor.Statistics;
import dev.buffers.internal.signals.Callbacks;
import dev.buffers.internal.signals.PoolName;
import dev.buffers.internal.slab.Lease;
import dev.buffers.internal.slab.SizeClasses;
import dev.buffers.internal.slab.SlabStore;
import dev.buffers.internal.slab.Slot;
import dev.buffers.internal.slab.SlotOwner;
import dev.buffers.internal.slab.SlotState;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The pool: the path of a hit, and what concerns the pool as a whole. What happens on a miss is {@link SlowAcquire}'s
 * and {@link SlowRelease}'s.
 *
 * <p>Any thread. A hit takes no lock and, on a platform thread, no atomic step to acquire and one to release.
 */
public sealed class SlabPool extends SlotOwner implements BufferPool permits RecycledPool, SpecialPool {
    /*
     * acquire:  size -> class -> this thread's magazine -> begin a tenancy and take the view (Slot, S3) -> count -> lease
     * release:  end the tenancy (Slot, S1) -> put the view back (S2) -> count -> this thread's magazine
     *
     * L1  A lease that stays in one method needs no object, for HotSpot removes it: if acquire and what ends it are inlined
     *     there, and if no other object can come out of acquire. So that this holds whatever else a program does with this
     *     or with other pools, and not only where nothing else has ever happened:
     *       - no method of a hit is compiled to more than the 2,500 bytes that HotSpot still inlines (InlineSmallCode).
     *         What is not part of every hit lies behind a call that is never inlined, being longer than 325 bytecodes
     *         (FreqInlineSize): SlowAcquire.find, which is also where a hit goes in a pool with listeners, and SlowRelease.endTenancy.
     *       - what else may be returned, or has to be done to a lease, is in a class of its own, not in a branch
     *         (RecycledPool, SpecialPool); and a revoked slot is found before a lease is made for it, since HotSpot does not
     *         remove what may also be null.
     */
    private static final String ENDED =
            "lease has ended: a PooledBuffer may not be used after its release, close or discard, and is released once";

    static {
        Preload.all();
    }

    private final SizeClasses classes;
    private final SlabStore slabs;
    private final ThreadCaches magazines;
    private final SlowAcquire slowAcquire;
    private final SlowRelease slowRelease;
    private final WaitQueue waitQueue;
    private final Reclaiming reclaiming;
    private final Maintenance maintenance;
    private final LeakTracker leaks;
    private final @Nullable Guard guard;
    private final @Nullable MBeans beans;
    private final long max;

    /** What makes a pool of that name. */
    public static BufferPool.Builder builder(String name) {
        return new PoolBuilder(name);
    }

    /** A pool with these settings, open. */
    public static SlabPool open(PoolSettings settings, @Nullable Consumer<LeakReport> onLeak) {
        if (settings.jmx()) {
            checkJmx();
        }
        if (SpecialPool.isAskedFor(settings)) {
            return new SpecialPool(settings, onLeak);
        }
        return settings.leases() == PoolSettings.LeaseMode.RECYCLED
                ? new RecycledPool(settings, onLeak)
                : new SlabPool(settings, onLeak);
    }

    SlabPool(PoolSettings settings, @Nullable Consumer<LeakReport> onLeak) {
        this(settings, SizeClasses.of(settings), onLeak);
    }

    private SlabPool(PoolSettings settings, SizeClasses classes, @Nullable Consumer<LeakReport> onLeak) {
        super(settings, classes.count());
        this.classes = classes;
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
        this.leaks = new LeakTracker(this, settings.leaks(), onLeak);
        Caches caches = new Caches(magazines, new Depots(classes), guard);
        this.waitQueue = new WaitQueue(this, classes.count());
        HandOff handOff = new HandOff(this, classes, regions, slabs, waitQueue, new WakeUps(this));
        LostLeases lostLeases = new LostLeases(this, slabs, leaks, guard);
        this.reclaiming = new Reclaiming(this, regions, slabs, caches, lostLeases, handOff);
        SlabGrowth growth = new SlabGrowth(this, classes, regions, slabs, reclaiming, handOff);
        Refusals refusals = new Refusals(this, regions, classes);
        this.slowAcquire = new SlowAcquire(this, classes, slabs, caches, handOff, growth, refusals);
        this.slowRelease = new SlowRelease(this, classes, slabs, caches, handOff, guard);
        this.maintenance = new Maintenance(this, classes, regions, slabs, leaks, handOff, reclaiming);
        this.beans = settings.jmx() ? new MBeans(name()) : null;
        try {
            MaintenanceThread.watch(this, onGone(ownedName(), beans), budget);
            growth.preallocate();
            if (beans != null) {
                beans.register(this);
            }
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /** Before anything is opened: without the module the beans' class cannot even be loaded. */
    private static void checkJmx() {
        if (ModuleLayer.boot().findModule("java.management").isEmpty()) {
            throw new IllegalStateException("jmx=true needs the module java.management, which this Java does not have");
        }
    }

    /** What frees the name and ends the beans. It holds no pool. */
    private static Runnable onGone(PoolName name, @Nullable MBeans beans) {
        return () -> {
            name.free();
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
            callLater(callback);
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
        }
        return lease(slot, view, size);
    }

    @Override
    public @Nullable PooledBuffer tryAcquire(int size) {
        PooledBuffer lease = tryAcquireUncounted(size);
        if (lease == null) {
            slowAcquire.refuseSilently(size, classes.classOf(size));
        }
        return lease;
    }

    /** The same, not counted when it is refused. */
    @Nullable Lease tryAcquireUncounted(int size) {
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
            found = slowAcquire.find(size, sizeClass, found, SlowAcquire.Asker.WISHES);
            if (found == null) {
                return null;
            }
            view = found.beginAndTake();
            slot = found;
        }
        return lease(slot, view, size);
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
        while (slot == null || view == null) { // more than once all but never
            found = slowAcquire.findOrWait(size, sizeClass, found, nanos);
            view = found.beginAndTake();
            slot = found;
        }
        return lease(slot, view, size);
    }

    /** The lease of a tenancy that has begun, its view taken out of the slot. */
    private Lease lease(Slot slot, ByteBuffer view, int size) {
        try {
            view.clear().limit(size).order(ByteOrder.BIG_ENDIAN);
            return make(slot, slot.stateVolatile(), view);
        } catch (OutOfMemoryError | StackOverflowError e) {
            endUnleased(slot, view);
            throw e;
        }
    }

    /** The lease object. */
    Lease make(Slot slot, long stamp, ByteBuffer view) {
        return new Lease(slot, stamp, view);
    }

    /** Nothing is lost when there is no memory for the lease object. Where the stack has no room for this either, the slot is (S4). */
    private void endUnleased(Slot slot, ByteBuffer view) {
        takeBack(slot, view, slot.endUnused());
    }

    /** A lease for a channel, on a slot that came back to it; null when that is a revoked slot. */
    public @Nullable Lease leaseReturned(Slot slot, int size) {
        int sizeClass = slot.sizeClass();
        Magazine own = magazines.current(sizeClass);
        if (own == null) {
            StackProbe.check(); // counting is a call then
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
        return lease(slot, view, size);
    }

    /**
     * The tenancy {@code held} of a slot has just ended, and the caller won that: its view goes back, and the slot to where
     * the next acquire will look first.
     */
    @Override
    protected void takeBack(Slot slot, ByteBuffer view, long held) {
        ByteBuffer left = view;
        if ((signals == 0 || isPlain(slot)) && SlotState.endsPlainly(held) && slot.returnStack == null) {
            Magazine magazine = magazines.current(slot.sizeClass());
            if (magazine != null) {
                slot.viewRelease(view);
                magazine.releases++;
                if (magazine.put(slot)) {
                    return;
                }
                left = null; // once it is back, the view may be anybody's
            }
        }
        slowRelease.endTenancy(slot, left, held, true);
    }

    /** Ends the lease of that stamp though its slot is not as that began with: as {@link Slot#endHold} says. */
    @Override
    protected long endSlowly(Slot slot, ByteBuffer view, long stamp) {
        return slowRelease.endTenancy(slot, view, stamp, false);
    }

    /** A free slot that a channel gives back, its release long counted. */
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
    public void addSizeListener(IntConsumer listener) {
        Objects.requireNonNull(listener, "listener");
        StackProbe.check();
        addListener(listener);
    }

    @Override
    public void removeSizeListener(IntConsumer listener) {
        Objects.requireNonNull(listener, "listener");
        StackProbe.check();
        removeListener(listener);
    }

    @Override
    public List<LeakReport> openLeases() {
        StackProbe.check();
        return LeakTracker.open(slabs);
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
                onGone(ownedName(), beans).run();
            } finally {
                try {
                    reclaiming.close();
                } finally {
                    MaintenanceThread.requestTick(); // it does what has found no heap
                }
            }
        }
    }

    /** Off the path of a hit: refuses who must not call, and lets those go first who wait for the same class. */
    private void checkSignals(int size) {
        checkCaller();
        int sizeClass = classes.classOf(size);
        if (isWanted(sizeClass)) {
            StackProbe.check();
            reclaiming.flushOwn(sizeClass);
        }
    }

    /** Whether a waiter waits for a slot of this class. */
    private boolean isWanted(int sizeClass) {
        return isUnderPressure() && waitQueue.hasWaiters(sizeClass);
    }

    /** Whether the signals that are up do not concern the release of this slot: others wait for other classes. */
    private boolean isPlain(Slot slot) {
        return signals == PRESSURE && !waitQueue.hasWaiters(slot.sizeClass());
    }

    /** A release was refused: the lease had ended. */
    @Override
    protected IllegalStateException refused(Slot slot, long stamp) {
        counters.invalid.incrementAndGet();
        return guard == null ? new IllegalStateException(ENDED) : guard.ended(slot, stamp, true, ENDED);
    }

    /** A lease was used that had ended. */
    @Override
    protected IllegalStateException ended(Slot slot, long stamp) {
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

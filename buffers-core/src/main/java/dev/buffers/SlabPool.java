package dev.buffers;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.ReferenceQueue;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The pool: the path of a hit, and what concerns the pool as a whole. What happens on a miss is {@link SlowAcquire}'s
 * and {@link SlowRelease}'.
 *
 * <p>Any thread. A hit takes no lock and, on a platform thread, no atomic step to acquire and one to release.
 */
sealed class SlabPool implements BufferPool permits RecycledPool, SpecialPool {
    /*
     * acquire:  size -> class -> this thread's magazine -> begin a tenancy and take the view (Slot, S3) -> count -> lease
     * release:  end the tenancy (Slot, S1) -> put the view back (S2) -> count -> this thread's magazine
     *
     * `signals` is zero as long as nothing special is going on, so that a hit looks at one word:
     *
     *   CLOSED    no acquire succeeds, no release caches
     *   PRESSURE  somebody waits for a slot of some class: releases of that class go home and wake it. Read after the
     *             release's compare-and-set, set before the waiter looks for room, so that one of the two sees the other.
     *             Who waits for a whole region is no concern of a hit: the tick sees to it
     *   ZERO      releases overwrite the memory
     *   GUARD     misuse is hunted: releases go the long way
     *   CALLING   (a count) a user's policy is running, and must not call the pool
     *
     *   field    written by                      mode                       read by   mode
     *   signals  close, waiters, policy calls    getAndBitwise, getAndAdd   any hit   volatile
     *   told     size listeners, under a lock    plain                      any hit   plain: enough for who acquires after, in
     *                                                                                 happens-before, a listener was added
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
    static final int CLOSED = 1;
    static final int PRESSURE = 2;
    static final int ZERO = 4;
    static final int GUARD = 8;
    static final int CALLING = 16;

    private static final String ENDED =
            "lease has ended: a PooledBuffer may not be used after its release, close or discard, and is released once";

    private static final byte[] ZEROS = new byte[4096];
    private static final VarHandle SIGNALS;

    static {
        try {
            SIGNALS = MethodHandles.lookup().findVarHandle(SlabPool.class, "signals", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
        Preload.all();
    }

    final Counters counters;
    final ReferenceQueue<ByteBuffer> lost = new ReferenceQueue<>();

    private final PoolName name;
    private final PoolSettings settings;
    private final SizeClasses classes;
    private final RegionAllocator regions;
    private final SlabStore slabs;
    private final ThreadCaches magazines;
    private final SlowAcquire supply;
    private final WaitQueue waiters;
    private final WaitingAcquire waiting;
    private final SlowRelease returns;
    private final ThreadLocal<@Nullable String> calling = new ThreadLocal<>();
    private final boolean recycledLeases;
    private final ReentrantLock listening = new ReentrantLock();
    private final LeakTracker leaks;
    private final @Nullable Guard guard;
    private final SizeListeners sizeListeners = new SizeListeners();
    private final Callbacks callbacks;
    private final @Nullable MBeans beans;

    private boolean hasSizeListeners;
    private volatile int signals;

    /** A pool with these settings, open. */
    static SlabPool open(PoolSettings settings, @Nullable Consumer<LeakReport> onLeak) {
        if (SpecialPool.isAskedFor(settings)) {
            return new SpecialPool(settings, onLeak);
        }
        return settings.leases() == PoolSettings.LeaseMode.RECYCLED
                ? new RecycledPool(settings, onLeak)
                : new SlabPool(settings, onLeak);
    }

    SlabPool(PoolSettings settings, @Nullable Consumer<LeakReport> onLeak) {
        this.settings = settings;
        if (settings.jmx()) {
            checkJmx();
        }
        BufferPolicy policy = settings.policy();
        Budget budget = settings.sharesDefaultBudget()
                ? Budget.shared(policy.direct(), settings.maxBytes())
                : new Budget(settings.maxBytes());
        this.classes = SizeClasses.of(settings);
        this.counters = new Counters(classes.count());
        this.regions = new RegionAllocator(this, policy, budget);
        this.slabs = new SlabStore(classes.count(), regions);
        this.guard = settings.guard() ? new Guard(this, policy, budget.max()) : null;
        long threadCache = guard == null ? settings.threadCache() : 0;
        this.magazines = new ThreadCaches(this, classes.count(), threadCache, budget.max() / 8);
        this.recycledLeases = settings.leases() == PoolSettings.LeaseMode.RECYCLED;
        this.leaks = new LeakTracker(this, settings.leaks(), onLeak);
        this.signals = (settings.zero() == PoolSettings.Zeroing.RELEASE ? ZERO : 0) | (guard == null ? 0 : GUARD);
        this.name = PoolName.of(settings.name());
        this.callbacks = new Callbacks(name.text(), new DaemonThreads("buffers-callbacks-" + name));
        this.supply = new SlowAcquire(this, classes, regions, slabs, magazines, leaks, guard);
        this.waiters = supply.waiters();
        this.waiting = supply.waiting();
        this.returns = supply.returns();
        this.beans = settings.jmx() ? new MBeans(name.text()) : null;
        try {
            MaintenanceThread.watch(this, callbacks, onGone(name, beans), budget);
            supply.preallocate();
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

    /** By the {@link MaintenanceThread}, as {@link Maintenance#tick} says. */
    long tick(long now) {
        return supply.upkeep().tick(now);
    }

    /** Has the pool's own thread call what is a user's. Allocates nothing. */
    void callLater(Callbacks.Callback due) {
        callbacks.add(due);
    }

    /** Calls what is a user's: on this thread or, where that is the daemon, on the pool's own. Throws nothing. */
    void call(Callbacks.Callback due) {
        if (MaintenanceThread.isCurrent()) {
            callbacks.add(due);
        } else {
            callbacks.call(due);
        }
    }

    @Override
    public String name() {
        return name.text();
    }

    @Override
    public PoolSettings settings() {
        return settings;
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
            found = supply.findOrRefuse(size, sizeClass, found);
            view = found.beginAndTake();
            slot = found;
        }
        return lease(slot, view, size);
    }

    @Override
    public @Nullable PooledBuffer tryAcquire(int size) {
        PooledBuffer lease = tryAcquireUncounted(size);
        if (lease == null) {
            supply.checkCanBeHad(size, classes.classOf(size));
            supply.countRefusal(size);
        }
        return lease;
    }

    /** The same, not counted when it is refused. */
    @Nullable PooledBuffer tryAcquireUncounted(int size) {
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
            found = supply.find(size, sizeClass, found, SlowAcquire.Asker.WISHES);
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
            found = supply.findOrWait(size, sizeClass, found, nanos);
            view = found.beginAndTake();
            slot = found;
        }
        return lease(slot, view, size);
    }

    /** The lease of a tenancy that has begun, its view taken out of the slot. */
    private PooledBuffer lease(Slot slot, ByteBuffer view, int size) {
        try {
            view.clear().limit(size).order(ByteOrder.BIG_ENDIAN);
            return make(slot, slot.stateVolatile(), view);
        } catch (OutOfMemoryError | StackOverflowError e) {
            endUnleased(slot, view);
            throw e;
        }
    }

    /** The lease object. */
    PooledBuffer make(Slot slot, long stamp, ByteBuffer view) {
        return new PooledBuffer(slot, stamp, view);
    }

    /** Nothing is lost when there is no memory for the lease object. Where the stack has no room for this either, the slot is (S4). */
    private void endUnleased(Slot slot, ByteBuffer view) {
        takeBack(slot, view, slot.endUnused());
    }

    /** A lease for a channel, on a slot that came back to it; null when that is a revoked slot. */
    @Nullable PooledBuffer leaseReturned(Slot slot, int size) {
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
    void takeBack(Slot slot, ByteBuffer view, long held) {
        ByteBuffer left = view;
        if ((signals == 0 || isPlain(slot)) && Slot.endsPlainly(held) && slot.returnStack == null) {
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
        returns.endTenancy(slot, left, held, true);
    }

    /** Ends the lease of that stamp though its slot is not as that began with: as {@link Slot#endHold} says. */
    long endSlowly(Slot slot, ByteBuffer view, long stamp) {
        return returns.endTenancy(slot, view, stamp, false);
    }

    /** A free slot that a channel gives back, its release long counted. */
    void giveBackFree(Slot slot) {
        returns.giveBackFree(slot);
    }

    /** Overwrites the whole buffer; leaves it cleared. */
    static void zero(ByteBuffer view) {
        view.clear();
        for (int at = 0; at < view.capacity(); at += ZEROS.length) {
            view.put(at, ZEROS, 0, Math.min(ZEROS.length, view.capacity() - at));
        }
    }

    @Override
    public void whenAvailable(int size, Runnable wake) {
        Objects.requireNonNull(wake, "wake");
        StackProbe.check();
        checkCaller();
        waiting.whenAvailable(size, classes.classOf(size), wake);
    }

    @Override
    public ChannelBuffers channel() {
        checkCaller();
        return new ChannelBuffers(this);
    }

    @Override
    public PoolStats stats() {
        StackProbe.check();
        return supply.stats();
    }

    @Override
    public void addSizeListener(IntConsumer listener) {
        Objects.requireNonNull(listener, "listener");
        listen(() -> sizeListeners.add(listener));
    }

    @Override
    public void removeSizeListener(IntConsumer listener) {
        Objects.requireNonNull(listener, "listener");
        listen(() -> sizeListeners.remove(listener));
    }

    private void listen(Runnable change) {
        StackProbe.check();
        listening.lock();
        try {
            change.run();
            hasSizeListeners = !sizeListeners.isEmpty();
        } finally {
            listening.unlock();
        }
    }

    /** Whether anybody is. */
    boolean hasSizeListeners() {
        return hasSizeListeners;
    }

    /** An acquire is answered, with a slot or a refusal, and counted. */
    void notifySizeListeners(int size) {
        sizeListeners.notify(size, name.text(), calling);
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
        return supply.trim();
    }

    @Override
    public void close() {
        StackProbe.check();
        checkPolicy();
        if (((int) SIGNALS.getAndBitwiseOr(this, CLOSED) & CLOSED) == 0) {
            try {
                onGone(name, beans).run();
            } finally {
                try {
                    supply.close();
                } finally {
                    MaintenanceThread.requestTick(); // it does what has found no heap
                }
            }
        }
    }

    boolean isClosed() {
        return (signals & CLOSED) != 0;
    }

    /** Whether somebody waits for a slot of this class. */
    boolean hasWaiters(int sizeClass) {
        return (signals & PRESSURE) != 0 && waiters.hasWaiters(sizeClass);
    }

    /** Whether somebody waits, for whatever. */
    boolean isUnderPressure() {
        return waiters.hasWaiters();
    }

    boolean recyclesLeases() {
        return recycledLeases;
    }

    boolean zeroesOnRelease() {
        return (signals & ZERO) != 0;
    }

    void signal(int bit, boolean on) {
        if (on) {
            SIGNALS.getAndBitwiseOr(this, bit);
        } else {
            SIGNALS.getAndBitwiseAnd(this, ~bit);
        }
    }

    /** Runs a user's policy, which must not call this pool meanwhile. */
    @Nullable ByteBuffer allocate(BufferPolicy policy, int bytes) {
        SIGNALS.getAndAdd(this, CALLING);
        calling.set("a policy");
        try {
            return policy.allocate(bytes);
        } finally {
            calling.remove();
            SIGNALS.getAndAdd(this, -CALLING);
        }
    }

    /** Off the path of a hit: refuses who must not call, and lets those go first who wait for the same class. */
    private void checkSignals(int size) {
        checkCaller();
        int sizeClass = classes.classOf(size);
        if (hasWaiters(sizeClass)) {
            StackProbe.check();
            supply.flushOwn(sizeClass);
        }
    }

    /** Whether the signals that are up do not concern the release of this slot: others wait for other classes. */
    private boolean isPlain(Slot slot) {
        return signals == PRESSURE && !waiters.hasWaiters(slot.sizeClass());
    }

    /** Refuses who must not call. */
    void checkCaller() {
        if (isClosed()) {
            throw new IllegalStateException("pool is closed: pool=" + name);
        }
        checkPolicy();
    }

    private void checkPolicy() {
        if ((hasSizeListeners || signals >= CALLING) && calling.get() != null) {
            throw new IllegalStateException(calling.get() + " must not call the pool that called it: pool=" + name
                    + ", policy=" + settings.policy().name());
        }
    }

    /** A release was refused: the lease had ended. */
    IllegalStateException refused(Slot slot, long stamp) {
        counters.invalid.incrementAndGet();
        return guard == null ? new IllegalStateException(ENDED) : guard.ended(slot, stamp, true, ENDED);
    }

    /** A lease was used that had ended. */
    IllegalStateException ended(Slot slot, long stamp) {
        return guard == null ? new IllegalStateException(ENDED) : guard.ended(slot, stamp, false, ENDED);
    }

    LeakTracker leaks() {
        return leaks;
    }

    @Nullable Guard guard() {
        return guard;
    }

    /** Whether bytes that nobody may write lie between the slots. */
    boolean laysCanaries() {
        return guard != null && !settings.policy().direct() && settings.policy().views();
    }

    int slotSize(int sizeClass) {
        return classes.sizeOf(sizeClass);
    }

    int maxSize() {
        return classes.maxSize();
    }
}

package dev.buffers;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.ReferenceQueue;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The pool: the path of a hit, and what concerns the pool as a whole. What happens on a miss is {@link Supply}'s.
 *
 * <p>Any thread. A hit takes no lock and, on a platform thread, no atomic step to acquire and one to release.
 */
final class SlabPool implements BufferPool {
    /*
     * acquire:  size -> class -> this thread's magazine -> begin a tenancy (Slot, S3) -> take the view -> lease
     * release:  end the tenancy (Slot, S1) -> put the view back (S2) -> this thread's magazine
     *
     * `signals` is zero as long as nothing special is going on, so that a hit looks at one word:
     *
     *   CLOSED    no acquire succeeds, no release caches
     *   PRESSURE  somebody waits for room: releases go home and wake who waits. Read after the release's
     *             compare-and-set, set before the waiter looks for room, so that one of the two sees the other
     *   ZERO      releases overwrite the memory
     *   CALLING   (a count) a user's policy is running, and must not call the pool
     *
     *   field    written by                       mode                       read by   mode
     *   signals  close, waiters, policy calls     getAndBitwise, getAndAdd   any hit   volatile
     */
    static final int CLOSED = 1;
    static final int PRESSURE = 2;
    static final int ZERO = 4;
    static final int CALLING = 8;

    private static final Set<String> OPEN_NAMES = ConcurrentHashMap.newKeySet();
    private static final byte[] ZEROS = new byte[4096];
    private static final VarHandle SIGNALS;

    static {
        try {
            SIGNALS = MethodHandles.lookup().findVarHandle(SlabPool.class, "signals", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final Counters counters;
    final ReferenceQueue<ByteBuffer> lost = new ReferenceQueue<>();

    private final String name;
    private final PoolSettings settings;
    private final SizeClasses classes;
    private final Regions regions;
    private final Slabs slabs;
    private final ThreadMagazines magazines;
    private final Supply supply;
    private final ThreadLocal<Boolean> calling = new ThreadLocal<>();
    private final boolean recycledLeases;
    private final boolean zeroOnAcquire;
    private final boolean plainLeases;

    private volatile int signals;

    SlabPool(PoolSettings settings) {
        this.settings = settings;
        BufferPolicy policy = settings.policy();
        Budget budget = settings.sharesDefaultBudget()
                ? Budget.shared(policy.direct(), settings.maxBytes())
                : new Budget(settings.maxBytes());
        this.classes = new SizeClasses((int) Math.min(settings.maxSize(), settings.regionSize()));
        this.counters = new Counters(classes.count());
        this.regions = new Regions(this, policy, budget);
        this.slabs = new Slabs(classes.count(), regions);
        this.magazines = new ThreadMagazines(this, classes.count(), settings.threadCache(), budget.max() / 8);
        this.recycledLeases = settings.leases() == PoolSettings.LeaseMode.RECYCLED;
        this.zeroOnAcquire = settings.zero() == PoolSettings.Zeroing.ACQUIRE;
        this.plainLeases = !recycledLeases && !zeroOnAcquire;
        this.signals = settings.zero() == PoolSettings.Zeroing.RELEASE ? ZERO : 0;
        this.supply = new Supply(this, classes, regions, slabs, magazines);
        this.name = openName(settings.name());
        try {
            supply.preallocate();
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    private static String openName(String wanted) {
        String name = wanted;
        for (int i = 2; !OPEN_NAMES.add(name); i++) {
            name = wanted + "-" + i;
        }
        return name;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public PoolSettings settings() {
        return settings;
    }

    /*
     * Nothing here but a lease may be returned: were null one of the results, HotSpot could not remove a lease that stays
     * local.
     */
    @Override
    public PooledBuffer acquire(int size) {
        if (signals != 0) {
            checkCaller();
        }
        int sizeClass = classes.classOf(size);
        Magazine magazine = magazines.current(sizeClass);
        Slot slot = magazine == null ? null : magazine.take();
        if (slot == null) {
            slot = supply.findOrRefuse(size, sizeClass);
        }
        PooledBuffer lease = lease(slot, size);
        return lease == null ? acquire(size) : lease;
    }

    @Override
    public @Nullable PooledBuffer tryAcquire(int size) {
        PooledBuffer lease = wish(size);
        if (lease == null) {
            supply.countRefusal();
        }
        return lease;
    }

    /** The same, not counted when it is refused. */
    @Nullable PooledBuffer wish(int size) {
        if (signals != 0) {
            checkCaller();
        }
        int sizeClass = classes.classOf(size);
        Magazine magazine = magazines.current(sizeClass);
        Slot slot = magazine == null ? null : magazine.take();
        if (slot == null) {
            slot = supply.find(size, sizeClass);
            if (slot == null) {
                return null;
            }
        }
        PooledBuffer lease = lease(slot, size);
        return lease == null ? wish(size) : lease;
    }

    /** A lease on a slot whose tenancy has begun; null when the slot turned out to be a husk. */
    private @Nullable PooledBuffer lease(Slot slot, int size) {
        ByteBuffer view = slot.takeView();
        if (view == null) {
            counters.recycled(slot.sizeClass());
            return null;
        }
        view.clear().limit(size).order(ByteOrder.BIG_ENDIAN);
        long stamp = slot.stateVolatile();
        try {
            return plainLeases ? new PooledBuffer(slot, stamp, view) : specialLease(slot, stamp, view);
        } catch (OutOfMemoryError e) {
            endUnleased(slot, stamp, view);
            throw e;
        }
    }

    private PooledBuffer specialLease(Slot slot, long stamp, ByteBuffer view) {
        if (zeroOnAcquire) {
            int size = view.limit();
            zero(view);
            view.limit(size);
        }
        return recycledLeases ? slot.recycled().again(stamp, view) : new PooledBuffer(slot, stamp, view);
    }

    /** Nothing is lost when there is no memory for the lease object. */
    private void endUnleased(Slot slot, long stamp, ByteBuffer view) {
        slot.compareAndSetState(stamp, Slot.afterLast(stamp));
        takeBack(slot, view, stamp);
    }

    /** A lease for a channel, on a slot that came back to it; null when that is a husk. */
    @Nullable PooledBuffer leaseAgain(Slot slot, int size) {
        slot.begin();
        supply.countChannelHit(slot.sizeClass());
        return lease(slot, size);
    }

    /**
     * The tenancy {@code held} of a slot has just ended, and the caller won that: its view goes back, and the slot to where
     * the next acquire will look first.
     */
    void takeBack(Slot slot, ByteBuffer view, long held) {
        if (signals == 0 && Slot.endsPlainly(held) && slot.channel == null) {
            Magazine magazine = magazines.current(slot.sizeClass());
            if (magazine != null) {
                slot.viewRelease(view);
                if (magazine.give(slot)) {
                    return;
                }
            }
        }
        supply.settle(slot, view, held);
    }

    /** A free slot that a channel gives back, its release long counted. */
    void giveFree(Slot slot) {
        supply.giveFree(slot);
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
        checkCaller();
        supply.whenAvailable(size, classes.classOf(size), wake);
    }

    @Override
    public ChannelBuffers channel() {
        checkCaller();
        return new ChannelBuffers(this);
    }

    @Override
    public PoolStats stats() {
        return supply.stats();
    }

    @Override
    public long trim() {
        checkCaller();
        return supply.trim();
    }

    @Override
    public void close() {
        checkPolicy();
        if (((int) SIGNALS.getAndBitwiseOr(this, CLOSED) & CLOSED) == 0) {
            OPEN_NAMES.remove(name);
            supply.close();
        }
    }

    boolean isClosed() {
        return (signals & CLOSED) != 0;
    }

    boolean isUnderPressure() {
        return (signals & PRESSURE) != 0;
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
        calling.set(true);
        try {
            return policy.allocate(bytes);
        } finally {
            calling.remove();
            SIGNALS.getAndAdd(this, -CALLING);
        }
    }

    /** Off the path of a hit: refuses who must not call. */
    void checkCaller() {
        if (isClosed()) {
            throw new IllegalStateException("pool is closed: pool=" + name);
        }
        checkPolicy();
    }

    private void checkPolicy() {
        if (signals >= CALLING && calling.get() != null) {
            throw new IllegalStateException("a policy must not call the pool that called it: pool=" + name + ", policy="
                    + settings.policy().name());
        }
    }

    /** A release was refused. */
    void refused() {
        counters.invalid.incrementAndGet();
    }

    int slotSize(int sizeClass) {
        return classes.sizeOf(sizeClass);
    }

    int maxSize() {
        return classes.maxSize();
    }
}

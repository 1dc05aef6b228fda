// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.guard;

import dev.buffers.AcquireOutcome;
import dev.buffers.Exhaustion;
import dev.buffers.PoolExhaustedException;
import dev.buffers.PoolSettings;
import dev.buffers.PooledBuffer;
import dev.buffers.internal.memory.BuiltInPolicy;
import dev.buffers.internal.memory.CollectionSign;
import dev.buffers.internal.monitor.LeakReports;
import dev.buffers.internal.signals.PoolState;
import dev.buffers.internal.signals.Refusals;
import dev.buffers.internal.signals.WaitQueue;
import dev.buffers.internal.slab.Eraser;
import dev.buffers.internal.slab.SizeClasses;
import dev.buffers.internal.upkeep.MaintenanceThread;
import dev.buffers.internal.upkeep.Serving;
import dev.buffers.internal.upkeep.Waiting;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The acquire of a guarded pool: finds memory for a lease, waits for it, or refuses.
 *
 * <p>Any thread, with no lock held: wake-ups, a policy and size listeners are the user's code.
 */
final class GuardedAcquire implements Waiting.Memory, Serving.Memory {
    final PoolState pool;
    private final Tenancy.Owner owner;
    private final SizeClasses classes;
    private final BlockStore blocks;
    private final LeakReports lost;
    private final Refusals refusals;
    private final long max;
    final WaitQueue waitQueue;
    private final Waiting waiting;
    private final Serving serving;

    /** The tenancies whose leases were all lost. Only the tick polls it, as {@code LeakTracker} does. */
    private final ReferenceQueue<ByteBuffer> unreachable = new ReferenceQueue<>();

    private final CollectionSign sign = new CollectionSign();

    GuardedAcquire(
            PoolState pool, Tenancy.Owner owner, SizeClasses classes, BlockStore blocks, LeakReports lost, long max) {
        this.pool = pool;
        this.owner = owner;
        this.classes = classes;
        this.blocks = blocks;
        this.lost = lost;
        this.refusals = new Refusals(pool);
        this.max = max;
        this.waitQueue = new WaitQueue(pool, classes.count());
        this.waiting = new Waiting(pool, waitQueue, this);
        this.serving = new Serving(pool, waitQueue, blocks.regions.budget, this, false);
    }

    /** As the setting {@code at-limit} says. */
    PooledBuffer acquire(int size) {
        Exhaustion atLimit = pool.settings().atLimit();
        boolean mayBeBeyond = atLimit.kind() == Exhaustion.Kind.UNPOOLED;
        pool.enter();
        if (!mayBeBeyond) {
            checkFits(size, true);
        }
        PooledBuffer lease = atLimit.patience().isZero()
                ? find(size)
                : await(size, atLimit.patience().toNanos());
        if (lease == null && mayBeBeyond) {
            if (classes.bytesFor(size) <= max) {
                pool.counters.refused(size); // a collection could have prevented it
            }
            Block beyond = blocks.beyond(size);
            if (beyond != null && refusals.beyondIsDue()) {
                refusals.logBeyond(size, fits(size) ? blocks.regions.refusal() : needs(size));
            }
            lease = beyond == null ? null : lease(beyond, size);
        }
        if (lease == null) {
            throw refused(size, "");
        }
        return notified(size, lease);
    }

    PooledBuffer acquire(int size, Duration patience) {
        long nanos = Waiting.nanos(patience);
        pool.enter();
        checkFits(size, true);
        return notified(size, await(size, nanos));
    }

    @Nullable PooledBuffer tryAcquire(int size) {
        pool.enter();
        checkFits(size, true);
        PooledBuffer lease = find(size);
        if (lease == null) {
            refusals.count(size, blocks.regions.refusal());
            return null;
        }
        return notified(size, lease);
    }

    /** For a channel: null at the cap, uncounted, and for a size that never fits. */
    @Nullable PooledBuffer findForChannel(int size) {
        pool.enter();
        PooledBuffer lease = find(size);
        return lease == null ? null : notified(size, lease);
    }

    private PooledBuffer notified(int size, PooledBuffer lease) {
        if (pool.watchesAcquires()) {
            pool.notifySizeListeners(size);
        }
        return lease;
    }

    private void checkFits(int size, boolean counted) {
        if (!fits(size)) {
            String never = "can never succeed: " + needs(size);
            throw counted ? refusals.error(size, never) : refusals.uncounted(size, never);
        }
    }

    private boolean fits(int size) {
        return classes.bytesFor(size) <= max;
    }

    private String needs(int size) {
        return "needs " + classes.bytesFor(size) + " bytes, max is " + max;
    }

    /** A lease, counted; null at the cap, uncounted. */
    private @Nullable PooledBuffer find(int size) {
        int capacity = classes.bytesFor(size);
        if (capacity > max) {
            return null;
        }
        if (waitQueue.hasWaiters(classes.classOf(size))) {
            serving.serve(false); // first come, first served
        }
        Block block = allocated(null, capacity, true);
        return block == null ? null : lease(block, size);
    }

    /** Memory, with a new allocation only if it {@code may} be made; null at the cap, or when the JVM has none. */
    private @Nullable Block allocated(WaitQueue.@Nullable Waiter waiter, int capacity, boolean may) {
        Block block = reserve(waiter, capacity, may);
        while (block != null && !blocks.allocate(block)) {
            block = reserve(waiter, capacity, false);
        }
        return block;
    }

    /**
     * Memory, or the charge for it; null at the cap. Memory kept aside is the last resort.
     *
     * <p>Once nothing is aside, memory that was free throughout this search has been dropped, by this thread or another. The last looks
     * find it: it is adopted, or the collector has taken it and its bytes are credited.
     *
     * @param waiter for which the memory is; null if it is for this thread
     */
    private @Nullable Block reserve(WaitQueue.@Nullable Waiter waiter, int capacity, boolean grow) {
        int kept = waitQueue.keptFrom(waiter, capacity);
        Block block = take(capacity, grow, kept);
        if (block == null) {
            blocks.collect();
            block = take(capacity, grow, kept);
        }
        while (block == null && blocks.leaveOldest()) {
            block = take(capacity, grow, kept);
        }
        if (block == null) {
            block = blocks.takeLarger(capacity, kept);
        }
        if (block == null && grow) {
            blocks.collect();
            block = blocks.charge(capacity, kept);
        }
        if (block != null) {
            block.sizeClass = classes.classOf(capacity);
        } else if (sign.takeSeen()) {
            MaintenanceThread.requestTick();
        }
        return block;
    }

    private @Nullable Block take(int capacity, boolean grow, int kept) {
        Block dropped = blocks.take(capacity, capacity, kept);
        return dropped == null && grow ? blocks.charge(capacity, kept) : dropped;
    }

    /** Begins a tenancy, and counts it. If that fails, the block is given back. */
    private PooledBuffer lease(Block block, int size) {
        boolean again = block.last != null;
        boolean plain = block.isBeyond() || !BuiltInPolicy.pools(pool.settings().policy());
        boolean begun = false;
        try {
            ByteBuffer view = blocks.lend(block);
            if (pool.settings().zero() == PoolSettings.Zeroing.ACQUIRE) {
                Eraser.erase(view);
            }
            Tenancy tenancy = new Tenancy(owner, block, size, view.limit(size), unreachable);
            GuardedBuffer lease = new GuardedBuffer(tenancy, view, view);
            begun = blocks.begin(tenancy);
            if (!begun) {
                pool.checkCaller();
            }
            AcquireOutcome pooled = again ? AcquireOutcome.DEPOT : AcquireOutcome.CARVED;
            AcquireOutcome alone = plain ? AcquireOutcome.UNPOOLED : AcquireOutcome.OVERSIZE;
            pool.counters.acquired(block.sizeClass() == SizeClasses.OVERSIZE ? alone : pooled, block.sizeClass());
            return lease;
        } finally {
            if (!begun) {
                blocks.giveBack(block);
            }
        }
    }

    // ---------------------------------------------------------------- waiting

    private PooledBuffer await(int size, long patience) {
        PooledBuffer lease = waitQueue.hasWaiters(classes.classOf(size)) ? null : find(size);
        if (lease != null) {
            return lease;
        } else if (patience == 0) {
            throw refused(size, "");
        }
        return lease((Block) waiting.await(size, classes.bytesFor(size), classes.classOf(size), patience), size);
    }

    void whenAvailable(int size, Runnable wake) {
        Objects.requireNonNull(wake, "wake");
        pool.enter();
        checkFits(size, false);
        waiting.whenAvailable(classes.bytesFor(size), classes.classOf(size), wake);
    }

    @Override
    public boolean hasRoom(WaitQueue.Waiter waiter) {
        if (blocks.regions.hasRoom(waiter.bytes, waitQueue.keptFrom(null, waiter.bytes))) {
            return true;
        }
        Block block = reserve(null, waiter.bytes, true);
        if (block == null) {
            return false;
        }
        boolean isMemory = block.hasRegion() || !blocks.regions.jvmLacksMemory();
        blocks.giveBack(block);
        return isMemory;
    }

    @Override
    public void giveBackUnused(WaitQueue.Room given) {
        blocks.giveBack((Block) given);
        serve();
    }

    @Override
    public void turnHasEnded() {
        MaintenanceThread.requestTick(); // the next turn begins soon
        serve();
    }

    @Override
    public PoolExhaustedException refused(int size, String because) {
        pool.checkCaller();
        return refusals.error(size, because + blocks.regions.refusal());
    }

    @Override
    public void serve(int sizeClass) {
        // After a refusal by the JVM the charge alone is no memory: then releases and the tick call wake-ups.
        serving.serve(!blocks.regions.jvmLacksMemory());
    }

    /** Gives memory to the waiters, those first that came first. */
    void serve() {
        serving.serve(true);
    }

    /** For a wake-up, a charge is enough. */
    @Override
    public WaitQueue.@Nullable Room findFor(WaitQueue.Waiter waiter, boolean may) {
        return waiter.isThread() ? allocated(waiter, waiter.bytes, may) : reserve(waiter, waiter.bytes, true);
    }

    @Override
    public void handedOver(WaitQueue.Room block, boolean inTurn) {
        if (!((Block) block).hasRegion()) {
            blocks.giveBack((Block) block); // a thread came instead of the wake-up that this charge was for
        }
    }

    @Override
    public void takeBack(WaitQueue.@Nullable Room first) {
        for (Block block = (Block) first, next; block != null; block = next) {
            next = block.next;
            block.next = null;
            blocks.giveBack(block);
        }
    }

    /** Called by the tick: ends the tenancies whose leases the collector has found to be lost. */
    void endLost() {
        WeakReference<Object> next = CollectionSign.next();
        for (Reference<?> found = unreachable.poll(); found != null; found = unreachable.poll()) {
            Tenancy tenancy = (Tenancy) found;
            try {
                if (blocks.lost(tenancy)) {
                    lost.found(tenancy.capacity, tenancy.trace, System.nanoTime());
                }
            } catch (OutOfMemoryError e) {
                // The tenancy has ended, and its loss is counted.
            }
        }
        sign.set(next);
    }
}

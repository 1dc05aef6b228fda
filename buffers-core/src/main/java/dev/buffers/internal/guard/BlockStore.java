package dev.buffers.internal.guard;

import dev.buffers.AcquireOutcome;
import dev.buffers.BufferPolicy;
import dev.buffers.PoolStats;
import dev.buffers.ReleaseOutcome;
import dev.buffers.internal.failsafe.IntrusiveList;
import dev.buffers.internal.guard.Block.Place;
import dev.buffers.internal.memory.ArenaMemory;
import dev.buffers.internal.memory.Budget;
import dev.buffers.internal.memory.BuiltInPolicy;
import dev.buffers.internal.memory.DirectLimit;
import dev.buffers.internal.monitor.Statistics;
import dev.buffers.internal.signals.Counters;
import dev.buffers.internal.signals.FlightEvents;
import dev.buffers.internal.signals.PoolState;
import dev.buffers.internal.slab.SizeClasses;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a guarded pool: what is leased, kept aside, free or dropped, and the open tenancies.
 *
 * <p>Any thread. One short lock; memory is allocated, looked at, closed and reported with no lock held.
 */
final class BlockStore implements Block.Owner {
    /*
     *   charge --> LEASED --poison--> ASIDE --oldest first, still poison?--> FREE --> DROPPED --the collector--> GONE, credited
     *                 ^  |                                                     |         |
     *                 |  `---- arena closed --> GONE, credited                 |         |
     *                 `--------------------------- lent again -----------------'---------'
     *
     * An arena that an I/O is using, lost and discarded memory are DROPPED and never lent again. Memory of the policy `unpooled` is credited
     * when it leaves ASIDE. Fences are outside the cap.
     */
    private static final int MOST_ASIDE = 4096;
    private static final long DIRECT_LIMIT = DirectLimit.limit();

    private final PoolState pool;
    private final Findings findings;
    private final SizeClasses classes;
    private final BufferPolicy policy;
    private final Budget budget;
    private final boolean arenas;
    private final boolean reuses;
    private final int fence;

    private final IntrusiveList<Tenancy> open = new IntrusiveList<>();
    private final IntrusiveList<Block> aside = new IntrusiveList<>();
    private final IntrusiveList<Block>[] free;
    private final IntrusiveList<Block>[] dropped;

    /** Lost and discarded memory, and arenas that an I/O is using. */
    private final IntrusiveList<Block> retired = new IntrusiveList<>();

    /** How many threads are looking at a block on its way from aside. */
    private int moving;

    /** Bytes and blocks by place; leased and cached blocks by row; bytes that are lent. */
    private final long[] bytes = new long[Place.values().length];

    private final long[] blocks = new long[Place.values().length];
    private final long[] leased;
    private final long[] cached;
    private long lentBytes;

    /** Why memory was refused last. */
    private volatile String refusal = "nothing was refused";

    BlockStore(PoolState pool, Findings findings, SizeClasses classes, Budget budget) {
        this.pool = pool;
        this.findings = findings;
        this.classes = classes;
        this.policy = pool.settings().policy();
        this.budget = budget;
        this.arenas = policy.direct() && ArenaMemory.available();
        this.reuses = BuiltInPolicy.pools(policy);
        this.fence = policy.views() && !policy.direct() ? Block.FENCE : 0;
        this.free = lists(classes.count() + 1);
        this.dropped = lists(classes.count() + 1);
        this.leased = new long[classes.count() + 1];
        this.cached = new long[classes.count() + 1];
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static IntrusiveList<Block>[] lists(int rows) {
        IntrusiveList<Block>[] lists = new IntrusiveList[rows];
        Arrays.setAll(lists, row -> new IntrusiveList<>());
        return lists;
    }

    String refusal() {
        return refusal;
    }

    // ---------------------------------------------------------------- places, under the lock

    private void move(Block block, Place to, @Nullable IntrusiveList<Block> list) {
        count(block, -1);
        block.link.leave();
        block.since = block.place == Place.LEASED ? System.nanoTime() : block.since;
        block.place = to;
        if (list != null) {
            list.add(block.link);
        }
        count(block, 1);
    }

    private void count(Block block, int sign) {
        blocks[block.place.ordinal()] += block.bytes == 0 ? 0 : sign;
        bytes[block.place.ordinal()] += (long) sign * block.bytes;
        if (block.place == Place.LEASED) {
            leased[block.lentRow] += sign;
            lentBytes += block.bytes == 0 ? 0 : (long) sign * block.capacity;
        } else if (block.place == Place.ASIDE || block.place == Place.FREE) {
            cached[block.row] += sign;
        }
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
        if (!budget.tryCharge(capacity)) {
            refusal = "the cap is reached";
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
            check(block);
            return block.view();
        }
        ArenaMemory arena = null;
        ByteBuffer view = null;
        try {
            if (arenas) {
                arena = new ArenaMemory();
                ByteBuffer made = arena.allocate(block.bytes);
                block.charged(made, arena, budget, this);
                view = made;
            } else {
                ByteBuffer base = allocate(block.bytes);
                if (base != null) {
                    block.allocated(base, base.capacity() == block.bytes ? 0 : fence);
                    block.charged(base.isDirect() ? base : base.array(), null, budget, this);
                    view = block.view();
                }
            }
        } catch (OutOfMemoryError e) {
            refuse(e);
        } finally {
            if (view == null && arena != null && !block.isCharged()) {
                arena.tryClose();
            }
        }
        if (view != null) {
            FlightEvents.regionReserved(pool.name(), policy.name(), block.bytes, false);
        }
        return view;
    }

    private @Nullable ByteBuffer allocate(int capacity) {
        int length = capacity > Integer.MAX_VALUE - 4 * Block.FENCE ? capacity : capacity + 2 * fence;
        if (policy.direct() && policy.countsAsDirect() && DirectLimit.used() + length > DIRECT_LIMIT) {
            refusal = "the JVM's limit for direct memory is reached: used=" + DirectLimit.used() + ", limit="
                    + DIRECT_LIMIT;
            return null;
        } else if (policy instanceof BuiltInPolicy) {
            return policy.allocate(length);
        }
        ByteBuffer made = pool.allocate(policy, length);
        if (made == null
                || made.isReadOnly()
                || made.isDirect() != policy.direct()
                || made.capacity() != length
                || made.remaining() != length
                || made.hasArray() && (made.arrayOffset() != 0 || made.array().length != length)) {
            throw new IllegalStateException("policy returned an unusable buffer: policy=" + policy.name()
                    + ", bytes asked for=" + length + ", returned=" + made);
        }
        return made.isDirect() ? made : ByteBuffer.wrap(made.array()); // the policy may have kept its buffer
    }

    /** Heap memory beyond the cap, for one lease; null without heap. */
    @Nullable Block beyond(int size) {
        try {
            Block block = new Block(classes.count(), 0);
            block.capacity = size;
            block.allocated(ByteBuffer.allocate(size), 0);
            synchronized (this) {
                move(block, Place.LEASED, null);
            }
            return block;
        } catch (OutOfMemoryError e) {
            refuse(e);
            return null;
        }
    }

    private void refuse(OutOfMemoryError why) {
        try {
            refusal = "the JVM is out of memory: " + why.getMessage();
        } catch (OutOfMemoryError e) {
            refusal = "the JVM is out of memory";
        }
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
            free(block);
        } else if (!block.isCharged()) {
            retire(block);
            budget.credit(block.bytes);
        } else if (!block.end()) {
            retire(block);
        }
    }

    /** Takes back the memory of a tenancy that has ended. False when an I/O is still using it. */
    boolean takeBack(Tenancy tenancy, Block block, boolean discards) {
        boolean returned = true;
        if (!block.hasMemory()) { // an arena
            returned = block.end();
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
     * A block that was looked at, or was not lent in the end, may be lent again; one that is oversize has a size that is rarely wanted.
     * Returns the bytes that were dropped.
     */
    private long free(Block block) {
        Place from;
        synchronized (this) {
            from = block.place;
            if (reuses && block.row < classes.count() && !pool.isClosed()) {
                move(block, Place.FREE, free[block.row]);
                return 0;
            }
        }
        return drop(block, from);
    }

    /** Gives up the memory of a leased block, which is never used again. */
    private synchronized void retire(Block block) {
        if (block.place == Place.LEASED) {
            block.forget();
            move(block, block.isCharged() ? Place.DROPPED : Place.GONE, block.isCharged() ? retired : null);
        }
    }

    private synchronized boolean isAsideFull() {
        return aside.size() > MOST_ASIDE || bytes[Place.ASIDE.ordinal()] > budget.max() / 8 || pool.isClosed();
    }

    /** Ends the time aside of the oldest block, after a look at it. False when none is aside. */
    boolean leaveOldest() {
        return leaveAside(System.nanoTime()) >= 0;
    }

    /** The same of a block released before that time. Returns the bytes that were dropped; less than 0 without such a block. */
    private long leaveAside(long before) {
        Block block;
        synchronized (this) {
            block = aside.peek();
            if (block == null || block.since - before > 0) {
                return -1;
            }
            aside.poll();
            moving++;
        }
        long dropped = 0;
        try {
            check(block);
        } finally {
            dropped = free(block);
            synchronized (this) {
                moving--;
            }
        }
        return dropped;
    }

    /** Whether a thread has a block in its hands that is about to be free. */
    synchronized boolean isMoving() {
        return moving > 0;
    }

    private void check(Block block) {
        Trace culprit = block.last();
        int at = block.changedAt();
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

    /**
     * Leaves a block to the collector, unless another thread has moved it. Memory that is never lent again counts as gone at once. Returns
     * its bytes.
     */
    private long drop(Block block, Place from) {
        synchronized (this) {
            if (block.place != from) {
                return 0;
            }
            block.forget();
            move(block, Place.DROPPED, reuses ? dropped[block.row] : retired);
        }
        noteDropped(block);
        if (!reuses) {
            block.end();
        }
        return block.bytes;
    }

    /** Drops what has been aside or free since before that time, a reading of {@link System#nanoTime}; returns the bytes. */
    long dropIdle(long before) {
        long sum = 0;
        for (long bytes = leaveAside(before); bytes >= 0; bytes = leaveAside(before)) {
            sum += bytes;
        }
        for (int row = 0; row < free.length; row++) {
            for (Block block = oldestFree(row, before); block != null; block = oldestFree(row, before)) {
                sum += drop(block, Place.FREE);
            }
        }
        return sum;
    }

    private synchronized @Nullable Block oldestFree(int row, long before) {
        Block block = free[row].peek();
        return block != null && block.since - before <= 0 ? block : null;
    }

    /** Drops all free memory if there is room for that many bytes once it is gone. */
    void dropFor(int wanted) {
        boolean suffices;
        synchronized (this) {
            suffices = wanted <= budget.max() - bytes[Place.LEASED.ordinal()];
        }
        if (suffices) {
            dropIdle(System.nanoTime());
        }
    }

    @Override
    public synchronized void gone(Block block) {
        move(block, Place.GONE, null);
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
        if (block.hasMemory() || !block.end()) {
            retire(block);
        }
        noteDropped(block);
        return true;
    }

    // ---------------------------------------------------------------- figures

    synchronized List<Tenancy> open() {
        List<Tenancy> copy = new ArrayList<>(open.size());
        for (IntrusiveList.Link<Tenancy> link = open.first(); link != null; link = link.next()) {
            copy.add(link.it);
        }
        return copy;
    }

    /** Whether nothing is leased, kept or waits to be gone; what is dropped counts only in a budget that others share. */
    synchronized boolean isEmpty() {
        boolean shared = pool.settings().sharesDefaultBudget();
        return open.isEmpty() && reserved(blocks) == 0 && (!shared && !arenas || blocks[Place.DROPPED.ordinal()] == 0);
    }

    private static long reserved(long[] figures) {
        return figures[Place.LEASED.ordinal()] + figures[Place.ASIDE.ordinal()] + figures[Place.FREE.ordinal()];
    }

    PoolStats stats(long waiters, Map<AcquireOutcome, Long> acquires, Map<ReleaseOutcome, Long> releases) {
        Counters counters = pool.counters;
        List<PoolStats.SizeClass> sizes = new ArrayList<>();
        synchronized (this) {
            long leases = leased[classes.count()];
            long cachedBytes = 0;
            for (int row = 0; row < classes.count(); row++) {
                leases += leased[row];
                cachedBytes += cached[row] * classes.sizeOf(row);
                if (leased[row] + cached[row] > 0) {
                    sizes.add(new Statistics.ClassFigures(
                            classes.sizeOf(row),
                            leased[row],
                            cached[row],
                            leased[row] + cached[row],
                            counters.hits(row),
                            counters.misses(row)));
                }
            }
            long reservedBytes = reserved(bytes);
            return new Statistics.PoolFigures(
                    budget.max(),
                    reservedBytes,
                    lentBytes,
                    cachedBytes,
                    reservedBytes - lentBytes - cachedBytes,
                    0,
                    bytes[Place.DROPPED.ordinal()],
                    leases,
                    reserved(blocks),
                    reserved(blocks),
                    waiters,
                    counters.waits.get(),
                    counters.waitedNanos.get(),
                    counters.leaks.get(),
                    counters.trimmedBytes.get(),
                    counters.collections.get(),
                    acquires,
                    releases,
                    sizes);
        }
    }
}

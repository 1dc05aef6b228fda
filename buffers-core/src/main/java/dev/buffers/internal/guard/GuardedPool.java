package dev.buffers.internal.guard;

import dev.buffers.AcquireOutcome;
import dev.buffers.BufferPool;
import dev.buffers.ChannelBuffers;
import dev.buffers.Exhaustion;
import dev.buffers.LeakReport;
import dev.buffers.LeakTracking;
import dev.buffers.PoolExhaustedException;
import dev.buffers.PoolSettings;
import dev.buffers.PoolStats;
import dev.buffers.PooledBuffer;
import dev.buffers.ReleaseOutcome;
import dev.buffers.internal.failsafe.IntrusiveList;
import dev.buffers.internal.failsafe.StackProbe;
import dev.buffers.internal.memory.Budget;
import dev.buffers.internal.memory.BuiltInPolicy;
import dev.buffers.internal.monitor.LeakReports;
import dev.buffers.internal.monitor.MBeans;
import dev.buffers.internal.monitor.OpenLeases;
import dev.buffers.internal.monitor.PoolDump;
import dev.buffers.internal.signals.Callbacks;
import dev.buffers.internal.signals.FlightEvents;
import dev.buffers.internal.signals.PoolName;
import dev.buffers.internal.signals.PoolState;
import dev.buffers.internal.slab.SizeClasses;
import dev.buffers.internal.text.DurationText;
import dev.buffers.internal.upkeep.MaintenanceThread;
import java.lang.invoke.MethodHandles;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The pool of {@code guard=on}: it finds uses of a buffer after its release, and other misuse, and reports where the buffer was acquired and
 * released.
 *
 * <p>Any thread. Each acquire and release takes a stack trace, a pass over the buffer and a short lock. For tests, and to hunt a bug.
 */
public final class GuardedPool extends PoolState implements BufferPool, Tenancy.Owner {
    /*
     * acquire:  reserve (BlockStore: free memory, or a charge) -> lend (allocate, or look at the poison) -> Tenancy with its stack -> lease
     * release:  the last lease -> stack, fences, poison or arena closed -> aside -> serve the waiters
     *
     * A user's code, the log, a reference queue, an arena and the allocation of memory are reached with no lock held. What throws on the way
     * of a release leaves its view to the collector, and the tenancy is found lost.
     */
    private static final int MOST_PAUSES = 200;
    private static final long PAUSE = TimeUnit.MICROSECONDS.toNanos(50);

    static {
        // A class whose initialiser finds no heap can never be used afterwards.
        try {
            for (Class<?> each : List.of(
                    Block.class,
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
            Block.collect();
        } catch (IllegalAccessException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final SizeClasses classes;
    private final Findings findings = new Findings(this);
    private final BlockStore blocks;
    private final Budget budget;
    private final Waiters waiters;
    private final ReferenceQueue<ByteBuffer> unreachable = new ReferenceQueue<>();
    private final LeakReports lost;
    private final LeakReports overdue;
    private final long threshold;
    private final long idle;
    private final Runnable onGone;
    private long lastSecond;

    public GuardedPool(PoolSettings settings, @Nullable Consumer<LeakReport> onLeak) {
        super(settings, SizeClasses.of(settings).count());
        this.classes = SizeClasses.of(settings);
        this.budget = settings.sharesDefaultBudget()
                ? Budget.shared(settings.policy().direct(), settings.maxBytes())
                : new Budget(settings.maxBytes());
        this.blocks = new BlockStore(this, findings, classes, budget);
        this.waiters = new Waiters(classes.count() + 1);
        LeakTracking tracking = settings.leaks();
        this.threshold = tracking.kind() == LeakTracking.Kind.OLDER
                ? tracking.threshold().toNanos()
                : Long.MAX_VALUE;
        this.idle = settings.trimAfter().map(Duration::toNanos).orElse(Long.MAX_VALUE);
        this.lost = new LeakReports(this, () -> "a lease was lost, dropped without release: ", () -> "", 1, onLeak);
        String late = "a lease is out for longer than leaks=" + tracking + " allows: ";
        this.overdue = new LeakReports(this, () -> late, () -> "", 10, onLeak);
        MBeans beans = settings.jmx() ? new MBeans(name()) : null;
        WeakReference<PoolState> weak = new WeakReference<>(this);
        this.onGone = onGone(ownedName(), weak, beans);
        try {
            MaintenanceThread.watch(this, onGone, budget);
            FlightEvents.sample(weak);
            if (beans != null) {
                beans.register(this);
            }
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /** Ends what shows the pool outside, and credits what is gone. Does not hold the pool. */
    private static Runnable onGone(PoolName name, WeakReference<PoolState> pool, @Nullable MBeans beans) {
        return () -> {
            name.free();
            FlightEvents.sampleNoMore(pool);
            if (beans != null) {
                beans.close();
            }
            Block.collect();
        };
    }

    // ---------------------------------------------------------------- acquire

    @Override
    public PooledBuffer acquire(int size) {
        return acquire(size, settings().atLimit().patience().toNanos());
    }

    @Override
    public PooledBuffer acquire(int size, Duration patience) {
        if (patience.isNegative()) {
            throw new IllegalArgumentException("patience must not be negative: patience=" + patience);
        }
        StackProbe.check();
        checkCaller();
        checkFits(size, true);
        return told(size, await(size, TimeUnit.NANOSECONDS.convert(patience)));
    }

    private PooledBuffer acquire(int size, long patience) {
        StackProbe.check();
        checkCaller();
        boolean mayBeBeyond = settings().atLimit().kind() == Exhaustion.Kind.UNPOOLED;
        if (!mayBeBeyond) {
            checkFits(size, true);
        }
        if (patience > 0) {
            return told(size, await(size, patience));
        }
        PooledBuffer lease = find(size);
        Block beyond = lease == null && mayBeBeyond ? blocks.beyond(size) : null;
        lease = beyond == null ? lease : lease(beyond, size);
        if (lease == null) {
            throw refused(size, blocks.refusal());
        }
        return told(size, lease);
    }

    @Override
    public @Nullable PooledBuffer tryAcquire(int size) {
        StackProbe.check();
        checkCaller();
        checkFits(size, true);
        PooledBuffer lease = find(size);
        if (lease == null) {
            countRefused(size);
            return null;
        }
        return told(size, lease);
    }

    private PooledBuffer told(int size, PooledBuffer lease) {
        if (watchesAcquires()) {
            notifySizeListeners(size);
        }
        return lease;
    }

    private int row(int size) {
        int sizeClass = classes.classOf(size);
        return sizeClass == SizeClasses.OVERSIZE ? classes.count() : sizeClass;
    }

    private int capacity(int size) {
        int row = row(size);
        return row == classes.count() ? size : classes.sizeOf(row);
    }

    private void checkFits(int size, boolean counted) {
        if (capacity(size) > budget.max()) {
            String never = "can never succeed: needs " + capacity(size) + " bytes, max is " + budget.max();
            throw counted ? refused(size, never) : new PoolExhaustedException(name(), size, never, stats());
        }
    }

    private PoolExhaustedException refused(int size, String reason) {
        checkCaller();
        countRefused(size);
        PoolStats stats = stats();
        FlightEvents.exhausted(name(), size, reason, stats);
        return new PoolExhaustedException(name(), size, reason, stats);
    }

    private void countRefused(int size) {
        counters.acquired(AcquireOutcome.REJECTED, SizeClasses.OVERSIZE);
        notifySizeListeners(size);
    }

    /** A lease, counted; null at the cap, uncounted. */
    private @Nullable PooledBuffer find(int size) {
        int capacity = capacity(size);
        if (capacity > budget.max()) {
            return null;
        }
        if (waiters.isWaited(row(size))) {
            serve(false); // first come, first served
        }
        PooledBuffer lease = null;
        for (boolean grow = true; lease == null; grow = false) {
            Block block = reserve(row(size), capacity, grow);
            if (block == null) {
                return null;
            }
            lease = lease(block, size);
        }
        return lease;
    }

    /** Memory, or the charge for it; null at the cap. The last resort is what is kept aside. */
    private @Nullable Block reserve(int row, int capacity, boolean grow) {
        for (int pauses = 0; ; ) {
            Block block = blocks.take(row, capacity, grow);
            if (block != null) {
                return block;
            } else if (!collect() && !blocks.leaveOldest()) {
                if (!blocks.isMoving() || ++pauses > MOST_PAUSES) {
                    block = blocks.takeLarger(row, capacity);
                    if (block == null) {
                        blocks.dropFor(capacity);
                    }
                    return block;
                }
                LockSupport.parkNanos(PAUSE);
            }
        }
    }

    /** Begins a tenancy, and counts it. Null when the JVM has no memory for it: then the block is given back. */
    private @Nullable PooledBuffer lease(Block block, int size) {
        boolean again = block.last() != null;
        boolean begun = false;
        try {
            ByteBuffer view = blocks.lend(block);
            if (view == null) {
                return null;
            }
            if (settings().zero() == PoolSettings.Zeroing.ACQUIRE) {
                Block.zero(view);
            }
            Tenancy tenancy = new Tenancy(this, block, size, view.limit(size), unreachable);
            GuardedBuffer lease = new GuardedBuffer(tenancy, view, view);
            begun = blocks.begin(tenancy);
            if (!begun) {
                checkCaller();
            }
            int sizeClass = block.lentRow == classes.count() ? SizeClasses.OVERSIZE : block.lentRow;
            AcquireOutcome pooled = again ? AcquireOutcome.DEPOT : AcquireOutcome.CARVED;
            boolean plain =
                    !block.isCharged() || !BuiltInPolicy.pools(settings().policy());
            AcquireOutcome alone = plain ? AcquireOutcome.UNPOOLED : AcquireOutcome.OVERSIZE;
            counters.acquired(sizeClass == SizeClasses.OVERSIZE ? alone : pooled, sizeClass);
            return lease;
        } finally {
            if (!begun) {
                blocks.giveBack(block);
            }
        }
    }

    // ---------------------------------------------------------------- waiting

    private PooledBuffer await(int size, long patience) {
        PooledBuffer lease = waiters.isWaited(row(size)) ? null : find(size);
        if (lease != null) {
            return lease;
        } else if (patience == 0) {
            throw refused(size, blocks.refusal());
        }
        Object flight = FlightEvents.waitBegins();
        Waiters.Waiter waiter = new Waiters.Waiter(row(size), capacity(size), null);
        boolean interrupted = false;
        waiters.add(waiter);
        try {
            MaintenanceThread.requestTick();
            serve(); // what came free in between
            while (lease == null) {
                Block given = waiter.takeGiven();
                if (given != null) {
                    lease = lease(given, size);
                    if (lease == null) {
                        waiters.add(waiter);
                    }
                } else {
                    checkCaller();
                    long left = patience - (System.nanoTime() - waiter.since);
                    if (left > 0 && !interrupted) {
                        LockSupport.parkNanos(this, left);
                        interrupted = Thread.interrupted();
                    } else if (waiters.remove(waiter)) { // else it was just given a block
                        throw refused(
                                size,
                                (interrupted ? "interrupted after " : "waited ") + waited(waiter) + ", "
                                        + blocks.refusal());
                    }
                }
            }
            return lease;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            waiters.remove(waiter);
            Block unused = waiter.takeGiven();
            if (unused != null) {
                blocks.giveBack(unused);
                serve();
            }
            counters.waited(System.nanoTime() - waiter.since);
            FlightEvents.waitEnded(flight, name(), size, lease != null);
        }
    }

    private static String waited(Waiters.Waiter waiter) {
        return DurationText.of(Duration.ofMillis(Math.max(1, (System.nanoTime() - waiter.since) / 1_000_000)));
    }

    @Override
    public void whenAvailable(int size, Runnable wake) {
        Objects.requireNonNull(wake, "wake");
        StackProbe.check();
        checkCaller();
        checkFits(size, false);
        Callbacks.Callback callback = new Callbacks.Callback("a wake-up", wake);
        waiters.add(new Waiters.Waiter(row(size), capacity(size), callback));
        serve();
        if (isClosed()) {
            callAll(waiters.close());
        }
        MaintenanceThread.requestTick();
    }

    /**
     * Gives memory to the waiters, those first that came first. A block is set aside for each wake-up while others are served, so that no
     * more of them are called than there is room for.
     */
    private void serve() {
        serve(true);
    }

    private void serve(boolean wakes) {
        if (waiters.size() == 0) {
            return;
        }
        IntrusiveList<Waiters.Waiter> due = new IntrusiveList<>();
        try {
            boolean[] full = new boolean[classes.count() + 1];
            for (Waiters.Waiter next = waiters.oldest(full); next != null; next = waiters.oldest(full)) {
                Block block = wakes || next.wake == null ? reserve(next.row, next.capacity, true) : null;
                if (block == null) {
                    full[next.row] = true;
                } else if (!waiters.give(next, block)) {
                    blocks.giveBack(block);
                } else if (next.wake != null) {
                    due.add(next.link);
                }
            }
        } catch (OutOfMemoryError e) {
            MaintenanceThread.requestTick();
        } finally {
            for (IntrusiveList.Link<Waiters.Waiter> link = due.first(); link != null; link = link.next()) {
                blocks.giveBack(Objects.requireNonNull(link.it.takeGiven()));
            }
            callAll(due);
        }
    }

    private void callAll(IntrusiveList<Waiters.Waiter> wakeUps) {
        for (Waiters.Waiter waiter = wakeUps.poll(); waiter != null; waiter = wakeUps.poll()) {
            call(Objects.requireNonNull(waiter.wake));
        }
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
        serve();
    }

    @Override
    public IllegalStateException ended(Trace trace, boolean release) {
        if (release) {
            counters.invalid.incrementAndGet();
        }
        return findings.ended(trace, release);
    }

    /** Handles what the collector has found: lost leases, and memory that is gone. True when there is more room now. */
    private boolean collect() {
        for (Reference<?> found = unreachable.poll(); found != null; found = unreachable.poll()) {
            Tenancy tenancy = (Tenancy) found;
            int row = tenancy.row;
            if (blocks.lost(tenancy)) {
                counters.leaked(row == classes.count() ? SizeClasses.OVERSIZE : row);
                try {
                    if (lost.count()) {
                        lost.add(tenancy.trace.report(name(), true, System.nanoTime()));
                    }
                } catch (OutOfMemoryError e) {
                    // The next report says how many there were.
                }
            }
        }
        return Block.collect();
    }

    // ---------------------------------------------------------------- by the clock

    @Override
    public long tick(long now) {
        collect();
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
        serve();
        return waiters.size() > 0 ? MaintenanceThread.PRESSURE_TICK : MaintenanceThread.TICK;
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
        collect();
        long bytes = trimmed(blocks.dropIdle(System.nanoTime()));
        serve();
        return bytes;
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
                    endAll();
                } finally {
                    MaintenanceThread.requestTick();
                }
            }
            warnOfOpenLeases();
        }
    }

    private void endAll() {
        callAll(waiters.close());
        collect();
        blocks.dropIdle(System.nanoTime());
    }

    private void warnOfOpenLeases() {
        try {
            PoolStats stats = stats();
            if (stats.leases() > 0) {
                String line = OpenLeases.of(openLeases())
                        .atClose(name(), settings().name(), stats.leases(), stats.leasedBytes());
                call(new Callbacks.Callback("the log", () -> Callbacks.warn(line, null)));
            }
        } catch (OutOfMemoryError | StackOverflowError | LinkageError e) {
            // The pool is closed all the same.
        }
    }

    // ---------------------------------------------------------------- what it shows

    @Override
    public ChannelBuffers channel() {
        checkCaller();
        return new GuardedChannel(this, this::findForChannel, classes.maxSize(), findings);
    }

    private @Nullable PooledBuffer findForChannel(int size) {
        StackProbe.check();
        checkCaller();
        PooledBuffer lease = find(size);
        return lease == null ? null : told(size, lease);
    }

    @Override
    public PoolStats stats() {
        StackProbe.check();
        if (collect()) {
            serve();
        }
        Map<ReleaseOutcome, Long> releases = new EnumMap<>(ReleaseOutcome.class);
        releases.put(ReleaseOutcome.RECYCLED, counters.recycled.get());
        releases.put(ReleaseOutcome.DISCARDED, counters.discarded.get());
        releases.put(ReleaseOutcome.INVALID, counters.invalid.get());
        Map<AcquireOutcome, Long> acquires = new EnumMap<>(AcquireOutcome.class);
        for (AcquireOutcome outcome : AcquireOutcome.values()) {
            acquires.put(outcome, counters.acquires(outcome));
        }
        return blocks.stats(waiters.size(), acquires, releases);
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

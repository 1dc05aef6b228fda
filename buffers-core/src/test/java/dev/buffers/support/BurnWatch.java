// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.AcquireOutcome;
import dev.buffers.BufferPool;
import dev.buffers.PoolStats;
import dev.buffers.ReleaseOutcome;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Runs a {@link Burn} and looks on: that every worker gets on, that the cap holds at every look, that every byte is accounted
 * for whenever all pause, and that at the end all of it is back and was counted. Calls the collector, too.
 */
public final class BurnWatch {
    private static final long MEET_EVERY = TimeUnit.MILLISECONDS.toNanos(2500);
    private static final long COLLECT_EVERY = TimeUnit.MILLISECONDS.toNanos(700);
    private static final long LOOK = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long STUCK = TimeUnit.SECONDS.toNanos(30);
    private static final long SETTLES = TimeUnit.SECONDS.toNanos(10);

    private final Burn burn;
    private final BufferPool pool;
    private final BurnLedger ledger;
    private final long start = System.nanoTime();
    private final long[] moves;
    private final long[] moved;
    private long collected = start;

    private BurnWatch(Burn burn) {
        this.burn = burn;
        this.pool = burn.pool;
        this.ledger = burn.ledger;
        this.moves = new long[burn.plan.workers()];
        this.moved = new long[burn.plan.workers()];
        Arrays.fill(moved, start);
    }

    /** Runs one burn for this many seconds, and some more to end it. Returns the figures of the burn. */
    public static Map<String, Long> run(BurnPlan plan, long seconds) throws Exception {
        try (Logged logged = new Logged("burn")) {
            Burn burn = new Burn(plan);
            try {
                PoolStats stats = new BurnWatch(burn).run(seconds);
                List<String> unexpected = logged.lines("pool=").stream()
                        .filter(BurnWatch::isUnexpected)
                        .toList();
                assertEquals(List.of(), unexpected);
                return burn.ledger.figures(stats, stats.waits());
            } catch (Throwable e) {
                burn.end();
                throw new AssertionError("burn failed: " + plan + "; pool: " + burn.pool.stats(), e);
            }
        }
    }

    /** Whether a message is no answer to an action on purpose. */
    private static boolean isUnexpected(String message) {
        return !message.contains("a lease was lost")
                && !message.startsWith("a pool was closed while leases are out")
                && !message.startsWith("asked the JVM for a collection")
                && !message.startsWith("pool has no room")
                && !message.startsWith("pool is full, buffers come from the heap")
                && !message.startsWith("a buffer was released twice")
                && !message.startsWith("a buffer was used after its release");
    }

    private PoolStats run(long seconds) throws Exception {
        burn.begin();
        long nanos = TimeUnit.SECONDS.toNanos(seconds);
        long every = Math.min(MEET_EVERY, nanos / 2);
        for (long met = start; System.nanoTime() - start < nanos; ) {
            look();
            if (System.nanoTime() - met > every) {
                meet();
                met = System.nanoTime();
            }
        }
        return finish();
    }

    /** One look at what must hold at every instant. */
    private void look() {
        Throwable thrown = burn.failure();
        if (thrown != null) {
            throw new AssertionError("a thread has failed", thrown);
        }
        PoolStats stats = pool.stats();
        ledger.peakReserved = Math.max(ledger.peakReserved, stats.reservedBytes());
        long charged = stats.reservedBytes() + stats.droppedBytes();
        assertTrue(charged <= stats.maxBytes() && Peek.room(pool) >= 0, () -> "over the cap: " + stats);
        long now = System.nanoTime();
        for (int i = 0; i < moves.length; i++) {
            long present = burn.workers().get(i).moves();
            if (present != moves[i] || present == BurnWorker.DONE) {
                moves[i] = present;
                moved[i] = now;
            } else if (now - moved[i] > stuckAfter()) {
                throw new AssertionError(
                        "worker " + i + " has not moved for " + (now - moved[i]) / 1_000_000_000 + " s\n" + dump());
            }
        }
        if (now - collected > COLLECT_EVERY) {
            System.gc();
            burn.mayRetireAgain();
            collected = System.nanoTime();
        }
        LockSupport.parkNanos(LOOK);
    }

    /** Longer on a machine that has other things to do. */
    private static long stuckAfter() {
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        return (long) (STUCK * Math.max(1, load / Runtime.getRuntime().availableProcessors()));
    }

    private String dump() {
        StringBuilder dump = new StringBuilder();
        for (int i = 0; i < moves.length; i++) {
            Thread thread = burn.workers().get(i).thread();
            append(dump, "worker " + i, thread == null ? new StackTraceElement[0] : thread.getStackTrace());
        }
        Thread.getAllStackTraces().forEach((thread, stack) -> append(dump, thread.toString(), stack));
        return dump.toString();
    }

    private static void append(StringBuilder dump, String name, StackTraceElement[] stack) {
        dump.append(name).append('\n');
        for (StackTraceElement frame : stack) {
            dump.append("\tat ").append(frame).append('\n');
        }
    }

    private void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            look();
        }
    }

    /** Makes all workers pause, some of them while they hold leases, and checks that every byte is accounted for. */
    private void meet() {
        burn.meeting.call();
        await(burn.meeting::isComplete);
        await(burn::isStill);
        long unread = burn.workers().stream()
                .mapToLong(BurnWorker::connectionsWithUnread)
                .sum();
        conserved(ledger.out.sum() + ledger.lost.sum() + unread);
        ledger.quiescent.increment();
        Arrays.fill(moved, System.nanoTime());
        burn.meeting.end();
    }

    /** So many tenancies have not ended, of which the collector may be finding some. The tick may be serving a wake-up at the time. */
    private void conserved(long tenancies) {
        long began = System.nanoTime();
        for (; ; ) {
            long found = pool.stats().leaks();
            try {
                PoolStats stats = Conservation.check(pool, tenancies - found);
                assertEquals(stats.leases(), pool.openLeases().size(), () -> "open leases: " + stats);
                return;
            } catch (AssertionError e) {
                if (pool.stats().leaks() == found && System.nanoTime() - began > SETTLES) {
                    throw e;
                }
                LockSupport.parkNanos(LOOK);
            }
        }
    }

    private boolean allWoken() {
        return ledger.woken.sum() == ledger.registered.sum();
    }

    /** Ends it: all comes back, and was counted. */
    private PoolStats finish() throws Exception {
        burn.end();
        await(burn::isDone);
        await(burn::isStill);
        Queue<Stamped> left = burn.left();
        if (burn.plan.closesFirst()) {
            pool.close();
            assertThrows(IllegalStateException.class, () -> pool.tryAcquire(1));
        }
        Threads.together(List.of(() -> endAll(left), () -> endAll(left)));
        Eventually.collected(
                "all that was lost is found: " + ledger.lost, () -> pool.stats().leaks() >= ledger.lost.sum());
        Eventually.holds(
                "every wake-up is called, or waits for the collector",
                () -> allWoken() || pool.stats().droppedBytes() > 0);
        Eventually.collected("every wake-up is called", this::allWoken);
        PoolStats stats = Conservation.check(pool);
        checkCounts(stats);
        if (!burn.plan.closesFirst() && pool.settings().preallocate() == 0) {
            Conservation.becomesEmpty(pool, true);
            // The turn of the last wake-up may go on for two ticks, and keeps memory for the thread that it wakes.
            assertTrue(
                    pool.acquire((int) stats.maxBytes(), Duration.ofMinutes(1)).release());
        }
        pool.close();
        Eventually.collected("a closed pool keeps no memory", () -> {
            PoolStats now = Conservation.check(pool);
            return now.reservedBytes() + now.droppedBytes() == 0;
        });
        return stats;
    }

    private static void endAll(Queue<Stamped> left) {
        for (Stamped one = left.poll(); one != null; one = left.poll()) {
            if (one.isContested()) {
                one.contend();
            } else {
                one.release();
            }
        }
    }

    private void checkCounts(PoolStats stats) {
        assertEquals(ledger.lost.sum(), stats.leaks(), () -> "leaks: " + stats);
        assertEquals(ledger.discarded.sum(), stats.releases(ReleaseOutcome.DISCARDED), () -> "discarded: " + stats);
        assertEquals(ledger.invalid.sum(), stats.releases(ReleaseOutcome.INVALID), () -> "invalid: " + stats);
        assertEquals(ledger.refused.sum(), stats.acquires(AcquireOutcome.REJECTED), () -> "refused: " + stats);
        assertEquals(0, stats.waiters(), () -> "waiters: " + stats);
        long acquired = Arrays.stream(AcquireOutcome.values())
                .filter(outcome -> outcome != AcquireOutcome.REJECTED)
                .mapToLong(stats::acquires)
                .sum();
        long ended = stats.releases(ReleaseOutcome.RECYCLED) + stats.releases(ReleaseOutcome.DISCARDED) + stats.leaks();
        assertEquals(acquired, ended, () -> "ended: " + stats);
    }
}

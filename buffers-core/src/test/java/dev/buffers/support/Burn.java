// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support;

import dev.buffers.BufferPool;
import dev.buffers.PooledBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Everything at once on one pool (after Cassandra's LongBufferPoolTest): workers in a ring that by turns want twice the cap, and a thread
 * that trims. This class tells them how much to want and which actions are allowed just now; {@link BurnWatch} runs it.
 */
final class Burn {
    private static final long PHASE = TimeUnit.MILLISECONDS.toNanos(300);
    private static final long MISUSE_EVERY = TimeUnit.MILLISECONDS.toNanos(1500);
    private static final long REST = TimeUnit.MILLISECONDS.toNanos(2);

    /** The demand of all workers together, in eighths of the cap, and whether the trimmer runs. The phases take turns. */
    private enum Phase {
        CALM(4, false),
        FULL(16, false),
        SMALL(1, false),
        TRIMMED(4, true),
        CALM_AGAIN(4, false),
        FULL_TRIMMED(16, true);

        private static final Phase[] ALL = values();

        private final int eighths;
        private final boolean trims;

        Phase(int eighths, boolean trims) {
            this.eighths = eighths;
            this.trims = trims;
        }
    }

    final BurnPlan plan;
    final BufferPool pool;
    final BurnLedger ledger = new BurnLedger();
    final Meeting meeting;

    private final List<BurnWorker> workers = new ArrayList<>();
    private final ThreadFactory threads;
    private final Semaphore patience;
    private final int mostPatient;
    private final int mostRetired;
    private final AtomicInteger mayRetire = new AtomicInteger();
    private final AtomicLong nextMisuse = new AtomicLong(System.nanoTime());
    private final AtomicInteger waking = new AtomicInteger();
    private final AtomicInteger finished = new AtomicInteger();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final ConcurrentLinkedQueue<Stamped> left = new ConcurrentLinkedQueue<>();
    private final long start = System.nanoTime();
    private volatile boolean over;

    Burn(BurnPlan plan) {
        this.plan = plan;
        this.pool = plan.settings().open("burn");
        this.threads = plan.threads();
        this.mostPatient = plan.workers() / 2;
        this.patience = new Semaphore(mostPatient);
        this.mostRetired = pool.settings().maxBytes() >= 4 << 20 ? 6 : 1;
        this.meeting = new Meeting(plan.workers() + 1);
    }

    void begin() {
        for (int i = 0; i < plan.workers(); i++) {
            workers.add(new BurnWorker(this, i));
        }
        for (int i = 0; i < workers.size(); i++) {
            workers.get(i).before(workers.get((i + 1) % workers.size()));
        }
        workers.forEach(this::start);
        Threads.start(this::trim);
    }

    /** Called by a worker at the end of its thread: another thread goes on. */
    void start(BurnWorker worker) {
        threads.newThread(worker).start();
    }

    void fail(Throwable cause) {
        failure.compareAndSet(null, cause);
    }

    boolean isOver() {
        return over;
    }

    private Phase phase() {
        return Phase.ALL[(int) ((System.nanoTime() - start) / PHASE % Phase.ALL.length)];
    }

    /** The bytes that one worker wants just now. */
    long share() {
        return pool.settings().maxBytes() * phase().eighths / 8 / workers.size();
    }

    /** Whether large buffers shall lie idle for a while. */
    boolean isSmall() {
        return phase() == Phase.SMALL;
    }

    BurnWorker any(RandomGenerator random) {
        return workers.get(random.nextInt(workers.size()));
    }

    void each(Consumer<BurnWorker> visit) {
        workers.forEach(visit);
    }

    /** Whether one more worker may wait for as long as it takes. If so, the worker must call {@link #waitsNoMore} afterwards. */
    boolean mayWait() {
        if (!patience.tryAcquire()) {
            return false;
        }
        if (meeting.isCalled() || over) { // asked last, so that a meeting sees this worker waiting
            patience.release();
            return false;
        }
        return true;
    }

    void waitsNoMore() {
        patience.release();
    }

    boolean anyoneWaits() {
        return patience.availablePermits() < mostPatient;
    }

    /** Whether one more slab may be retired before the collector has run: each is missing until then. */
    boolean mayRetire() {
        return mayRetire.get() > 0 && mayRetire.decrementAndGet() >= 0;
    }

    /** A guard limits how often it logs its findings: more misuse on purpose would hide other findings. */
    boolean mayMisuse() {
        if (!plan.guard()) {
            return true;
        }
        long due = nextMisuse.get();
        long now = System.nanoTime();
        return now - due > 0 && nextMisuse.compareAndSet(due, now + MISUSE_EVERY);
    }

    /** A wake-up: uses the pool, unless nothing shall move. */
    void woken() {
        waking.incrementAndGet();
        try {
            ledger.woken.increment();
            if (!meeting.isCalled() && !over) {
                PooledBuffer lease = pool.tryAcquire(1000);
                if (lease == null) {
                    ledger.refused.increment();
                } else {
                    lease.buffer().putLong(0, 1);
                    lease.release();
                }
            }
        } catch (Throwable e) {
            fail(e);
        } finally {
            waking.decrementAndGet();
        }
    }

    /** Called by a worker at the end, with the leases that it holds. */
    void leave(Collection<Stamped> leases) {
        left.addAll(leases);
        finished.incrementAndGet();
    }

    private void trim() {
        try {
            while (!over) {
                if (meeting.isCalled()) {
                    meeting.attend();
                } else if (phase().trims) {
                    pool.trim();
                    ledger.trims.increment();
                } else {
                    LockSupport.parkNanos(REST);
                }
            }
            finished.incrementAndGet();
        } catch (Throwable e) {
            fail(e);
        }
    }

    // ---------------------------------------------------------------- for the runner

    List<BurnWorker> workers() {
        return workers;
    }

    /** The failure of some thread; null when none has failed. */
    Throwable failure() {
        return failure.get();
    }

    /** The collector has run. */
    void mayRetireAgain() {
        mayRetire.set(mostRetired);
    }

    void end() {
        over = true;
    }

    /** Whether all have left. */
    boolean isDone() {
        return finished.get() == workers.size() + 1;
    }

    /** Whether no wake-up is just using the pool; none begins to while there is a meeting, and after the end. */
    boolean isStill() {
        return waking.get() == 0;
    }

    /** The leases that the workers held at the end, and those on their way between workers. */
    Queue<Stamped> left() {
        for (BurnWorker worker : workers) {
            worker.closeGuests();
            for (Stamped one = worker.inbox.poll(); one != null; one = worker.inbox.poll()) {
                left.add(one);
            }
        }
        return left;
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support;

import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.buffers.BufferPool;
import dev.buffers.PoolExhaustedException;
import dev.buffers.PoolSettings;
import dev.buffers.PooledBuffer;
import dev.buffers.internal.slab.SizeClasses;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.random.RandomGenerator;
import org.jctools.queues.varhandle.MpmcVarHandleArrayQueue;

/**
 * One of the workers of a burn, which form a ring: acquires, stamps, keeps a while or passes on to the next worker, and checks and ends the
 * leases that it kept and those that it was passed. One thread at a time; after some turns another one goes on for it.
 */
final class BurnWorker implements Runnable {
    static final long DONE = -1;

    private static final int INBOX = 256;
    private static final int CONNECTIONS = 4;
    private static final int BURIED = 64;

    final Queue<Stamped> inbox = new MpmcVarHandleArrayQueue<>(INBOX);

    private final Burn burn;
    private final BurnPlan plan;
    private final BufferPool pool;
    private final BurnLedger ledger;
    private final SplittableRandom random;
    private final BurnSizes sizes;
    private final ArrayDeque<Stamped> own = new ArrayDeque<>();
    private final ArrayDeque<Stamped> buried = new ArrayDeque<>();
    private final List<BurnConnection> connections = new ArrayList<>();
    private final Queue<BurnConnection> guests = new ConcurrentLinkedQueue<>();
    private long ownBytes;
    private long stamps;
    private Stamped.Relic relic;
    private BurnWorker next = this;

    private volatile Thread thread;
    private volatile long moves;

    BurnWorker(Burn burn, int number) {
        this.burn = burn;
        this.plan = burn.plan;
        this.pool = burn.pool;
        this.ledger = burn.ledger;
        this.random = plan.random(number);
        this.sizes = new BurnSizes(pool.settings(), random);
        this.stamps = (long) number << 48;
    }

    /** Sets the worker that receives the passed leases. */
    void before(BurnWorker other) {
        next = other;
    }

    /** How far it has come; {@link #DONE} at its end. */
    long moves() {
        return moves;
    }

    Thread thread() {
        return thread;
    }

    /** At a meeting, or at the end: for how many connections it holds a buffer. */
    long connectionsWithUnread() {
        return connections.stream().filter(one -> one.unread() > 0).count()
                + guests.stream().filter(one -> one.unread() > 0).count();
    }

    @Override
    public void run() {
        thread = Thread.currentThread();
        ledger.threads.increment();
        try {
            for (int turns = plan.turnsOfThread(); turns > 0; turns--) {
                moves++;
                if (burn.isOver()) {
                    makeWay();
                    leave();
                    return;
                }
                if (burn.meeting.isCalled()) {
                    makeWay();
                    connections.forEach(BurnConnection::idle);
                    burn.meeting.attend();
                } else {
                    turn();
                }
            }
            burn.start(this);
        } catch (Throwable e) {
            burn.fail(e);
        }
    }

    /** Gives up everything for the workers that wait until they are served, since no other worker will. */
    private void makeWay() throws InterruptedException {
        while (burn.anyoneWaits()) {
            moves++;
            giveUpEverything();
            burn.each(worker -> {
                takeIn(worker.inbox, INBOX);
                worker.closeGuests();
            });
            Thread.sleep(1);
        }
    }

    private void leave() {
        checkRelic();
        closeConnections();
        buried.clear();
        moves = DONE;
        burn.leave(own);
    }

    private void turn() throws Exception {
        long share = burn.share();
        while (ownBytes > share) {
            endOldest();
        }
        switch (random.nextInt(16)) {
            case 0, 1, 2 -> serve();
            case 3 -> stayLocal();
            case 4 -> register();
            case 5 -> misuse();
            case 6 -> rarely(16, this::waitPatiently);
            case 7 -> rarely(64, this::giveUpEverything);
            case 8 -> rarely(16, this::checkRelic);
            default -> fillUp(share);
        }
        takeIn(inbox, 4);
        if (random.nextInt(32) == 0) {
            takeIn(burn.any(random).inbox, 8);
        }
    }

    private void rarely(int every, Threads.Action action) throws Exception {
        if (random.nextInt(every) == 0) {
            action.run();
        }
    }

    // ---------------------------------------------------------------- acquire

    /** In a burst, which ends with the first that is refused. */
    private void fillUp(long share) {
        for (int left = 1 + random.nextInt(32); left > 0 && ownBytes <= share; left--) {
            PooledBuffer lease = acquire(sizes.next(burn.isSmall()));
            if (lease == null) {
                return;
            }
            keep(stamp(lease));
        }
    }

    /** In one of the ways there are; null when it was refused. */
    private PooledBuffer acquire(int size) {
        PooledBuffer lease = null;
        try {
            lease = switch (random.nextInt(8)) {
                case 0, 1 -> pool.acquire(size);
                case 2 -> pool.acquire(size, Duration.ofNanos(random.nextInt(2_000_000)));
                case 3 -> interrupted(size);
                default -> pool.tryAcquire(size);
            };
        } catch (PoolExhaustedException e) {
            lease = null;
        }
        if (lease == null) {
            ledger.refused.increment();
        }
        return lease;
    }

    /** The same with the interrupt flag up, which must be so after it, whether it was served or not. */
    private PooledBuffer interrupted(int size) {
        Thread.currentThread().interrupt();
        try {
            return pool.acquire(size, Duration.ofMillis(1));
        } finally {
            if (!Thread.interrupted()) {
                throw new AssertionError("an interrupt was lost");
            }
        }
    }

    private Stamped stamp(PooledBuffer lease) {
        if (lease == null) {
            return null;
        }
        int size = lease.buffer().limit();
        if (plan.zeroed()) {
            Stamped.check(lease.buffer(), size, 0);
        }
        return Stamped.fresh(lease, size, nextStamp(), random.nextInt(4) == 0, ledger);
    }

    /** A unique number. */
    private long nextStamp() {
        long z = ++stamps; // the mixer of SplittableRandom, which is one to one
        z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return z ^ z >>> 31;
    }

    /** Keeps it, or passes it on; sometimes with further leases for another worker. */
    private void keep(Stamped one) {
        if (one == null) {
            return;
        }
        if (random.nextInt(8) == 0) {
            int index = random.nextInt(one.length + 1);
            Stamped further =
                    random.nextBoolean() ? one.retain() : one.slice(index, random.nextInt(one.length - index + 1));
            hold(further, random.nextInt(4) > 0);
        }
        hold(one, random.nextInt(8) < 5);
    }

    private void hold(Stamped one, boolean pass) {
        if (!pass || !next.inbox.offer(one)) {
            own.add(one);
            ownBytes += one.length;
        }
    }

    /** Leases that never leave the method, so that the compiler may do without them. */
    private void stayLocal() {
        int size = sizes.next(true);
        for (int i = 0; i < 16; i++) {
            PooledBuffer lease = pool.tryAcquire(size);
            if (lease == null) {
                ledger.refused.increment();
                return;
            }
            long stamp = nextStamp();
            Stamped.fill(lease.buffer(), size, stamp);
            Stamped.check(lease.buffer(), size, stamp);
            lease.release();
        }
    }

    /** Waits until it is served, while it holds no lease; at least one worker is always left that does not wait. */
    private void waitPatiently() {
        if (burn.mayWait()) {
            try {
                giveUpEverything();
                PooledBuffer lease = pool.acquire(sizes.pooled(), Duration.ofDays(1));
                ledger.patient.increment();
                end(stamp(lease));
            } finally {
                burn.waitsNoMore();
            }
        }
    }

    private void register() {
        if (ledger.registered.sum() - ledger.woken.sum() < 16) {
            ledger.registered.increment();
            pool.whenAvailable(sizes.pooled(), burn::woken);
        }
    }

    // ---------------------------------------------------------------- end

    private void giveUpEverything() {
        while (!own.isEmpty()) {
            endOldest();
        }
        closeConnections();
        checkRelic();
        takeIn(inbox, INBOX);
    }

    private void closeConnections() {
        connections.forEach(BurnConnection::close);
        connections.clear();
        closeGuests();
    }

    /** By any worker, or when all have left: the connections that were passed to this one, which it has not taken up. */
    void closeGuests() {
        for (BurnConnection guest = guests.poll(); guest != null; guest = guests.poll()) {
            guest.close();
        }
    }

    /** Checks the view that it kept of a lease that was lost or discarded, and keeps it no longer. */
    private void checkRelic() {
        if (relic != null) {
            relic.check();
            relic = null;
        }
    }

    private void endOldest() {
        Stamped oldest = own.remove();
        ownBytes -= oldest.length;
        end(oldest);
    }

    private void takeIn(Queue<Stamped> from, int most) {
        for (int i = 0; i < most; i++) {
            Stamped passed = from.poll();
            if (passed == null) {
                return;
            }
            end(passed);
        }
    }

    /** In one of the ways there are. */
    private void end(Stamped one) {
        int way = random.nextInt(256);
        if (one.isContested()) {
            one.contend();
        } else if (way < 2 && burn.mayRetire()) {
            retire(one, way == 0);
        } else if (way < 24) {
            one.close();
        } else if (way < 32 && burn.mayMisuse()) {
            if (next.inbox.offer(one.contested())) {
                one.contend();
            } else {
                one.release();
            }
        } else {
            one.release();
            if (way < 48) {
                buried.add(one);
            }
        }
    }

    /** Ends it so that its memory is never used again: a view that is kept sees no other's bytes. */
    private void retire(Stamped one, boolean drop) {
        Stamped.Relic view = one.relic();
        if (!(drop ? one.drop() : one.discard())) {
            one.release();
        } else if (plan.keepsRelics()) {
            checkRelic();
            relic = view; // which keeps the whole region from the collector
        }
    }

    /** Tries calls that must not succeed, with a lease that ended some while ago. */
    private void misuse() {
        if (buried.size() > BURIED) {
            buried.remove();
        }
        if (buried.isEmpty() || !burn.mayMisuse()) {
            return;
        }
        Stamped one = buried.remove();
        buried.add(one);
        if (random.nextBoolean()) {
            one.overtake();
        }
        PooledBuffer ended = one.lease;
        switch (random.nextInt(7)) {
            case 0 -> {
                assertThrows(IllegalStateException.class, ended::release);
                ledger.invalid.increment();
            }
            case 1 -> {
                assertThrows(IllegalStateException.class, ended::discard);
                ledger.invalid.increment();
            }
            case 2 -> assertThrows(IllegalStateException.class, ended::buffer);
            case 3 -> assertThrows(IllegalStateException.class, ended::retain);
            case 4 -> assertThrows(IllegalStateException.class, () -> ended.slice(0, 0));
            case 5 -> ended.close();
            default -> {
                if (ended.isOpen()) {
                    throw new AssertionError("a lease is open that has ended: " + ended);
                }
            }
        }
        ledger.stale.increment();
    }

    // ---------------------------------------------------------------- connections

    /** One thing with one connection, which some other worker may have had before. */
    private void serve() throws Exception {
        for (BurnConnection guest = guests.poll(); guest != null; guest = guests.poll()) {
            connections.add(guest);
        }
        if (connections.isEmpty() || connections.size() < CONNECTIONS && random.nextInt(32) == 0) {
            connections.add(new BurnConnection(pool, nextStamp(), sizes.pooledMost(), ledger));
        }
        int at = random.nextInt(connections.size());
        BurnConnection one = connections.get(at);
        int unread = one.unread();
        try {
            switch (random.nextInt(16)) {
                case 0, 1, 2, 3, 4 -> one.read(1 + random.nextInt(1 << random.nextInt(15)));
                case 5, 6, 7 -> keep(unread == 0 ? null : one.handOff());
                case 8, 9 -> keep(unread == 0 ? null : one.handOff(1 + random.nextInt(unread)));
                case 10 -> one.parse(random.nextInt(unread + 1));
                case 11 -> one.grow(random);
                case 12, 13 -> keep(stamp(one.acquire(sizes.next(burn.isSmall()))));
                case 14 -> one.idle();
                default -> {
                    connections.remove(at);
                    if (random.nextBoolean() || next.guests.size() >= CONNECTIONS) {
                        one.close();
                    } else {
                        one.idle();
                        next.guests.add(one);
                    }
                }
            }
        } catch (PoolExhaustedException e) {
            ledger.refused.increment();
        }
    }

    /** The sizes that a burn asks for: at, below and above each class, small more often than large, some above the largest, and 0. */
    static final class BurnSizes {
        private final SizeClasses classes;
        private final RandomGenerator random;
        private final int small;
        private final int pooled;
        private final int most;

        /** No size is more than a quarter of the cap, so that no worker needs all of it. */
        BurnSizes(PoolSettings settings, RandomGenerator random) {
            this.random = random;
            this.classes = SizeClasses.of(settings);
            int quarter = (int) Math.min(Integer.MAX_VALUE / 2, settings.maxBytes() / 4);
            this.pooled = Math.min(classes.maxSize(), quarter);
            this.most = Math.min(classes.maxSize() + classes.maxSize() / 2, quarter);
            this.small = Math.min(4096, pooled);
        }

        int next(boolean onlySmall) {
            int size = switch (random.nextInt(24)) {
                case 0 -> 0;
                case 1 -> random.nextInt(pooled + 1);
                case 2 -> pooled + random.nextInt(most - pooled + 1);
                default -> aroundClass();
            };
            return onlySmall ? Math.min(size, small) : size;
        }

        private int aroundClass() {
            int sizeClass = (int) Math.min(classes.count() - 1, Math.abs(random.nextGaussian()) * classes.count() / 3);
            return Math.min(most, classes.sizeOf(sizeClass) + random.nextInt(3) - 1);
        }

        /** One that has a class. */
        int pooled() {
            return Math.min(pooled, aroundClass());
        }

        int pooledMost() {
            return pooled;
        }
    }
}

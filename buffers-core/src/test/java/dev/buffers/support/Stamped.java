// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support;

import dev.buffers.PooledBuffer;
import dev.buffers.internal.slab.Lease;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.InvalidMarkException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One lease of a tenancy, whose bytes all repeat the number of that tenancy. The thread that ends the lease checks them, so that memory
 * with two holders is seen. The operations are entered in a {@link BurnLedger}.
 */
public final class Stamped {
    /** How a tenancy may end other than by its last release. */
    private enum Fate {
        RELEASED,
        DISCARDED,
        DROPPED
    }

    /** The state that the leases of one tenancy share. */
    private static final class Tenancy {
        private final AtomicInteger open = new AtomicInteger(1);
        private final AtomicReference<Fate> fate = new AtomicReference<>(Fate.RELEASED);

        /** How often a release said that it was the last, and whether some lease was closed, which does not say. */
        private final AtomicInteger last = new AtomicInteger();

        private volatile boolean unseen;
    }

    /** The state that two threads share when both end one lease. */
    private static final class Contest {
        private final AtomicInteger attempts = new AtomicInteger();
        private final AtomicInteger wins = new AtomicInteger();
    }

    final PooledBuffer lease;

    /** So many of its bytes are stamped. */
    final int length;

    private final long stamp;
    private final Tenancy tenancy;
    private final boolean first;
    private final long thread;
    private final BurnLedger ledger;
    private Contest contest;

    private Stamped(PooledBuffer lease, int length, long stamp, Tenancy tenancy, boolean first, BurnLedger ledger) {
        this.lease = lease;
        this.length = length;
        this.stamp = stamp;
        this.tenancy = tenancy;
        this.first = first;
        this.thread = Thread.currentThread().getId();
        this.ledger = ledger;
    }

    /** A lease just acquired: checks its view, and stamps the requested bytes or, if {@code whole}, all bytes. */
    static Stamped fresh(PooledBuffer lease, int size, long stamp, boolean whole, BurnLedger ledger) {
        Stamped stamped = new Stamped(lease, whole ? lease.capacity() : size, stamp, new Tenancy(), true, ledger);
        ledger.out.increment();
        ByteBuffer bytes = lease.buffer();
        checkView(bytes, 0, size);
        try {
            bytes.reset();
            throw new AssertionError("a buffer was given with the last holder's mark: " + bytes);
        } catch (InvalidMarkException e) {
            // So it shall be.
        }
        fill(bytes.clear(), stamped.length, stamp);
        return stamped;
    }

    /** A lease on bytes that are stamped already, with its view on exactly these bytes. */
    static Stamped filled(PooledBuffer lease, int length, long stamp, BurnLedger ledger) {
        ledger.out.increment();
        checkView(lease.buffer(), 0, length);
        return new Stamped(lease, length, stamp, new Tenancy(), true, ledger);
    }

    /** The number as it reads so many bytes on. */
    static long after(long stamp, long bytes) {
        return Long.rotateLeft(stamp, 8 * (int) (bytes & 7));
    }

    /** Another lease on the same bytes. */
    Stamped retain() {
        tenancy.open.incrementAndGet();
        ByteBuffer mine = lease.buffer();
        PooledBuffer further = lease.retain();
        checkView(further.buffer(), mine.position(), mine.limit());
        return new Stamped(further, length, stamp, tenancy, false, ledger);
    }

    /** Another lease on some of the bytes. */
    Stamped slice(int index, int part) {
        tenancy.open.incrementAndGet();
        PooledBuffer further = lease.slice(index, part);
        checkView(further.buffer(), 0, part);
        if (further.capacity() != part) {
            throw new AssertionError("a slice is wider than it shall be: " + further.buffer());
        }
        return new Stamped(further, part, after(stamp, index), tenancy, false, ledger);
    }

    /** A separate view of the bytes, which a user must not keep. */
    Relic relic() {
        return new Relic(lease.buffer().clear().slice(), length, stamp);
    }

    /** A view that outlives its lease, which was lost or discarded: no holder may ever write there again. */
    record Relic(ByteBuffer view, int length, long stamp) {
        void check() {
            Stamped.check(view, length, stamp);
        }
    }

    void check() {
        check(lease.buffer().clear().order(ByteOrder.BIG_ENDIAN), length, stamp);
        ledger.checks.increment();
        ledger.checkedBytes.add(length);
    }

    public void release() {
        check();
        muddle();
        over(lease.release());
    }

    /** Ends it in the way that does not say whether it was the last. */
    void close() {
        check();
        muddle();
        tenancy.unseen = true;
        lease.close();
        over(false);
    }

    /** False when another lease of this tenancy ends in a way that does not go with this; then nothing has happened. */
    boolean discard() {
        if (!tenancy.fate.compareAndSet(Fate.RELEASED, Fate.DISCARDED)) {
            return false;
        }
        check();
        ledger.discarded.increment();
        lease.discard();
        over(false);
        return true;
    }

    /** Forgets it. The caller must do so too. False as for {@link #discard}. */
    boolean drop() {
        if (!tenancy.fate.compareAndSet(Fate.RELEASED, Fate.DROPPED)) {
            return false;
        }
        check();
        over(false);
        return true;
    }

    /** From now on two threads will end it, of which one must be refused. */
    Stamped contested() {
        check();
        contest = new Contest();
        return this;
    }

    boolean isContested() {
        return contest != null;
    }

    /** After its end: as a thread sees it that was overtaken when it was about to end it. Further and guarded leases are not seen so. */
    void overtake() {
        if (first && lease instanceof Lease) {
            Peek.overtaken(lease, ByteBuffer.allocate(0));
        }
    }

    /** By each of the two. */
    void contend() {
        try {
            boolean last = lease.release();
            contest.wins.incrementAndGet();
            over(last);
        } catch (IllegalStateException e) {
            ledger.invalid.increment();
        }
        if (contest.attempts.incrementAndGet() == 2 && contest.wins.get() != 1) {
            throw new AssertionError("two threads released one lease: successes=" + contest.wins);
        }
    }

    /** Leaves the view as no acquire may give it. */
    private void muddle() {
        ByteBuffer bytes = lease.buffer();
        bytes.order(ByteOrder.LITTLE_ENDIAN)
                .limit(bytes.capacity() - bytes.capacity() / 3)
                .position(bytes.limit() / 2)
                .mark();
    }

    private void over(boolean last) {
        ledger.ended.increment();
        if (thread != Thread.currentThread().getId()) {
            ledger.foreign.increment();
        }
        if (last) {
            tenancy.last.incrementAndGet();
        }
        if (tenancy.open.decrementAndGet() > 0) {
            return;
        }
        Fate fate = tenancy.fate.get();
        int said = tenancy.last.get();
        if (fate == Fate.DROPPED ? said != 0 : said > 1 || said == 0 && fate == Fate.RELEASED && !tenancy.unseen) {
            throw new AssertionError("releases that were the last of their tenancy: " + said + ", fate=" + fate);
        }
        ledger.out.decrement();
        if (fate == Fate.DROPPED) {
            ledger.lost.increment();
        }
    }

    private static void checkView(ByteBuffer bytes, int position, int limit) {
        if (bytes.position() != position
                || bytes.limit() != limit
                || bytes.order() != ByteOrder.BIG_ENDIAN
                || bytes.isReadOnly()) {
            throw new AssertionError("a buffer was not given as it shall be: " + bytes + ", " + bytes.order()
                    + ", expected position=" + position + ", limit=" + limit);
        }
    }

    /** Writes the number over so many bytes of a buffer that is cleared and big-endian. */
    static void fill(ByteBuffer bytes, int length, long stamp) {
        int at = 0;
        for (; at <= length - 8; at += 8) {
            bytes.putLong(at, stamp);
        }
        for (; at < length; at++) {
            bytes.put(at, byteOf(stamp, at));
        }
    }

    /** Fails unless so many bytes say the number. */
    static void check(ByteBuffer bytes, int length, long stamp) {
        int at = 0;
        for (; at <= length - 8; at += 8) {
            long found = bytes.getLong(at);
            if (found != stamp) {
                throw wrong(bytes, length, stamp, at, found);
            }
        }
        for (; at < length; at++) {
            if (bytes.get(at) != byteOf(stamp, at)) {
                throw wrong(bytes, length, stamp, at, bytes.get(at));
            }
        }
    }

    private static byte byteOf(long stamp, int at) {
        return (byte) (stamp >>> 56 - 8 * (at & 7));
    }

    private static AssertionError wrong(ByteBuffer bytes, int length, long stamp, int at, long found) {
        return new AssertionError("bytes of another lease: at=" + at + ", length=" + length + ", capacity="
                + bytes.capacity() + ", stamp=" + Long.toHexString(stamp) + ", found=" + Long.toHexString(found));
    }
}

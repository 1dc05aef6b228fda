// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.buffers.PooledBuffer;
import dev.buffers.internal.pool.MovedSlot;
import dev.buffers.internal.pool.SlabPool;
import dev.buffers.internal.slab.Slot;
import dev.buffers.internal.slab.SlotState;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.Stream;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;
import org.openjdk.jcstress.infra.results.LLL_Result;
import org.openjdk.jcstress.infra.results.LL_Result;

/** Memory is taken back while its slots are used: one thread wins each slot, and one thread has its view (Slot S1 to S3). */
public final class TrimRace {
    private static final Cutter SLOTS = new Cutter(builder -> builder);

    private TrimRace() {}

    @JCStressTest
    @Description(
            "A thread begins a tenancy as another one revokes the slot: both make a compare-and-set from FREE, so one of them"
                    + " wins, and it alone has the view (S1, S3).")
    @Outcome(id = "1, 0, held 0", expect = ACCEPTABLE, desc = "the tenancy has the view")
    @Outcome(
            id = "0, 1, gone 0",
            expect = ACCEPTABLE,
            desc = "the slab has the memory, and the list has a revoked slot")
    @Outcome(id = "1, 1, .*", expect = FORBIDDEN, desc = "two have it")
    @Outcome(id = "0, 0, .*", expect = FORBIDDEN, desc = "the view is lost")
    @Outcome(expect = FORBIDDEN, desc = "the slot is not whole")
    @State
    public static class RevokedOrAcquired {
        private final Revocable its = new Revocable();

        @Actor
        public void acquires(LLL_Result r) {
            r.r1 = Cutter.beginAndTake(its.slot) == null ? 0 : 1;
        }

        @Actor
        public void revokes(LLL_Result r) {
            r.r2 = its.revoke();
        }

        @Arbiter
        public void after(LLL_Result r) {
            r.r3 = Cutter.standing(its.slot);
        }
    }

    @JCStressTest
    @Description(
            "A lease is released as another thread revokes its slot: the revocation finds the slot held or on its way and"
                    + " leaves it, or it finds it free, with its view (S2, S3).")
    @Outcome(id = "last, 0, free 1", expect = ACCEPTABLE, desc = "it was not free yet")
    @Outcome(id = "last, 1, gone 1", expect = ACCEPTABLE, desc = "it was free, and its slab has the memory")
    @Outcome(expect = FORBIDDEN, desc = "revoked during its tenancy, or the slot is not whole")
    @State
    public static class RevokedOrReleased {
        private final Revocable its = new Revocable();
        private final PooledBuffer lease = Revocable.lease(its.slot);

        @Actor
        public void releases(LLL_Result r) {
            r.r1 = Cutter.release(lease);
        }

        @Actor
        public void revokes(LLL_Result r) {
            r.r2 = its.revoke();
        }

        @Arbiter
        public void after(LLL_Result r) {
            r.r3 = Cutter.standing(its.slot);
        }
    }

    @JCStressTest
    @Description(
            "One thread begins and ends tenancies of a slot as another one revokes it and takes its memory from the slab: the"
                    + " memory has one holder, and the byte that a holder writes is there until it releases (S1 to S3).")
    @Outcome(id = "1, 0, held 2", expect = ACCEPTABLE, desc = "the first thread has it")
    @Outcome(id = "1, 1, gone [012]", expect = ACCEPTABLE, desc = "the second thread has it")
    @Outcome(id = ".*, held with its view", expect = FORBIDDEN, desc = "the slot is not whole")
    @Outcome(expect = FORBIDDEN, desc = "two have it, or nobody has it")
    @State
    public static class RevokedAroundReleases {
        private static final int TRIES = 8;

        private final Revocable its = new Revocable();

        @Actor
        public void uses(LLL_Result r) {
            int alone = 1;
            for (int i = 0; i < 3; i++) {
                ByteBuffer view = Cutter.beginAndTake(its.slot);
                if (view == null) {
                    break;
                }
                view.put(0, (byte) 1);
                Thread.onSpinWait();
                alone &= view.get(0);
                if (i < 2) {
                    its.slot.endUnused(view);
                }
            }
            r.r1 = alone;
        }

        @Actor
        public void revokes(LLL_Result r) {
            int revoked = 0;
            for (int i = 0; i < TRIES && revoked == 0; i++) {
                revoked = its.revoke();
            }
            Slot again = revoked == 0 ? null : its.takeFromSlab();
            ByteBuffer view = again == null ? null : Cutter.beginAndTake(again);
            if (view != null) {
                view.put(0, (byte) 2);
                Thread.onSpinWait();
                revoked = view.get(0) == 2 ? revoked : 2;
            }
            r.r2 = revoked;
        }

        @Arbiter
        public void after(LLL_Result r) {
            r.r3 = Cutter.standing(its.slot);
        }
    }

    @JCStressTest
    @Description("Two threads revoke one slot: its memory returns to the slab once (S3).")
    @Outcome(
            id = {"1, 0, gone 0", "0, 1, gone 0"},
            expect = ACCEPTABLE,
            desc = "one has revoked it")
    @Outcome(expect = FORBIDDEN, desc = "revoked twice, or never")
    @State
    public static class RevokedTwice {
        private final Revocable its = new Revocable();

        @Actor
        public void one(LLL_Result r) {
            r.r1 = its.revoke();
        }

        @Actor
        public void other(LLL_Result r) {
            r.r2 = its.revoke();
        }

        @Arbiter
        public void after(LLL_Result r) {
            r.r3 = Cutter.standing(its.slot);
        }
    }

    @JCStressTest
    @Description(
            "A free slot is retired as another thread revokes it: the slabs' lock lets one of them have it, so its memory is lost"
                    + " or in the slab, never both.")
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "retired")
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "revoked")
    @Outcome(expect = FORBIDDEN, desc = "both, or neither")
    @State
    public static class RevokedOrRetired {
        private final Revocable its = new Revocable();

        @Actor
        public void retires(II_Result r) {
            r.r1 = its.retire() ? 1 : 0;
        }

        @Actor
        public void revokes(II_Result r) {
            r.r2 = its.revoke();
        }
    }

    @JCStressTest
    @Description(
            "The only slot of a pool moves from a depot to its slab while another thread acquires at the cap: the counts of moves"
                    + " tell that thread that it may have missed the slot, and it finds the slot by its state (FreeSlots).")
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "served")
    @Outcome(expect = FORBIDDEN, desc = "refused although the only slot was free")
    @State
    public static class MovedOrRefused {
        private final MovedSlot its = new MovedSlot();

        @Actor
        public void moves() {
            its.move();
        }

        @Actor
        public void acquires(I_Result r) {
            r.r1 = its.acquire() ? 1 : 0;
        }
    }

    @JCStressTest
    @Description("A slot gets the drain bit (compare-and-set) as its lease is released: the release that fails for it"
            + " takes the slow path, ends the tenancy all the same, and no drain bit is left for the next (S1).")
    @Outcome(id = "last, free 1", expect = ACCEPTABLE, desc = "ended, and clean")
    @Outcome(expect = FORBIDDEN, desc = "the release was lost, or the drain bit outlived its tenancy")
    @State
    public static class DrainedAndReleased {
        private final Slot slot = SLOTS.slot();
        private final PooledBuffer lease = SLOTS.lease(slot);

        @Actor
        public void releases(LL_Result r) {
            r.r1 = Cutter.release(lease);
        }

        @Actor
        public void drains() {
            slot.drain();
        }

        @Arbiter
        public void after(LL_Result r) {
            r.r2 = Cutter.standing(slot);
        }
    }

    @JCStressTest
    @Description("A slot gets the drain bit as its lease is retained: both compare-and-sets show in the state, neither"
            + " undoes the other.")
    @Outcome(id = "retained, both", expect = ACCEPTABLE, desc = "one more hold, and drained")
    @Outcome(expect = FORBIDDEN, desc = "a hold or the drain bit was lost")
    @State
    public static class DrainedAndRetained {
        private final Slot slot = SLOTS.slot();
        private final PooledBuffer lease = SLOTS.lease(slot);
        private final PooledBuffer[] further = new PooledBuffer[1];

        @Actor
        public void retains(LL_Result r) {
            r.r1 = Cutter.retain(lease, further);
        }

        @Actor
        public void drains() {
            slot.drain();
        }

        @Arbiter
        public void after(LL_Result r) {
            r.r2 = slot.stateVolatile() == (SlotState.FIRST + SlotState.HOLD + SlotState.DRAIN) ? "both" : "one";
            lease.close();
            further[0].close();
        }
    }

    @JCStressTest
    @Description("On a whole pool, one thread acquires, stamps, looks and releases while another trims everything and"
            + " then does the same: no byte has two holders, and nobody is refused.")
    @Outcome(id = "1, 1, 1", expect = ACCEPTABLE, desc = "each had its own")
    @Outcome(expect = FORBIDDEN, desc = "a byte had two holders")
    @State
    public static class TrimmedAndAcquired {
        private static final int SIZE = 100;
        private static final SlabPool POOL =
                Cutter.pool(builder -> builder.policy("heap-view").max(16 << 20));

        private final Rendezvous meeting = new Rendezvous();

        @Actor
        public void acquires(III_Result r) {
            meeting.here();
            r.r1 = isMine(1);
            r.r3 = isMine(2);
        }

        @Actor
        public void trims(III_Result r) {
            meeting.here();
            POOL.trim();
            r.r2 = isMine(3);
        }

        private static int isMine(int stamp) {
            PooledBuffer lease = POOL.acquire(SIZE);
            ByteBuffer buffer = lease.buffer().putInt(0, stamp).putInt(SIZE - 4, stamp);
            Thread.onSpinWait();
            boolean mine = buffer.getInt(0) == stamp && buffer.getInt(SIZE - 4) == stamp;
            return lease.release() && mine ? 1 : 0;
        }
    }

    @JCStressTest
    @Description(
            "Two threads share the last two free slots of a pool, at its cap: one takes a batch from a slab, or from the other's"
                    + " magazine, while the other looks for a slot, and nobody is refused (I5).")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "each had a slot")
    @Outcome(expect = FORBIDDEN, desc = "refused although a slot was free")
    @State
    public static class TwoSlotsTwoThreads {
        private static final int SIZE = 32 << 10;

        /** Enough for the magazines of three threads. */
        private static final int MAX = 4 << 20;

        private static final SlabPool POOL =
                Cutter.pool(builder -> builder.policy("heap-view").max(MAX));

        @SuppressWarnings("unused") // it holds all slots but two
        private static final List<PooledBuffer> HELD =
                Stream.generate(() -> POOL.acquire(SIZE)).limit(MAX / SIZE - 2).toList();

        private final Rendezvous meeting = new Rendezvous();

        @Actor
        public void one(II_Result r) {
            meeting.here();
            r.r1 = served(POOL, SIZE);
        }

        @Actor
        public void other(II_Result r) {
            meeting.here();
            r.r2 = served(POOL, SIZE);
        }
    }

    @JCStressTest
    @Description(
            "The same while one of the two trims before it acquires: a region that is being dropped is in the hands of that thread,"
                    + " and must still serve the other one (I5).")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "each had a slot")
    @Outcome(expect = FORBIDDEN, desc = "refused although a slot was free, or its region on the way to be dropped")
    @State
    public static class TrimmedAtCap {
        private static final int SIZE = 32 << 10;
        private static final int MAX = 4 << 20;
        private static final SlabPool POOL =
                Cutter.pool(builder -> builder.policy("heap-view").max(MAX));

        @SuppressWarnings("unused") // it holds all slots but two
        private static final List<PooledBuffer> HELD =
                Stream.generate(() -> POOL.acquire(SIZE)).limit(MAX / SIZE - 2).toList();

        private final Rendezvous meeting = new Rendezvous();

        @Actor
        public void acquires(II_Result r) {
            meeting.here();
            r.r1 = served(POOL, SIZE);
        }

        @Actor
        public void trims(II_Result r) {
            meeting.here();
            POOL.trim();
            r.r2 = served(POOL, SIZE);
        }
    }

    @JCStressTest
    @Description(
            "A pool has one region, of two slots, and both are free. One thread trims, so that the region is dropped, and both acquire:"
                    + " the thread that cuts the region anew must not hide it from the other one (FreeSlots).")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "each had a slot")
    @Outcome(expect = FORBIDDEN, desc = "refused although a slot was free, or in a region on the way")
    @State
    public static class TrimmedOnlyRegion {
        private static final int SIZE = 32 << 10;
        private static final SlabPool POOL =
                Cutter.pool(builder -> builder.policy("heap-view").max(2 * SIZE));

        private final Rendezvous meeting = new Rendezvous();

        @Actor
        public void acquires(II_Result r) {
            meeting.here();
            r.r1 = served(POOL, SIZE);
        }

        @Actor
        public void trims(II_Result r) {
            meeting.here();
            POOL.trim();
            r.r2 = served(POOL, SIZE);
        }
    }

    /** 1 if an acquire was served. */
    private static int served(SlabPool pool, int size) {
        PooledBuffer lease = pool.tryAcquire(size);
        return lease != null && lease.release() ? 1 : 0;
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.buffers.PooledBuffer;
import dev.buffers.internal.slab.Slot;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLL_Result;

/** A lease ends once, whichever thread ends it and by whichever call (Slot S1 and S2, PooledBuffer P1). */
public final class LeaseEnds {
    private static final Cutter SLOTS = new Cutter(builder -> builder);

    private LeaseEnds() {}

    @JCStressTest
    @Description("Two threads release a first lease: the compare-and-set on the slot's state lets one of them end the"
            + " tenancy (S1), who alone puts the view back (S2).")
    @Outcome(
            id = {"last, refused, free 1", "refused, last, free 1"},
            expect = ACCEPTABLE,
            desc = "one has ended it")
    @Outcome(id = "last, last, .*", expect = FORBIDDEN, desc = "ended twice")
    @Outcome(expect = FORBIDDEN, desc = "not ended, or not as it should be")
    @State
    public static class FirstTwice {
        private final Slot slot = SLOTS.slot();
        private final PooledBuffer lease = SLOTS.lease(slot);

        @Actor
        public void one(LLL_Result r) {
            r.r1 = Cutter.release(lease);
        }

        @Actor
        public void other(LLL_Result r) {
            r.r2 = Cutter.release(lease);
        }

        @Arbiter
        public void after(LLL_Result r) {
            r.r3 = Cutter.standing(slot);
        }
    }

    @JCStressTest
    @Description("Two threads release a further lease, the last on its memory: get-and-set on its view lets one of"
            + " them drop its hold (P1).")
    @Outcome(
            id = {"last, refused, free 1", "refused, last, free 1"},
            expect = ACCEPTABLE,
            desc = "one has ended it")
    @Outcome(id = "last, last, .*", expect = FORBIDDEN, desc = "ended twice")
    @Outcome(expect = FORBIDDEN, desc = "not ended, or not as it should be")
    @State
    public static class FurtherTwice {
        private final Slot slot = SLOTS.slot();
        private final PooledBuffer lease = further(SLOTS.lease(slot));

        private static PooledBuffer further(PooledBuffer first) {
            PooledBuffer further = first.retain();
            first.release();
            return further;
        }

        @Actor
        public void one(LLL_Result r) {
            r.r1 = Cutter.release(lease);
        }

        @Actor
        public void other(LLL_Result r) {
            r.r2 = Cutter.release(lease);
        }

        @Arbiter
        public void after(LLL_Result r) {
            r.r3 = Cutter.standing(slot);
        }
    }

    @JCStressTest
    @Description("One thread releases, another closes a first lease: one of them ends it (S1), and a close that comes"
            + " second is silent.")
    @Outcome(id = "last, closed, free 1", expect = ACCEPTABLE, desc = "the release has ended it")
    @Outcome(id = "refused, closed, free 1", expect = ACCEPTABLE, desc = "the close has ended it")
    @Outcome(expect = FORBIDDEN, desc = "not ended once, or not as it should be")
    @State
    public static class ReleasedAndClosed {
        private final Slot slot = SLOTS.slot();
        private final PooledBuffer lease = SLOTS.lease(slot);

        @Actor
        public void releases(LLL_Result r) {
            r.r1 = Cutter.release(lease);
        }

        @Actor
        public void closes(LLL_Result r) {
            lease.close();
            r.r2 = "closed";
        }

        @Arbiter
        public void after(LLL_Result r) {
            r.r3 = Cutter.standing(slot);
        }
    }

    @JCStressTest
    @Description("One thread releases, another discards a first lease: one of them ends it (S1), and the view is back"
            + " exactly when that was the release (S2).")
    @Outcome(id = "last, refused, free 1", expect = ACCEPTABLE, desc = "released")
    @Outcome(id = "refused, discarded, gone 1", expect = ACCEPTABLE, desc = "discarded, never used again")
    @Outcome(id = "last, discarded, .*", expect = FORBIDDEN, desc = "ended twice")
    @Outcome(expect = FORBIDDEN, desc = "not ended, or not as it should be")
    @State
    public static class ReleasedAndDiscarded {
        private final Slot slot = SLOTS.slot();
        private final PooledBuffer lease = SLOTS.lease(slot);

        @Actor
        public void releases(LLL_Result r) {
            r.r1 = Cutter.release(lease);
        }

        @Actor
        public void discards(LLL_Result r) {
            try {
                lease.discard();
                r.r2 = "discarded";
            } catch (IllegalStateException e) {
                r.r2 = "refused";
            }
        }

        @Arbiter
        public void after(LLL_Result r) {
            r.r3 = Cutter.standing(slot);
        }
    }
}

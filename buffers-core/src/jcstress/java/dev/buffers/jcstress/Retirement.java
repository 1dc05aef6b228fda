// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.buffers.internal.memory.Budget;
import dev.buffers.internal.memory.RegionAllocator;
import dev.buffers.internal.slab.Slab;
import dev.buffers.internal.slab.SlabStore;
import dev.buffers.internal.slab.Slot;
import dev.buffers.support.Linked;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** A slab with a slot that was lost ends once, when the last of its other slots has returned or was revoked. */
public final class Retirement {
    private static final Cutter SLOTS = new Cutter(builder -> builder);
    private static final int SIZE = 128;

    private Retirement() {}

    /** A slab of two slots, both out, in a region that was reserved. */
    private static final class TwoSlots {
        private final RegionAllocator regions =
                new RegionAllocator(SLOTS.pool, SLOTS.pool.settings().policy(), new Budget(2 * SIZE));
        final SlabStore slabs = new SlabStore(1, regions, 0);
        final Slab slab = new Slab(SLOTS.pool, regions.allocate(SIZE, 2), 0, SIZE);
        final Slot[] slots = Linked.added(slabs, slab, 2);

        void giveBack(int index) {
            slabs.giveBack(slots[index]);
        }

        void sum(III_Result r) {
            r.r1 = slab.isDissolved() ? slab.retired() : -1;
            r.r2 = (int) regions.reservedBytesPlain();
            r.r3 = (int) regions.droppedBytes();
        }
    }

    @JCStressTest
    @Description("A slot is found lost as the other one, the last that was out, returns: under the slabs' lock the"
            + " slab ends once, whichever comes first, and its region is dropped once.")
    @Outcome(id = "1, 0, 256", expect = ACCEPTABLE, desc = "retired, with one slot lost")
    @Outcome(id = "-1, .*, .*", expect = FORBIDDEN, desc = "the slab never ends")
    @Outcome(expect = FORBIDDEN, desc = "dropped twice, or miscounted")
    @State
    public static class LostAndLastReturned {
        private final TwoSlots its = new TwoSlots();

        @Actor
        public void collector() {
            its.slabs.retire(its.slots[0]);
        }

        @Actor
        public void releaser() {
            its.giveBack(1);
        }

        @Arbiter
        public void after(III_Result r) {
            its.sum(r);
        }
    }

    @JCStressTest
    @Description("One slot is found lost as the other is discarded: both are gone, each counted once, and the slab"
            + " ends with the second.")
    @Outcome(id = "2, 0, 256", expect = ACCEPTABLE, desc = "retired, with both slots gone")
    @Outcome(id = "-1, .*, .*", expect = FORBIDDEN, desc = "the slab never ends")
    @Outcome(expect = FORBIDDEN, desc = "dropped twice, or miscounted")
    @State
    public static class LostAndDiscarded {
        private final TwoSlots its = new TwoSlots();

        @Actor
        public void collector() {
            its.slabs.retire(its.slots[0]);
        }

        @Actor
        public void discards() {
            its.slabs.retire(its.slots[1]);
        }

        @Arbiter
        public void after(III_Result r) {
            its.sum(r);
        }
    }

    @JCStressTest
    @Description(
            "The same slot is reported gone by two threads, the other one being in its slab: it counts once, and the"
                    + " region is dropped once.")
    @Outcome(id = "1, 0, 256", expect = ACCEPTABLE, desc = "retired, with one slot gone")
    @Outcome(id = "-1, .*, .*", expect = FORBIDDEN, desc = "the slab never ends")
    @Outcome(expect = FORBIDDEN, desc = "dropped twice, or miscounted")
    @State
    public static class LostTwice {
        private final TwoSlots its = new TwoSlots();

        public LostTwice() {
            its.giveBack(1);
        }

        @Actor
        public void one() {
            its.slabs.retire(its.slots[0]);
        }

        @Actor
        public void other() {
            its.slabs.retire(its.slots[0]);
        }

        @Arbiter
        public void after(III_Result r) {
            its.sum(r);
        }
    }

    @JCStressTest
    @Description(
            "A slot returns to its slab as it is reported gone, the other one being there: the slabs' lock lets it be free or"
                    + " retired, never both.")
    @Outcome(id = "1, 0, 256", expect = ACCEPTABLE, desc = "retired")
    @Outcome(id = "-1, 256, 0", expect = ACCEPTABLE, desc = "it is in its slab")
    @Outcome(expect = FORBIDDEN, desc = "free and retired, or miscounted")
    @State
    public static class LostOrReturned {
        private final TwoSlots its = new TwoSlots();

        public LostOrReturned() {
            its.giveBack(1);
        }

        @Actor
        public void collector() {
            its.slabs.retire(its.slots[0]);
        }

        @Actor
        public void releaser() {
            its.giveBack(0);
        }

        @Arbiter
        public void after(III_Result r) {
            its.sum(r);
        }
    }

    @JCStressTest
    @Description(
            "A slot is found lost as the other one, which is free in a list, is revoked: the slab ends once, whichever comes"
                    + " first, and its region is dropped once.")
    @Outcome(id = "1, 0, 256", expect = ACCEPTABLE, desc = "retired, with one slot lost")
    @Outcome(id = "-1, .*, .*", expect = FORBIDDEN, desc = "the slab never ends")
    @Outcome(expect = FORBIDDEN, desc = "dropped twice, or miscounted")
    @State
    public static class LostAndLastRevoked {
        private final TwoSlots its = new TwoSlots();

        @Actor
        public void collector() {
            its.slabs.retire(its.slots[0]);
        }

        @Actor
        public void revokes() {
            its.slabs.revoke(its.slots[1]);
        }

        @Arbiter
        public void after(III_Result r) {
            its.sum(r);
        }
    }
}

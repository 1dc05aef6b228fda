// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.buffers.PooledBuffer;
import dev.buffers.internal.slab.Slot;
import java.nio.ByteBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLL_Result;

/** A lease that another thread ends in the meantime is open or dead, never something between, and never reaches the next holder. */
public final class StaleLease {
    private static final Cutter SLOTS = new Cutter(builder -> builder.threadCache(0)); // see Cutter.lease

    private StaleLease() {}

    @JCStressTest
    @Description("A lease is used while another thread ends it and begins the slot's next tenancy: reads of the state"
            + " (volatile) see it open, then dead for ever, because its generation never comes back (S1).")
    @Outcome(
            id = {"open, buffer, open", "open, buffer, ended", "open, refused, ended", "ended, refused, ended"},
            expect = ACCEPTABLE,
            desc = "open until it has ended")
    @Outcome(id = "ended, buffer, .*", expect = FORBIDDEN, desc = "gave the next holder's buffer")
    @Outcome(expect = FORBIDDEN, desc = "came to life again, or was refused while open")
    @State
    public static class UsedMeanwhile {
        private final Slot slot = SLOTS.slot();
        private final ByteBuffer view = slot.view;
        private final PooledBuffer lease = SLOTS.lease(slot);
        private PooledBuffer next;

        @Actor
        public void holder() {
            lease.release();
            next = SLOTS.lease(slot);
        }

        @Actor
        public void stale(LLL_Result r) {
            r.r1 = lease.isOpen() ? "open" : "ended";
            try {
                r.r2 = lease.buffer() == view ? "buffer" : "other";
            } catch (IllegalStateException e) {
                r.r2 = "refused";
            }
            r.r3 = lease.isOpen() ? "open" : "ended";
        }

        @Arbiter
        public void after() {
            next.close();
        }
    }

    @JCStressTest
    @Description("A lease is released twice, the second time as the slot's next tenancy begins: the stamp of the first"
            + " never matches again, so the next holder keeps slot and view (S1, S2).")
    @Outcome(id = "last, refused, its own", expect = ACCEPTABLE, desc = "the late release was refused")
    @Outcome(id = "refused, last, none", expect = ACCEPTABLE, desc = "it was not late, and nobody came next")
    @Outcome(id = "last, last, .*", expect = FORBIDDEN, desc = "it has ended the next holder's lease")
    @Outcome(expect = FORBIDDEN, desc = "the next holder's lease is not whole")
    @State
    public static class ReleasedAgain {
        private final Slot slot = SLOTS.slot();
        private final ByteBuffer view = slot.view;
        private final PooledBuffer lease = SLOTS.lease(slot);
        private PooledBuffer next;

        @Actor
        public void holder(LLL_Result r) {
            String released = Cutter.release(lease);
            if (released.equals("last")) {
                next = SLOTS.lease(slot);
            }
            r.r1 = released;
        }

        @Actor
        public void late(LLL_Result r) {
            r.r2 = Cutter.release(lease);
        }

        @Arbiter
        public void after(LLL_Result r) {
            if (next == null) {
                r.r3 = "none";
            } else {
                boolean whole = next.isOpen()
                        && next.buffer() == view
                        && Cutter.standing(slot).equals("held 1");
                r.r3 = whole ? "its own" : "broken";
                next.close();
            }
        }
    }

    @JCStressTest
    @Description("A first lease is released while another thread retains it: the state counts both or neither, so the"
            + " slot is free after the last hold and never before (S1).")
    @Outcome(id = "last, refused, free 1", expect = ACCEPTABLE, desc = "released before it could be retained")
    @Outcome(id = "not last, retained, held 0", expect = ACCEPTABLE, desc = "retained before it was released")
    @Outcome(id = "last, retained, .*", expect = FORBIDDEN, desc = "free under a lease that is open")
    @Outcome(expect = FORBIDDEN, desc = "a hold was lost")
    @State
    public static class RetainedMeanwhile {
        private final Slot slot = SLOTS.slot();
        private final PooledBuffer lease = SLOTS.lease(slot);
        private final PooledBuffer[] further = new PooledBuffer[1];

        @Actor
        public void releases(LLL_Result r) {
            r.r1 = Cutter.release(lease);
        }

        @Actor
        public void retains(LLL_Result r) {
            r.r2 = Cutter.retain(lease, further);
        }

        @Arbiter
        public void after(LLL_Result r) {
            r.r3 = Cutter.standing(slot);
            if (further[0] != null) {
                further[0].close();
            }
        }
    }

    @JCStressTest
    @Description("The only lease left, a further one, is released while another thread retains it: whoever reads its"
            + " view taken, or the tenancy gone, is refused (P1), else the hold is counted (S1).")
    @Outcome(id = "last, refused, free 1", expect = ACCEPTABLE, desc = "released before it could be retained")
    @Outcome(id = "not last, retained, held 0", expect = ACCEPTABLE, desc = "retained before it was released")
    @Outcome(id = "last, retained, .*", expect = FORBIDDEN, desc = "free under a lease that is open")
    @Outcome(expect = FORBIDDEN, desc = "a hold was lost")
    @State
    public static class FurtherRetainedMeanwhile {
        private final Slot slot = SLOTS.slot();
        private final PooledBuffer lease;
        private final PooledBuffer[] further = new PooledBuffer[1];

        public FurtherRetainedMeanwhile() {
            PooledBuffer first = SLOTS.lease(slot);
            lease = first.retain();
            first.release();
        }

        @Actor
        public void releases(LLL_Result r) {
            r.r1 = Cutter.release(lease);
        }

        @Actor
        public void retains(LLL_Result r) {
            r.r2 = Cutter.retain(lease, further);
        }

        @Arbiter
        public void after(LLL_Result r) {
            r.r3 = Cutter.standing(slot);
            if (further[0] != null) {
                further[0].close();
            }
        }
    }

    @JCStressTest
    @Description("A first lease is discarded while another thread slices it: refused, or the slot stays held until the"
            + " part has ended too, and is retired then: the discard bit is not lost to the count of holds (S1).")
    @Outcome(id = "gone 1, refused, gone 1", expect = ACCEPTABLE, desc = "discarded before it could be sliced")
    @Outcome(id = "held 0, sliced, gone 1", expect = ACCEPTABLE, desc = "retired with the part's end")
    @Outcome(id = ".*, free 1", expect = FORBIDDEN, desc = "used again though discarded")
    @Outcome(expect = FORBIDDEN, desc = "a hold was lost")
    @State
    public static class SlicedMeanwhile {
        private final Slot slot = SLOTS.slot();
        private final PooledBuffer lease = SLOTS.lease(slot);
        private PooledBuffer part;

        @Actor
        public void discards() {
            lease.discard();
        }

        @Actor
        public void slices(LLL_Result r) {
            try {
                part = lease.slice(1, 2);
                r.r2 = "sliced";
            } catch (IllegalStateException e) {
                r.r2 = "refused";
            }
        }

        @Arbiter
        public void after(LLL_Result r) {
            r.r1 = Cutter.standing(slot);
            if (part != null) {
                part.release();
            }
            r.r3 = Cutter.standing(slot);
        }
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.buffers.internal.memory.Budget;
import dev.buffers.internal.memory.Footprint;
import java.nio.ByteBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** The budget's one word under charges and credits at once: never above the cap (I4), and no refusal while there is room (I5). */
public final class BudgetRace {
    private static final int BYTES = 8;

    private BudgetRace() {}

    private static int charge(Budget budget) {
        return budget.tryCharge(BYTES) ? 1 : 0;
    }

    /** A budget with room for one region, which is taken by one that the collector has just found. */
    private static Budget withOneGone() {
        Budget budget = new Budget(BYTES);
        budget.tryCharge(BYTES);
        Footprint footprint = new Footprint(ByteBuffer.allocate(BYTES), BYTES, null, null);
        budget.track(footprint);
        footprint.clear();
        return budget;
    }

    @JCStressTest
    @Description("Two threads charge where there is room for one: the monitor lets exactly one in.")
    @Outcome(
            id = {"1, 0, 8", "0, 1, 8"},
            expect = ACCEPTABLE,
            desc = "one is in")
    @Outcome(id = "1, 1, .*", expect = FORBIDDEN, desc = "above the cap")
    @Outcome(id = "0, 0, .*", expect = FORBIDDEN, desc = "refused though there was room")
    @Outcome(expect = FORBIDDEN, desc = "a charge was miscounted")
    @State
    public static class RoomForOne {
        private final Budget budget = new Budget(BYTES + BYTES / 2);

        @Actor
        public void one(III_Result r) {
            r.r1 = charge(budget);
        }

        @Actor
        public void other(III_Result r) {
            r.r2 = charge(budget);
        }

        @Arbiter
        public void after(III_Result r) {
            r.r3 = (int) budget.charged();
        }
    }

    @JCStressTest
    @Description("Two threads charge where there is room for both: both are in.")
    @Outcome(id = "1, 1, 16", expect = ACCEPTABLE, desc = "both are in")
    @Outcome(id = "1, 1, 8", expect = FORBIDDEN, desc = "a charge was lost")
    @Outcome(expect = FORBIDDEN, desc = "refused though there was room")
    @State
    public static class RoomForBoth {
        private final Budget budget = new Budget(2 * BYTES);

        @Actor
        public void one(III_Result r) {
            r.r1 = charge(budget);
        }

        @Actor
        public void other(III_Result r) {
            r.r2 = charge(budget);
        }

        @Arbiter
        public void after(III_Result r) {
            r.r3 = (int) budget.charged();
        }
    }

    @JCStressTest
    @Description(
            "One thread charges, is refused more, and credits while another reads: what it reads is between nothing and the"
                    + " cap, and nothing is left over.")
    @Outcome(
            id = {"0, 0, 0", "0, 8, 0", "8, 0, 0", "8, 8, 0"},
            expect = ACCEPTABLE,
            desc = "within the cap")
    @Outcome(expect = FORBIDDEN, desc = "above the cap, below nothing, or something is left")
    @State
    public static class SeenFromOutside {
        private final Budget budget = new Budget(BYTES);

        @Actor
        public void charges() {
            budget.tryCharge(BYTES);
            budget.tryCharge(BYTES); // refused
            budget.credit(BYTES);
        }

        @Actor
        public void reads(III_Result r) {
            r.r1 = (int) budget.charged();
            r.r2 = BYTES - (int) budget.room();
        }

        @Arbiter
        public void after(III_Result r) {
            r.r3 = (int) budget.charged();
        }
    }

    @JCStressTest
    @Description("One thread credits as another charges: both count, whichever comes first.")
    @Outcome(id = "1, 1, 8", expect = ACCEPTABLE, desc = "the sum is right")
    @Outcome(
            id = {"1, 1, 0", "1, 1, 16"},
            expect = FORBIDDEN,
            desc = "a charge or a credit was lost")
    @Outcome(expect = FORBIDDEN, desc = "refused though there was room")
    @State
    public static class CreditAndCharge {
        private final Budget budget = new Budget(2 * BYTES);

        public CreditAndCharge() {
            budget.tryCharge(BYTES);
        }

        @Actor
        public void credits(III_Result r) {
            budget.credit(BYTES);
            r.r1 = 1;
        }

        @Actor
        public void charges(III_Result r) {
            r.r2 = charge(budget);
        }

        @Arbiter
        public void after(III_Result r) {
            r.r3 = (int) budget.charged();
        }
    }

    @JCStressTest
    @Description("Two threads look at what the collector has taken: the region is credited once.")
    @Outcome(
            id = {"8, 0, 0", "0, 8, 0"},
            expect = ACCEPTABLE,
            desc = "one of them has credited it")
    @Outcome(expect = FORBIDDEN, desc = "credited twice, or never")
    @State
    public static class CollectedTwice {
        private final Budget budget = withOneGone();

        @Actor
        public void one(III_Result r) {
            r.r1 = (int) budget.creditAll();
        }

        @Actor
        public void other(III_Result r) {
            r.r2 = (int) budget.creditAll();
        }

        @Arbiter
        public void after(III_Result r) {
            r.r3 = (int) budget.charged();
        }
    }

    @JCStressTest
    @Description(
            "A charge at the cap while another thread credits what is gone: it fits or it does not, and the bytes that are gone"
                    + " are credited once.")
    @Outcome(id = "1, 8, 8", expect = ACCEPTABLE, desc = "charged after the credit")
    @Outcome(id = "0, 8, 0", expect = ACCEPTABLE, desc = "refused before the credit")
    @Outcome(expect = FORBIDDEN, desc = "a charge or a credit was miscounted")
    @State
    public static class ChargedAndCollected {
        private final Budget budget = withOneGone();

        @Actor
        public void charges(III_Result r) {
            r.r1 = charge(budget);
        }

        @Actor
        public void collects(III_Result r) {
            r.r2 = (int) budget.creditAll();
        }

        @Arbiter
        public void after(III_Result r) {
            r.r3 = (int) budget.charged();
        }
    }
}

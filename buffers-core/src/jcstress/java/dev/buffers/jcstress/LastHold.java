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
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.LLL_Result;

/** Two leases on one memory, ended by two threads: the slot is free after the last of them, with all that both have written. */
public final class LastHold {
    private static final Cutter SLOTS = new Cutter(builder -> builder.threadCache(0)); // see Cutter.lease

    private LastHold() {}

    @JCStressTest
    @Description("A first and a further lease are released at once: the compare-and-set on the state makes exactly one"
            + " of them the last (S1), which puts the view back (S2).")
    @Outcome(
            id = {"last, not last, free 1", "not last, last, free 1"},
            expect = ACCEPTABLE,
            desc = "one was the last")
    @Outcome(id = "last, last, .*", expect = FORBIDDEN, desc = "freed twice")
    @Outcome(id = "not last, not last, .*", expect = FORBIDDEN, desc = "never freed")
    @Outcome(expect = FORBIDDEN, desc = "refused, or not as it should be")
    @State
    public static class IsOne {
        private final Slot slot = SLOTS.slot();
        private final PooledBuffer first = SLOTS.lease(slot);
        private final PooledBuffer further = first.retain();

        @Actor
        public void one(LLL_Result r) {
            r.r1 = Cutter.release(first);
        }

        @Actor
        public void other(LLL_Result r) {
            r.r2 = Cutter.release(further);
        }

        @Arbiter
        public void after(LLL_Result r) {
            r.r3 = Cutter.standing(slot);
        }
    }

    @JCStressTest
    @Description("Each of two holders writes a byte before it releases, and whoever was the last begins the next"
            + " tenancy: it sees both bytes, since each release's compare-and-set on the state is a release and an"
            + " acquire.")
    @Outcome(
            id = {"12, -1", "-1, 12"},
            expect = ACCEPTABLE,
            desc = "both bytes are there")
    @Outcome(id = "-1, -1", expect = FORBIDDEN, desc = "never freed")
    @Outcome(expect = FORBIDDEN, desc = "a byte is missing")
    @State
    public static class SeesAllBytes {
        private final Slot slot = SLOTS.slot();
        private final PooledBuffer first = SLOTS.lease(slot);
        private final PooledBuffer further = first.retain();
        private PooledBuffer next;

        @Actor
        public void one(II_Result r) {
            first.buffer().put(0, (byte) 1);
            r.r1 = endAndRead(first);
        }

        @Actor
        public void other(II_Result r) {
            further.buffer().put(1, (byte) 2);
            r.r2 = endAndRead(further);
        }

        private int endAndRead(PooledBuffer lease) {
            if (!lease.release()) {
                return -1;
            }
            next = SLOTS.lease(slot);
            return 10 * next.buffer().get(0) + next.buffer().get(1);
        }

        @Arbiter
        public void after() {
            if (next != null) {
                next.close();
            }
        }
    }
}

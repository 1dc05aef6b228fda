// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.buffers.internal.cache.Magazine;
import dev.buffers.internal.cache.ThreadCache;
import dev.buffers.internal.cache.ThreadCaches;
import dev.buffers.internal.cache.ThreadTable;
import dev.buffers.internal.signals.PoolState;
import dev.buffers.internal.slab.SizeClasses;
import dev.buffers.internal.slab.Slot;
import dev.buffers.support.Linked;
import java.util.List;
import java.util.Set;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** What one thread owns, or claims for a moment, and others look at; and the word of signals that all look at. */
public final class OwnMagazines {
    private static final Cutter SLOTS = new Cutter(builder -> builder);

    private OwnMagazines() {}

    private static Magazine magazine() {
        Magazine magazine = new Magazine(null);
        magazine.grant(2);
        return magazine;
    }

    @JCStressTest
    @Description("Two threads claim one magazine (compareAndSet) and put a slot into it by plain steps: who"
            + " comes second is turned away, or sees all that the first did before it unclaimed (release).")
    @Outcome(
            id = {"1, 0, 1", "0, 1, 1"},
            expect = ACCEPTABLE,
            desc = "one was turned away")
    @Outcome(id = "1, 1, 2", expect = ACCEPTABLE, desc = "one after the other")
    @Outcome(id = "1, 1, 1", expect = FORBIDDEN, desc = "both were in at once, and a slot was lost")
    @Outcome(id = "0, 0, .", expect = FORBIDDEN, desc = "a free magazine turned both away")
    @Outcome(expect = FORBIDDEN, desc = "the magazine is not whole")
    @State
    public static class MagazineClaimed {
        private final Magazine shared = magazine();
        private final Slot first = SLOTS.slot();
        private final Slot second = SLOTS.slot();

        @Actor
        public void one(III_Result r) {
            r.r1 = put(first);
        }

        @Actor
        public void other(III_Result r) {
            r.r2 = put(second);
        }

        private int put(Slot slot) {
            if (!shared.tryClaim()) {
                return 0;
            }
            shared.put(slot);
            shared.unclaim();
            return 1;
        }

        @Arbiter
        public void after(III_Result r) {
            List<Slot> all = Linked.list(shared.drain());
            r.r3 = Set.copyOf(all).size() == all.size() ? all.size() : -1;
        }
    }

    @JCStressTest
    @Description("A stripe gets the magazine that it lacked (release) while another thread looks (acquire): no"
            + " magazine, or one with its grant.")
    @Outcome(id = "0", expect = ACCEPTABLE, desc = "not there yet")
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "there, with its grant")
    @Outcome(expect = FORBIDDEN, desc = "there, but not made yet")
    @State
    public static class StripeProvided {
        private final ThreadCache stripe = new ThreadCache(null, 1);

        @Actor
        public void provides() {
            stripe.setRelease(0, magazine());
        }

        @Actor
        public void looks(I_Result r) {
            Magazine present = stripe.getAcquire(0);
            r.r1 = present == null ? 0 : present.isGranted() && !present.isFull() && present.isEmpty() ? 1 : 2;
        }
    }

    @JCStressTest
    @Description("Two threads get their first magazine of a pool at once: each finds its own in the table afterwards,"
            + " and only that (registration under the lock, elements by release).")
    @Outcome(id = "1, 1, 1", expect = ACCEPTABLE, desc = "each has its own")
    @Outcome(expect = FORBIDDEN, desc = "one has none, or the other's")
    @State
    public static class Registered {
        private final ThreadTable table = new Cutter.Owner();
        private final ThreadCaches magazines =
                new ThreadCaches(table, new SizeClasses(SizeClasses.MIN_SIZE), 1 << 20, 1 << 20);
        private Magazine first;
        private Magazine second;
        private Thread firstThread;
        private Thread secondThread;

        @Actor
        public void one(III_Result r) {
            firstThread = Thread.currentThread();
            magazines.prepare(magazines.own(), null, 0);
            first = table.current(0);
            r.r1 = first != null ? 1 : 0;
        }

        @Actor
        public void other(III_Result r) {
            secondThread = Thread.currentThread();
            magazines.prepare(magazines.own(), null, 0);
            second = table.current(0);
            r.r2 = second != null ? 1 : 0;
        }

        @Arbiter
        public void after(III_Result r) {
            boolean apart = (first == second) == (firstThread == secondThread); // one thread plays both at first
            r.r3 = apart && first.isGranted() && second.isGranted() ? 1 : 0;
        }
    }

    @JCStressTest
    @Description(
            "A thread makes its magazine (volatile, then it reads whether the pool is closed) while another thread closes the pool"
                    + " and makes all magazines forget their threads. Afterwards the magazine has no owner.")
    @Outcome(id = "0", expect = ACCEPTABLE, desc = "disowned")
    @Outcome(expect = FORBIDDEN, desc = "it keeps its thread")
    @State
    public static class MadeWhilePoolCloses {
        private final ThreadTable table = new Cutter.Owner();
        private final ThreadCaches magazines =
                new ThreadCaches(table, new SizeClasses(SizeClasses.MIN_SIZE), 1 << 20, 1 << 20);
        private Magazine made;

        @Actor
        public void owner() {
            made = magazines.prepare(magazines.own(), null, 0);
        }

        @Actor
        public void closes() {
            table.beginClose();
            magazines.forgetThreads();
        }

        @Arbiter
        public void after(I_Result r) {
            made.tryClaim();
            r.r1 = made.tryClaim() ? 1 : 0; // a second claim succeeds only if a thread owns it
        }
    }

    @JCStressTest
    @Description("A thread puts a slot into its magazine by plain steps while another peeks (plain): it sees nothing,"
            + " or that slot whole. It is a hint.")
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "not seen")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "seen")
    @Outcome(expect = FORBIDDEN, desc = "something else was seen")
    @State
    public static class Peeked {
        private final Magazine magazine = magazine();
        private Slot given;

        @Actor
        public void owner() {
            given = SLOTS.slot();
            magazine.put(given);
        }

        @Actor
        public void peeks(II_Result r) {
            magazine.peek(slot -> {
                r.r1++;
                r.r2 += slot.slab != null && slot.pool() == SLOTS.pool ? 1 : 0;
            });
        }
    }

    @JCStressTest
    @Description("Two signals of a pool are raised at once (getAndBitwiseOr on one word): both are up.")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "both are up")
    @Outcome(expect = FORBIDDEN, desc = "one was lost")
    @State
    public static class Signalled {
        private final PoolState pool = new Cutter.Owner();

        @Actor
        public void closes() {
            pool.signal(PoolState.CLOSED, true);
        }

        @Actor
        public void waits() {
            pool.signal(PoolState.ZERO, true);
        }

        @Arbiter
        public void after(II_Result r) {
            r.r1 = pool.isClosed() ? 1 : 0;
            r.r2 = pool.zeroesOnRelease() ? 1 : 0;
        }
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.buffers.ChannelBuffers;
import dev.buffers.PooledBuffer;
import dev.buffers.internal.slab.Lease;
import dev.buffers.internal.slab.ReturnStack;
import dev.buffers.internal.slab.Slot;
import java.util.Objects;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.LLL_Result;

/** Slots come back to a channel while its owner uses it, idles it, or closes it: no slot is lost, and none is in two places. */
public final class ReturnStackRace {
    private static final Cutter SLOTS = new Cutter(builder -> builder);

    /** Of another class: no state may acquire the slot of another state. */
    private static final int OTHER_SIZE = 1024;

    private ReturnStackRace() {}

    private static int length(Slot first) {
        int slots = 0;
        for (Slot slot = first; slot != null; slot = slot.next) {
            slots++;
        }
        return slots;
    }

    /** A channel, its open return stack, and a lease that comes back to it. */
    private static final class Out {
        final ChannelBuffers channel = SLOTS.pool.channel();
        final Slot slot = SLOTS.slot();
        final Lease lease = SLOTS.lease(slot);
        final ReturnStack stack;

        Out() {
            Lease first = (Lease) channel.acquire(OTHER_SIZE); // its slot names the stack, which is open now
            stack = Objects.requireNonNull(first.slot().returnStack);
            first.returnTo(null);
            first.release();
            lease.returnTo(stack);
        }

        /** The state of the channel once it is silent, and the slot was released; all but {@code silent} is a fault. */
        String silence() {
            boolean refuses = !stack.push(SLOTS.slot());
            return !refuses ? "open" : slot.returnStack != null ? "lost" : "silent";
        }
    }

    @JCStressTest
    @Description("A worker releases while the owner closes the stack: the slot is pushed (compareAndSet) and the owner,"
            + " who takes all (getAndSet), has it; or it finds the stack CLOSED and goes into the worker's magazine.")
    @Outcome(id = "0, 1, 1", expect = ACCEPTABLE, desc = "through the stack")
    @Outcome(id = "1, 0, 1", expect = ACCEPTABLE, desc = "past it")
    @Outcome(id = "1, 1, .", expect = FORBIDDEN, desc = "in two places")
    @Outcome(id = "0, 0, .", expect = FORBIDDEN, desc = "lost in a closed stack")
    @Outcome(expect = FORBIDDEN, desc = "the stack is open")
    @State
    public static class PushedOrClosed {
        private final ReturnStack stack = new ReturnStack();
        private final Slot slot = SLOTS.slot();
        private final Lease lease = SLOTS.lease(slot);

        public PushedOrClosed() {
            lease.returnTo(stack);
            stack.open();
        }

        @Actor
        public void worker(III_Result r) {
            lease.release();
            r.r1 = slot.returnStack == null ? 1 : 0; // a slot that is on the stack still names it
        }

        @Actor
        public void owner(III_Result r) {
            r.r2 = length(stack.close());
        }

        @Arbiter
        public void after(III_Result r) {
            r.r3 = stack.push(SLOTS.slot()) ? 0 : 1;
        }
    }

    @JCStressTest
    @Description("A worker releases while the channel goes idle: whichever comes first, the slot is given back, and the"
            + " channel's stack is closed and empty.")
    @Outcome(id = "last, free 1, silent", expect = ACCEPTABLE, desc = "given back")
    @Outcome(id = ".*, lost", expect = FORBIDDEN, desc = "lost in a silent channel")
    @Outcome(id = ".*, open", expect = FORBIDDEN, desc = "the stack is open")
    @Outcome(expect = FORBIDDEN, desc = "the slot is not whole")
    @State
    public static class AgainstIdle {
        private final Out out = new Out();

        @Actor
        public void worker(LLL_Result r) {
            r.r1 = Cutter.release(out.lease);
        }

        @Actor
        public void owner() {
            out.channel.idle();
        }

        @Arbiter
        public void after(LLL_Result r) {
            r.r2 = Cutter.standing(out.slot);
            r.r3 = out.silence();
        }
    }

    @JCStressTest
    @Description("The same as the channel is closed.")
    @Outcome(id = "last, free 1, silent", expect = ACCEPTABLE, desc = "given back")
    @Outcome(id = ".*, lost", expect = FORBIDDEN, desc = "lost in a closed channel")
    @Outcome(id = ".*, open", expect = FORBIDDEN, desc = "the stack is open")
    @Outcome(expect = FORBIDDEN, desc = "the slot is not whole")
    @State
    public static class AgainstClose {
        private final Out out = new Out();

        @Actor
        public void worker(LLL_Result r) {
            r.r1 = Cutter.release(out.lease);
        }

        @Actor
        public void owner() {
            out.channel.close();
        }

        @Arbiter
        public void after(LLL_Result r) {
            r.r2 = Cutter.standing(out.slot);
            r.r3 = out.silence();
        }
    }

    @JCStressTest
    @Description("Two workers release at once: each pushes its slot upon the other's (compareAndSet publishes next),"
            + " and the owner finds both in the chain.")
    @Outcome(id = "2, 2", expect = ACCEPTABLE, desc = "both are there, with their views")
    @Outcome(id = "1, .", expect = FORBIDDEN, desc = "one was lost")
    @Outcome(expect = FORBIDDEN, desc = "the chain is not whole")
    @State
    public static class TwoWorkers {
        private final ReturnStack stack = new ReturnStack();
        private final Lease first = SLOTS.lease(SLOTS.slot());
        private final Lease second = SLOTS.lease(SLOTS.slot());

        public TwoWorkers() {
            first.returnTo(stack);
            second.returnTo(stack);
            stack.open();
        }

        @Actor
        public void one() {
            first.release();
        }

        @Actor
        public void other() {
            second.release();
        }

        @Arbiter
        public void after(II_Result r) {
            for (Slot slot = stack.takeAll(); slot != null; slot = slot.next) {
                r.r1++;
                r.r2 += slot.view == null ? 0 : 1;
            }
        }
    }

    @JCStressTest
    @Description("A worker writes and releases while the owner takes what came back: it gets the slot with the byte"
            + " (the push is a release, taking the stack an acquire), or nothing, and then the slot lies on the"
            + " stack.")
    @Outcome(id = "7, 0", expect = ACCEPTABLE, desc = "the owner has it")
    @Outcome(id = "-1, 1", expect = ACCEPTABLE, desc = "it lies on the stack")
    @Outcome(id = "0, .", expect = FORBIDDEN, desc = "the byte is missing")
    @Outcome(id = "7, 1", expect = FORBIDDEN, desc = "in two places")
    @Outcome(expect = FORBIDDEN, desc = "lost")
    @State
    public static class AgainstAcquire {
        private final ReturnStack stack = new ReturnStack();
        private final Lease lease = SLOTS.lease(SLOTS.slot());
        private PooledBuffer next;

        public AgainstAcquire() {
            lease.returnTo(stack);
            stack.open();
        }

        @Actor
        public void worker() {
            lease.buffer().put(0, (byte) 7);
            lease.release();
        }

        @Actor
        public void owner(II_Result r) {
            Slot slot = stack.takeAll();
            next = slot == null ? null : SLOTS.lease(slot);
            r.r1 = next == null ? -1 : next.buffer().get(0);
        }

        @Arbiter
        public void after(II_Result r) {
            r.r2 = length(stack.close());
            if (next != null) {
                next.close();
            }
        }
    }
}

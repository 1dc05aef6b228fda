package dev.buffers.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.buffers.ChannelBuffers;
import dev.buffers.PooledBuffer;
import dev.buffers.internal.slab.Lease;
import dev.buffers.internal.slab.Slot;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/** Slots come back to a channel while its owner uses it, has it idle, or closes it: none is lost, none in two places. */
public final class ReturnLane {
    private static final Cutter SLOTS = new Cutter(builder -> builder);
    private static final Object CLOSED = Inside.lane(SLOTS.pool.channel());

    private ReturnLane() {}

    /** A channel whose lane is open, and a lease that comes back to it. */
    private static final class Out {
        final ChannelBuffers channel = SLOTS.pool.channel();
        final Slot slot = SLOTS.slot();
        final Lease lease = SLOTS.lease(slot);

        Out() {
            lease.returnTo(Inside.laneOf(channel));
            Inside.laneOf(channel).open();
        }
    }

    /** How many slots the current thread's magazine has gained by what it does. */
    private static int gained(Runnable what) {
        SLOTS.makeRoom();
        int before = SLOTS.inMagazine();
        what.run();
        return SLOTS.inMagazine() - before;
    }

    @JCStressTest
    @Description("A worker releases while the channel goes idle: the slot is pushed upon the lane (compareAndSet) and"
            + " given back by the owner, who takes the lane whole (getAndSet), or finds it CLOSED and goes into the"
            + " worker's magazine.")
    @Outcome(id = "0, 1, 1", expect = ACCEPTABLE, desc = "through the lane")
    @Outcome(id = "1, 0, 1", expect = ACCEPTABLE, desc = "past it")
    @Outcome(id = "1, 1, .", expect = FORBIDDEN, desc = "in two places")
    @Outcome(id = "0, 0, .", expect = FORBIDDEN, desc = "lost in a silent channel")
    @Outcome(expect = FORBIDDEN, desc = "the lane is open")
    @State
    public static class AgainstIdle {
        private final Out out = new Out();

        @Actor
        public void worker(III_Result r) {
            r.r1 = gained(out.lease::release);
        }

        @Actor
        public void owner(III_Result r) {
            r.r2 = gained(out.channel::idle);
        }

        @Arbiter
        public void after(III_Result r) {
            r.r3 = Inside.lane(out.channel) == CLOSED ? 1 : 0;
        }
    }

    @JCStressTest
    @Description("The same as the channel is closed.")
    @Outcome(id = "0, 1, 1", expect = ACCEPTABLE, desc = "through the lane")
    @Outcome(id = "1, 0, 1", expect = ACCEPTABLE, desc = "past it")
    @Outcome(id = "1, 1, .", expect = FORBIDDEN, desc = "in two places")
    @Outcome(id = "0, 0, .", expect = FORBIDDEN, desc = "lost in a closed channel")
    @Outcome(expect = FORBIDDEN, desc = "the lane is open")
    @State
    public static class AgainstClose {
        private final Out out = new Out();

        @Actor
        public void worker(III_Result r) {
            r.r1 = gained(out.lease::release);
        }

        @Actor
        public void owner(III_Result r) {
            r.r2 = gained(out.channel::close);
        }

        @Arbiter
        public void after(III_Result r) {
            r.r3 = Inside.lane(out.channel) == CLOSED ? 1 : 0;
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
        private final Out out = new Out();
        private final Slot second = SLOTS.slot();
        private final Lease other = SLOTS.lease(second);

        public TwoWorkers() {
            other.returnTo(Inside.laneOf(out.channel));
        }

        @Actor
        public void one() {
            out.lease.release();
        }

        @Actor
        public void other() {
            other.release();
        }

        @Arbiter
        public void after(II_Result r) {
            for (Slot slot = (Slot) Inside.lane(out.channel); slot != null; slot = slot.next) {
                r.r1++;
                r.r2 += slot.viewVolatile() == null ? 0 : 1;
            }
            out.channel.idle();
        }
    }

    @JCStressTest
    @Description("A worker writes and releases while the owner looks what came back: it gets the slot with the byte"
            + " (the push is a release, taking the lane an acquire), or nothing, and then the slot lies in the"
            + " lane.")
    @Outcome(id = "7, 0", expect = ACCEPTABLE, desc = "the owner has it")
    @Outcome(id = "-1, 1", expect = ACCEPTABLE, desc = "it lies in the lane")
    @Outcome(id = "0, .", expect = FORBIDDEN, desc = "the byte is missing")
    @Outcome(id = "7, 1", expect = FORBIDDEN, desc = "in two places")
    @Outcome(expect = FORBIDDEN, desc = "lost")
    @State
    public static class AgainstAcquire {
        private final Out out = new Out();
        private PooledBuffer next;

        @Actor
        public void worker() {
            out.lease.buffer().put(0, (byte) 7);
            out.lease.release();
        }

        @Actor
        public void owner(II_Result r) {
            next = Inside.acquireKept(out.channel, 1);
            r.r1 = next == null ? -1 : next.buffer().get(0);
        }

        @Arbiter
        public void after(II_Result r) {
            r.r2 = Inside.lane(out.channel) == out.slot ? 1 : 0;
            out.channel.idle();
            if (next != null) {
                next.close();
            }
        }
    }
}

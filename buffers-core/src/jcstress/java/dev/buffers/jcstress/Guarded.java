package dev.buffers.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.buffers.ChannelBuffers;
import dev.buffers.PooledBuffer;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLL_Result;
import org.openjdk.jcstress.infra.results.LL_Result;

/** With guard=on a misuse that races is found by one of the two threads, and named. */
public final class Guarded {
    private static final Logger FINDINGS = Logger.getLogger("dev.buffers");

    static {
        FINDINGS.setLevel(Level.OFF); // they are what is provoked here
    }

    private static final Cutter SLOTS = new Cutter(builder -> builder.guard(true));

    private Guarded() {}

    @JCStressTest
    @Description("Two threads release one lease under guard: one ends it, the other is refused with the stack of the"
            + " acquire, and with that of the release once that is known (Tenancy.released is volatile).")
    @Outcome(
            id = {"last, refused with 1", "last, refused with 2", "refused with 1, last", "refused with 2, last"},
            expect = ACCEPTABLE,
            desc = "one has ended it, and the other knows of whom")
    @Outcome(id = "last, last", expect = FORBIDDEN, desc = "ended twice")
    @Outcome(expect = FORBIDDEN, desc = "refused without a name")
    @State
    public static class ReleasedTwice {
        private final PooledBuffer lease = SLOTS.lease(SLOTS.slot());

        @Actor
        public void one(LL_Result r) {
            r.r1 = release();
        }

        @Actor
        public void other(LL_Result r) {
            r.r2 = release();
        }

        private String release() {
            try {
                return lease.release() ? "last" : "not last";
            } catch (IllegalStateException e) {
                return "refused with " + e.getSuppressed().length;
            }
        }
    }

    @JCStressTest
    @Description("Two threads use one channel's buffers at once under guard: compareAndExchange on the word that says"
            + " who is inside lets the first in, and never turns both away.")
    @Outcome(id = "done, done, done", expect = ACCEPTABLE, desc = "one after the other")
    @Outcome(
            id = {"done, refused, done", "refused, done, done"},
            expect = ACCEPTABLE,
            desc = "found")
    @Outcome(id = "refused, refused, .*", expect = FORBIDDEN, desc = "nobody was inside")
    @Outcome(id = ".*, refused", expect = FORBIDDEN, desc = "somebody is still inside")
    @State
    public static class TwoInOneChannel {
        private final ChannelBuffers channel = SLOTS.pool.channel();

        @Actor
        public void one(LLL_Result r) {
            r.r1 = idle();
        }

        @Actor
        public void other(LLL_Result r) {
            r.r2 = idle();
        }

        @Arbiter
        public void after(LLL_Result r) {
            r.r3 = idle();
        }

        private String idle() {
            try {
                channel.idle();
                return "done";
            } catch (IllegalStateException e) {
                return "refused";
            }
        }
    }
}

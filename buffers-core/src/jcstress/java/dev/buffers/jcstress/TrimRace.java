package dev.buffers.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.buffers.PooledBuffer;
import dev.buffers.internal.memory.Region;
import dev.buffers.internal.pool.Revocation;
import dev.buffers.internal.pool.SlabPool;
import dev.buffers.internal.slab.Slab;
import dev.buffers.internal.slab.SlabStore;
import dev.buffers.internal.slab.Slot;
import dev.buffers.internal.slab.SlotState;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.LLL_Result;
import org.openjdk.jcstress.infra.results.LL_Result;

/** Memory is taken back while its slots are used: each is taken or emptied, never both, and none is nobody's (Slot S3, Revocation). */
public final class TrimRace {
    private static final Cutter SLOTS = new Cutter(builder -> builder);
    private static final Consumer<Consumer<Slot>> NOWHERE = visit -> {};

    private TrimRace() {}

    /** A slab of one slot, which lies as free in somebody's magazine, and what revokes it from there. */
    private static final class Revoked {
        private final SlabStore slabs = new SlabStore(1, null);
        final Revocation revocation = new Revocation(slabs);
        final Slot slot;

        Revoked() {
            Region region = new Region(ByteBuffer.allocate(128), Region.Charge.NONE);
            slot = slabs.addAndTake(new Slab(SLOTS.pool, region, 0, 128), 1);
        }

        void revokeWithoutPause() {
            revocation.revokeWithoutPause(visit -> visit.accept(slot));
        }

        /** How many slots were revoked a while later. */
        int revoked() {
            return revocation.revokeNow(NOWHERE);
        }

        int revokeAgain() {
            return revocation.revokeNow(visit -> visit.accept(slot));
        }
    }

    @JCStressTest
    @Description("An owner begins a tenancy (opaque store of the state, then a read of the view) as the slot is"
            + " revoked (get-and-set of the view, believed when the state is the same a while later): one of them"
            + " has the memory (S3).")
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "the owner has it")
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "it is in its slab, and the owner has a revoked slot")
    @Outcome(id = "1, 1", expect = FORBIDDEN, desc = "two have it")
    @Outcome(id = "0, 0", expect = FORBIDDEN, desc = "nobody has it")
    @State
    public static class RevokedOrAcquired {
        private final Revoked its = new Revoked();
        private ByteBuffer taken;

        @Actor
        public void owner(II_Result r) {
            taken = its.slot.beginAndTake();
            r.r1 = taken == null ? 0 : 1;
        }

        @Actor
        public void trimmer() {
            its.revokeWithoutPause();
        }

        @Arbiter
        public void after(II_Result r) {
            r.r2 = its.revoked();
        }
    }

    @JCStressTest
    @Description("An owner uses a slot again and again as it is revoked: a revocation that"
            + " overlaps the change of generation puts the view back and leaves the slot alone for once (Revocation),"
            + " so it is the owner's, in its slab, or there the next time.")
    @Outcome(id = "1, 0, held 2", expect = ACCEPTABLE, desc = "the owner has it")
    @Outcome(id = "0, 1, dropped", expect = ACCEPTABLE, desc = "it is in its slab, and the owner has a revoked slot")
    @Outcome(
            id = "0, 2, dropped",
            expect = ACCEPTABLE_INTERESTING,
            desc = "left alone for once, and in its slab the next time")
    @Outcome(id = "1, ., held with its view", expect = FORBIDDEN, desc = "put back into a slot that is held")
    @Outcome(id = "1, 1, .*", expect = FORBIDDEN, desc = "two have it")
    @Outcome(expect = FORBIDDEN, desc = "nobody has it, or the slot is not whole")
    @State
    public static class RevokedAroundRelease {
        private final Revoked its = new Revoked();
        private PooledBuffer held;

        @Actor
        public void owner(LLL_Result r) {
            PooledBuffer lease = SLOTS.pool.leaseReturned(its.slot, Cutter.BYTES);
            for (int i = 0; i < 2 && lease != null; i++) {
                lease.release();
                lease = SLOTS.leaseAgain(its.slot);
            }
            held = lease;
            r.r1 = lease == null ? 0 : 1;
        }

        @Actor
        public void trimmer() {
            its.revokeWithoutPause();
        }

        @Arbiter
        public void after(LLL_Result r) {
            r.r3 = Cutter.standing(its.slot);
            if (held != null) {
                held.close();
            }
            int revoked = its.revoked();
            r.r2 = revoked == 0 && held == null ? 2 * its.revokeAgain() : revoked;
        }
    }

    @JCStressTest
    @Description("A slot gets the drain bit (compare-and-set) as its lease is released: the release that fails for it"
            + " goes the slow way, ends the tenancy all the same, and no drain bit is left for the next (S1).")
    @Outcome(id = "last, free 1", expect = ACCEPTABLE, desc = "ended, and clean")
    @Outcome(id = "last, dropped", expect = FORBIDDEN, desc = "the drain bit outlived its tenancy")
    @Outcome(expect = FORBIDDEN, desc = "the release was lost")
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
}

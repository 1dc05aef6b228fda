// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.buffers.PoolExhaustedException;
import dev.buffers.PooledBuffer;
import dev.buffers.internal.cache.Depot;
import dev.buffers.internal.failsafe.IntrusiveList;
import dev.buffers.internal.memory.Budget;
import dev.buffers.internal.memory.RegionAllocator;
import dev.buffers.internal.pool.HeldTick;
import dev.buffers.internal.pool.PoolParts;
import dev.buffers.internal.pool.SlabPool;
import dev.buffers.internal.signals.WaitQueue;
import dev.buffers.internal.slab.SizeClasses;
import dev.buffers.internal.slab.Slab;
import dev.buffers.internal.slab.SlabStore;
import dev.buffers.internal.slab.Slot;
import dev.buffers.internal.slab.SlotState;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.LLL_Result;
import org.openjdk.jcstress.infra.results.LL_Result;

/** A waiter is served or gives up, never both, and no slot or wake-up is lost on the way (WaitQueue W1 to W4). */
public final class WaitRace {
    private static final Cutter SLOTS = new Cutter(builder -> builder);

    /** None of the actors. */
    private static final Thread OTHER = new Thread();

    private WaitRace() {}

    private static WaitQueue.Waiter waiter() {
        return new WaitQueue.Waiter(Cutter.BYTES, 0, OTHER);
    }

    /** Of one class. */
    private static WaitQueue queue(SlabPool pool) {
        return new WaitQueue(pool, 1);
    }

    private static String handOver(WaitQueue waiters, Slot slot) {
        return waiters.handOver(slot, new IntrusiveList<>()) ? "given" : "nobody";
    }

    @JCStressTest
    @Description(
            "A slot is handed over as the wait ends: the queue's lock lets one of the two threads take the"
                    + " waiter out of the queue, and a waiter that finds itself out of it sees its slot, held, with its view (W1).")
    @Outcome(id = "given, served", expect = ACCEPTABLE, desc = "handed over")
    @Outcome(id = "nobody, gone", expect = ACCEPTABLE, desc = "given up")
    @Outcome(id = "given, gone", expect = FORBIDDEN, desc = "a slot lost to one who had gone")
    @Outcome(expect = FORBIDDEN, desc = "served and not served")
    @State
    public static class HandedOverOrGivenUp {
        private final WaitQueue waiters = queue(SLOTS.pool);
        private final WaitQueue.Waiter waiter = waiter();
        private final Slot slot = SLOTS.slot();

        public HandedOverOrGivenUp() {
            waiters.add(waiter);
        }

        @Actor
        public void releaser(LL_Result r) {
            r.r1 = handOver(waiters, slot);
        }

        @Actor
        public void waits(LL_Result r) {
            r.r2 = waiters.remove(waiter)
                    ? "gone"
                    : waiter.slot() == slot && SlotState.isHeld(slot.stateVolatile()) && slot.view != null
                            ? "served"
                            : "empty-handed";
        }
    }

    @JCStressTest
    @Description("Two slots are handed over at once and one thread waits: one of them goes to it, the other finds"
            + " nobody (W1).")
    @Outcome(id = "given, nobody, first", expect = ACCEPTABLE, desc = "it has the first")
    @Outcome(id = "nobody, given, second", expect = ACCEPTABLE, desc = "it has the second")
    @Outcome(id = "given, given, .*", expect = FORBIDDEN, desc = "a slot was lost")
    @Outcome(expect = FORBIDDEN, desc = "not served though it waited, or with something else")
    @State
    public static class TwoSlotsOneWaiter {
        private final WaitQueue waiters = queue(SLOTS.pool);
        private final WaitQueue.Waiter waiter = waiter();
        private final Slot first = SLOTS.slot();
        private final Slot second = SLOTS.slot();

        public TwoSlotsOneWaiter() {
            waiters.add(waiter);
        }

        @Actor
        public void one(LLL_Result r) {
            r.r1 = handOver(waiters, first);
        }

        @Actor
        public void other(LLL_Result r) {
            r.r2 = handOver(waiters, second);
        }

        @Arbiter
        public void after(LLL_Result r) {
            WaitQueue.Room given = waiter.slot();
            r.r3 = given == first ? "first" : given == second ? "second" : "nothing";
        }
    }

    @JCStressTest
    @Description(
            "A free slot is handed over as it is revoked: the compare-and-set on its state gives it to the waiter or to its slab,"
                    + " and a waiter that got nothing still waits (W1).")
    @Outcome(id = "given, 0, served", expect = ACCEPTABLE, desc = "the waiter has it")
    @Outcome(
            id = "given, 1, waiting",
            expect = ACCEPTABLE,
            desc = "its slab has it, and the caller drops the revoked slot")
    @Outcome(id = "given, 1, served", expect = FORBIDDEN, desc = "two have it")
    @Outcome(expect = FORBIDDEN, desc = "no thread has it, or the waiter was forgotten")
    @State
    public static class HandedOverOrRevoked {
        private final Revocable its = new Revocable();
        private final WaitQueue waiters = queue(SLOTS.pool);
        private final WaitQueue.Waiter waiter = waiter();

        public HandedOverOrRevoked() {
            waiters.add(waiter);
        }

        @Actor
        public void releaser(LLL_Result r) {
            r.r1 = handOver(waiters, its.slot);
        }

        @Actor
        public void revokes(LLL_Result r) {
            r.r2 = its.revoke();
        }

        @Arbiter
        public void after(LLL_Result r) {
            boolean waits = waiters.remove(waiter);
            r.r3 = waits ? "waiting" : waiter.slot() == its.slot ? "served" : "forgotten";
        }
    }

    @JCStressTest
    @Description(
            "A slot becomes free as a wake-up is taken back: the queue's lock makes it due or lets it go, never both (W2).")
    @Outcome(id = "due, late", expect = ACCEPTABLE, desc = "it is called")
    @Outcome(id = "nothing, gone", expect = ACCEPTABLE, desc = "it was taken back")
    @Outcome(expect = FORBIDDEN, desc = "called after it was taken back, or dropped")
    @State
    public static class DueOrTakenBack {
        private final WaitQueue waiters = queue(SLOTS.pool);
        private final WaitQueue.Waiter wakeUp = new WaitQueue.Waiter(Cutter.BYTES, 0, () -> {});
        private final Slot slot = SLOTS.slot();

        public DueOrTakenBack() {
            waiters.add(wakeUp);
        }

        @Actor
        public void releaser(LL_Result r) {
            IntrusiveList<WaitQueue.Waiter> due = new IntrusiveList<>();
            waiters.handOver(slot, due);
            r.r1 = due.isEmpty() ? "nothing" : "due";
        }

        @Actor
        public void takesBack(LL_Result r) {
            r.r2 = waiters.remove(wakeUp) ? "gone" : "late";
        }
    }

    @JCStressTest
    @Description("A lease ends its tenancy and then its pool reads whether there is pressure; one who comes to wait"
            + " raises pressure and then looks for room: one of the two sees the other (W3), since compare-and-set and"
            + " getAndBitwiseOr are full fences.")
    @Outcome(
            id = {"1, 0", "0, 1", "1, 1"},
            expect = ACCEPTABLE,
            desc = "one sees the other")
    @Outcome(id = "0, 0", expect = FORBIDDEN, desc = "a free slot, and one who waits for it for ever")
    @State
    public static class PressureOrRelease {
        private final Reader pool = new Reader();
        private final WaitQueue waiters = new WaitQueue(pool, 1);
        private final Slot slot = new Revocable(pool).slot;
        private final PooledBuffer lease = Revocable.lease(slot);

        @Actor
        public void releaser(II_Result r) {
            lease.release();
            r.r1 = pool.underPressure ? 1 : 0;
        }

        @Actor
        public void waits(II_Result r) {
            waiters.add(waiter());
            r.r2 = SlotState.isHeld(slot.stateVolatile()) ? 0 : 1;
        }

        /** The first thing that the pool does when a tenancy has ended, and nothing else. */
        private static final class Reader extends Cutter.Owner {
            private boolean underPressure;

            @Override
            protected void takeBack(Slot slot, ByteBuffer view, long held, Object home) {
                underPressure = isUnderPressure();
            }
        }
    }

    @JCStressTest
    @Description("A free slot is put into the depot, and then it is read once more whether there is pressure; one who"
            + " comes to wait raises it and then looks into the depot: it finds the slot there or is given it, by the full"
            + " fence in SlowRelease.afterDepot.")
    @Outcome(
            id = {"1, 0", "0, 1"},
            expect = ACCEPTABLE,
            desc = "the one who waits has the slot")
    @Outcome(id = "0, 0", expect = FORBIDDEN, desc = "a free slot, and one who waits for it for ever")
    @Outcome(id = "1, 1", expect = FORBIDDEN, desc = "it has the slot twice")
    @State
    public static class PressureOrDepot {
        private final PoolParts parts = new PoolParts(Cutter.WITHOUT_MAGAZINES);
        private final Slot slot = parts.carve(Cutter.BYTES);
        private final Depot depot = parts.depot(slot.sizeClass());
        private WaitQueue.Waiter waiter;

        @Actor
        public void releaser() {
            parts.giveBackFree(slot);
        }

        @Actor
        public void waits(II_Result r) {
            waiter = parts.waiter(Cutter.BYTES, OTHER);
            r.r2 = depot.takeLoose() == null ? 0 : 1;
        }

        @Arbiter
        public void after(II_Result r) {
            r.r1 = waiter.slot() == slot ? 1 : 0;
        }
    }

    @JCStressTest
    @Description("Two threads share a pool of one slot, each waiting for it while the other has it, with the tick"
            + " held: both are served, each alone, so no hand-over and no wake-up is lost.")
    @Outcome(id = "served, served", expect = ACCEPTABLE, desc = "one after the other")
    @Outcome(
            id = {"refused, .*", "served, refused"},
            expect = FORBIDDEN,
            desc = "a wake-up or a slot was lost")
    @Outcome(expect = FORBIDDEN, desc = "two had it at once")
    @State
    public static class OneSlotTwoThreads {
        private static final int SIZE = 4096;
        private static final Duration PATIENCE = Duration.ofSeconds(10);
        private static final SlabPool ONE_SLOT =
                Cutter.pool(builder -> builder.policy("heap-view").max(SIZE).threadCache(0));

        @SuppressWarnings("unused") // it holds the tick while it is reachable
        private static final HeldTick TICK = new HeldTick();

        @Actor
        public void one(LL_Result r) {
            r.r1 = haveIt((byte) 1);
        }

        @Actor
        public void other(LL_Result r) {
            r.r2 = haveIt((byte) 2);
        }

        private static String haveIt(byte mine) {
            try (PooledBuffer lease = ONE_SLOT.acquire(SIZE, PATIENCE)) {
                ByteBuffer buffer = lease.buffer().put(0, mine);
                Thread.onSpinWait();
                return buffer.get(0) == mine ? "served" : "shared";
            } catch (PoolExhaustedException e) {
                return "refused";
            }
        }
    }

    @JCStressTest
    @Description("The tick gives a waiter its turn as the waiter gives up: a waiter that is gone has no turn (W4).")
    @Outcome(id = "true, true, none", expect = ACCEPTABLE, desc = "the turn has ended with the wait")
    @Outcome(id = "false, true, none", expect = ACCEPTABLE, desc = "it was gone")
    @Outcome(expect = FORBIDDEN, desc = "memory is kept for a waiter that is gone")
    @State
    public static class TurnGivenOrGivenUp {
        private final WaitQueue waiters = queue(SLOTS.pool);
        private final WaitQueue.Waiter waiter = waiter();

        public TurnGivenOrGivenUp() {
            waiters.add(waiter);
        }

        @Actor
        public void tick(LLL_Result r) {
            r.r1 = waiters.giveTurn(waiter);
        }

        @Actor
        public void waits(LLL_Result r) {
            r.r2 = waiters.remove(waiter);
        }

        @Arbiter
        public void after(LLL_Result r) {
            r.r3 = waiters.turn() == null ? "none" : "turn";
        }
    }

    @JCStressTest
    @Description(
            "A turn ends, and the thread that ends it lets the chosen slabs go, as the tick gives the next turn and"
                    + " chooses a slab: that slab stays chosen (W4).")
    @Outcome(id = "chosen, kept", expect = ACCEPTABLE, desc = "the next turn has its slab")
    @Outcome(id = "not yet, gives slots", expect = ACCEPTABLE, desc = "the tick has seen the first turn")
    @Outcome(expect = FORBIDDEN, desc = "a slab of the next turn was let go, or of the first one was not")
    @State
    public static class NextTurnAndEndOfTurn {
        private final Cutter.Owner owner = new Cutter.Owner();
        private final RegionAllocator regions =
                new RegionAllocator(owner, owner.settings().policy(), new Budget(1 << 20));
        private final SlabStore slabs = new SlabStore(1, regions, 0);
        private final WaitQueue waiters = queue(SLOTS.pool);
        private final WaitQueue.Waiter first = waiter();
        private final WaitQueue.Waiter second = waiter();
        private final Slot out;

        public NextTurnAndEndOfTurn() {
            out = slabs.addAndTake(new Slab(owner, Objects.requireNonNull(regions.allocate(128, 2)), 0, 128));
            out.begin();
            waiters.add(first);
            waiters.add(second);
            waiters.giveTurn(first);
        }

        @Actor
        public void waits() {
            waiters.remove(first);
            if (waiters.takeTurnEnd()) {
                slabs.letGo(waiters);
            }
        }

        @Actor
        public void tick(LL_Result r) {
            boolean gives = waiters.turn() == null && waiters.giveTurn(second);
            r.r1 = gives && slabs.choose(SizeClasses.OVERSIZE, 0, 1, 1) ? "chosen" : "not yet";
        }

        @Arbiter
        public void after(LL_Result r) {
            r.r2 = slabs.slotsOut(out.slab) == 0 ? "kept" : "gives slots";
        }
    }
}

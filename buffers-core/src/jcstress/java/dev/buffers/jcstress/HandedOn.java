// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.buffers.PoolSettings;
import dev.buffers.PooledBuffer;
import dev.buffers.internal.cache.Depot;
import dev.buffers.internal.cache.Magazine;
import dev.buffers.internal.slab.Slot;
import dev.buffers.internal.slab.SlotState;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.L_Result;

/** A slot goes from one thread to another through the depot: with its view, its bytes, and nothing else of its last holder. */
public final class HandedOn {
    private static final Cutter SLOTS = new Cutter(builder -> builder.threadCache(0)); // see Cutter.lease
    private static final Cutter ZERO_ON_RELEASE =
            new Cutter(builder -> builder.threadCache(0).zero(PoolSettings.Zeroing.RELEASE));
    private static final Cutter ZERO_ON_ACQUIRE =
            new Cutter(builder -> builder.threadCache(0).zero(PoolSettings.Zeroing.ACQUIRE));

    /** Too large a class for batches: its depot has loose slots alone. */
    private static final int LOOSE_ONLY = 128 << 10;

    private static final int TWO_IN_BATCH = 16 << 10;

    private HandedOn() {}

    @JCStressTest
    @Description(
            "A holder leaves position, limit, mark and order behind, releases, and puts the slot into the depot;"
                    + " the thread that takes it from there finds the view, the byte, and"
                    + " a buffer as new: the store of FREE is a release, and the compare-and-set that begins the next tenancy is an acquire.")
    @Outcome(id = "-1, -1, -1, -1", expect = ACCEPTABLE, desc = "it is not there yet")
    @Outcome(id = "0, 8, 1, 7", expect = ACCEPTABLE, desc = "as new, with the byte that was written before the release")
    @Outcome(id = "0, 8, 1, 0", expect = FORBIDDEN, desc = "the byte is missing")
    @Outcome(expect = FORBIDDEN, desc = "something of the last holder's is left")
    @State
    public static class Loose {
        private final Depot depot = new Depot(LOOSE_ONLY);
        private final Slot slot = SLOTS.slot();
        private final PooledBuffer lease = SLOTS.lease(slot);
        private PooledBuffer next;

        @Actor
        public void holder() {
            ByteBuffer buffer = lease.buffer();
            buffer.order(ByteOrder.LITTLE_ENDIAN).put(0, (byte) 7);
            buffer.limit(5).position(3).mark();
            lease.release();
            depot.putLoose(slot);
        }

        @Actor
        public void nextHolder(IIII_Result r) {
            Slot taken = depot.takeLoose();
            if (taken == null) {
                r.r1 = r.r2 = r.r3 = r.r4 = -1;
                return;
            }
            next = SLOTS.lease(taken);
            ByteBuffer buffer = next.buffer();
            r.r1 = buffer.position();
            r.r2 = buffer.limit();
            r.r3 = buffer.order() == ByteOrder.BIG_ENDIAN ? 1 : 0;
            r.r4 = buffer.get(0);
        }

        @Arbiter
        public void after() {
            if (next != null) {
                next.close();
            }
        }
    }

    @JCStressTest
    @Description("One thread's magazine is full and gives its lower half to the depot; another's is empty and takes"
            + " it: the whole batch is there by its links, each slot in the generation after its last tenancy and with the bytes of"
            + " its last holder.")
    @Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "it is not there yet")
    @Outcome(id = "2, 21, 2", expect = ACCEPTABLE, desc = "both slots, the last one first")
    @Outcome(expect = FORBIDDEN, desc = "a slot, a view, a byte or a state is missing")
    @State
    public static class Batch {
        private final Depot depot = new Depot(TWO_IN_BATCH);
        private final Slot[] slots = new Slot[4];
        private final ByteBuffer[] held = new ByteBuffer[4];
        private final Magazine full = magazine();
        private final Magazine empty = magazine();
        private final Slot[] taken = new Slot[2];
        private final ByteBuffer[] views = new ByteBuffer[2];

        public Batch() {
            for (int i = 0; i < slots.length; i++) {
                slots[i] = SLOTS.slot();
                held[i] = Cutter.beginAndTake(slots[i]);
            }
        }

        private static Magazine magazine() {
            Magazine magazine = new Magazine(null);
            magazine.grant(2);
            return magazine;
        }

        @Actor
        public void gives() {
            for (int i = 0; i < slots.length; i++) {
                held[i].put(0, (byte) (i + 1));
                slots[i].endUnused(held[i]); // no release, after which the pool would link it too
                full.put(slots[i]);
            }
            depot.putBatch(full.unload(2));
        }

        @Actor
        public void takes(III_Result r) {
            Slot batch = depot.takeBatch();
            if (batch == null) {
                return;
            }
            empty.load(batch);
            for (Slot slot = empty.take(); slot != null; slot = empty.take()) {
                ByteBuffer view = Cutter.beginAndTake(slot);
                r.r2 = 10 * r.r2 + (view == null ? 0 : view.get(0));
                r.r3 += slot.stateVolatile() == (SlotState.GENERATION | SlotState.FIRST) ? 1 : 0;
                views[r.r1] = view;
                taken[r.r1++] = slot;
            }
        }

        @Arbiter
        public void after() {
            for (int i = 0; i < taken.length && taken[i] != null; i++) {
                taken[i].endUnused(views[i]);
            }
        }
    }

    @JCStressTest
    @Description("With zero=release the releaser overwrites the memory before it puts the view back, so whoever takes"
            + " the slot sees zeros and no byte of the last holder's.")
    @Outcome(id = "nothing", expect = ACCEPTABLE, desc = "it is not there yet")
    @Outcome(id = "zeros", expect = ACCEPTABLE, desc = "overwritten")
    @Outcome(expect = FORBIDDEN, desc = "the last holder's bytes")
    @State
    public static class ZeroedOnRelease {
        private final Passed passed = new Passed(ZERO_ON_RELEASE);

        @Actor
        public void holder() {
            passed.fillAndPass();
        }

        @Actor
        public void nextHolder(L_Result r) {
            r.r1 = passed.takeAndRead();
        }

        @Arbiter
        public void after() {
            passed.end();
        }
    }

    @JCStressTest
    @Description("With zero=acquire the next holder overwrites the memory itself, after all that the last one wrote:"
            + " it sees zeros.")
    @Outcome(id = "nothing", expect = ACCEPTABLE, desc = "it is not there yet")
    @Outcome(id = "zeros", expect = ACCEPTABLE, desc = "overwritten")
    @Outcome(expect = FORBIDDEN, desc = "the last holder's bytes")
    @State
    public static class ZeroedOnAcquire {
        private final Passed passed = new Passed(ZERO_ON_ACQUIRE);

        @Actor
        public void holder() {
            passed.fillAndPass();
        }

        @Actor
        public void nextHolder(L_Result r) {
            r.r1 = passed.takeAndRead();
        }

        @Arbiter
        public void after() {
            passed.end();
        }
    }

    /** A slot that is filled, released and passed on through a depot. */
    private static final class Passed {
        private final Cutter slots;
        private final Depot depot = new Depot(LOOSE_ONLY);
        private final Slot slot;
        private final PooledBuffer lease;
        private PooledBuffer next;

        Passed(Cutter slots) {
            this.slots = slots;
            this.slot = slots.slot();
            this.lease = slots.lease(slot);
        }

        void fillAndPass() {
            lease.buffer().putLong(0, -1);
            lease.release();
            depot.putLoose(slot);
        }

        String takeAndRead() {
            Slot taken = depot.takeLoose();
            if (taken == null) {
                return "nothing";
            }
            next = slots.lease(taken);
            return next.buffer().getLong(0) == 0 ? "zeros" : "bytes";
        }

        void end() {
            if (next != null) {
                next.close();
            }
        }
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.lincheck;

import dev.buffers.PooledBuffer;
import dev.buffers.internal.pool.PoolParts;
import dev.buffers.internal.pool.SlabPool;
import dev.buffers.internal.signals.PlacedSettings;
import dev.buffers.internal.slab.Lease;
import dev.buffers.internal.slab.Slot;
import dev.buffers.internal.slab.SlotState;
import dev.buffers.support.Peek;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.Stream;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.Nullable;

/**
 * A slot and its leases: tenancies of a slot one after the other, whose leases any thread retains, slices, releases, discards
 * and asks, stale ones too, while others drain the slot and revoke it.
 *
 * <p>Linearizable but for one thing. A further lease ends in two steps (P1 of {@link PooledBuffer}: it is shut, then its hold is
 * dropped), so while one thread ends it, others may find it shut already though its hold still counts. The specification
 * allows {@code refused} and {@code false} for a further lease that another thread is just ending, and nothing else.
 */
@Param(name = "lease", gen = IntGen.class, conf = "0:3")
@Param(name = "thread", gen = ThreadIdGen.class)
public final class SlotLincheckTest extends LincheckContract {
    private static final PlacedSettings ONE_SLOT = TinyPool.settings(1);

    /**
     * Where the first lease of the first tenancy stands, after a further one; those of later tenancies follow it. With two further ones
     * hardly a scenario ended all of them, and a generation that was not raised was not seen.
     */
    private static final int FIRST = 1;

    private static final int LATER = 2;

    private final SlabPool pool = TinyPool.open(ONE_SLOT);
    private final AtomicReferenceArray<@Nullable PooledBuffer> leases = new AtomicReferenceArray<>(FIRST + 1 + LATER);
    private final List<Deque<PooledBuffer>> own = Stream.generate(
                    () -> (Deque<PooledBuffer>) new ArrayDeque<PooledBuffer>())
            .limit(5)
            .toList();
    private final Slot slot;
    private final ByteBuffer view;
    private int later;
    private volatile boolean revoked;

    public SlotLincheckTest() {
        PooledBuffer first = pool.acquire(TinyPool.SIZE);
        slot = Peek.slot(first);
        view = first.buffer();
        leases.set(0, first.slice(1, 2));
        leases.set(FIRST, first);
    }

    @Override
    Class<?> specification() {
        return Specification.class;
    }

    @Operation
    public String release(@Param(name = "lease") int at) {
        PooledBuffer lease = leases.get(at);
        return lease == null ? "absent" : release(lease);
    }

    private static String release(PooledBuffer lease) {
        try {
            return lease.release() ? "free" : "held";
        } catch (IllegalStateException e) {
            return "refused";
        }
    }

    @Operation
    public String discard(@Param(name = "lease") int at) {
        PooledBuffer lease = leases.get(at);
        if (lease == null) {
            return "absent";
        }
        try {
            lease.discard();
            return "discarded";
        } catch (IllegalStateException e) {
            return "refused";
        }
    }

    @Operation
    public String close() {
        leases.get(FIRST).close();
        return "closed";
    }

    @Operation
    public String isOpen(@Param(name = "lease") int at) {
        PooledBuffer lease = leases.get(at);
        return lease == null ? "absent" : String.valueOf(lease.isOpen());
    }

    @Operation
    public String retain(@Param(name = "lease") int at, @Param(name = "thread") int thread) {
        PooledBuffer lease = leases.get(at);
        if (lease == null) {
            return "absent";
        }
        try {
            own.get(thread).push(lease.retain());
            return "kept";
        } catch (IllegalStateException e) {
            return "refused";
        }
    }

    @Operation
    public String releaseOwn(@Param(name = "thread") int thread) {
        return own.get(thread).isEmpty() ? "none" : release(own.get(thread).pop());
    }

    @Operation
    public void drain() {
        slot.drain();
    }

    /** As a thread that takes memory back, wherever the slot is listed. */
    @Operation
    public boolean revoke() {
        boolean done = PoolParts.slabs(pool).revoke(slot);
        revoked |= done;
        return done;
    }

    @Operation
    public int generation() {
        return (int) (slot.stateVolatile() / SlotState.GENERATION);
    }

    /** As a thread that found the slot in a list: begins its next tenancy, once it is free. */
    @Operation(nonParallelGroup = "owner")
    public String begin() {
        if (later == LATER) {
            return "enough";
        } else if (SlotState.isHeld(slot.stateVolatile())) {
            return "held";
        } else if (!slot.begin()) {
            return "not free";
        }
        ByteBuffer its = slot.view;
        slot.view = null;
        leases.set(FIRST + ++later, new Lease(slot, slot.stateVolatile(), its, null));
        return "begun";
    }

    /** The state counts the leases that are open, and the view is in the slot when none is, unless the slot is gone. */
    @Validate
    public void stateAgreesWithLeases() {
        long open = own.stream().mapToLong(Deque::size).sum();
        for (int i = 0; i < leases.length(); i++) {
            PooledBuffer lease = leases.get(i);
            open += lease != null && lease.isOpen() ? 1 : 0;
        }
        long state = slot.stateVolatile();
        long holds = (state & SlotState.FIRST) + (state & SlotState.HOLDS) / SlotState.HOLD;
        ByteBuffer there = slot.view;
        boolean retired = !Peek.slabs(pool).hasSlabs();
        if (holds != open || there != (holds > 0 || retired || revoked ? null : view)) {
            throw new IllegalStateException("open=" + open + ", state=" + Long.toHexString(state) + ", view=" + there);
        }
    }

    public static final class Specification implements Relaxed {
        private static final Set<String> OTHERS =
                Set.of("release", "discard", "close", "releaseOwn", "revoke", "begin");

        private final Set<Integer> open = new HashSet<>(Set.of(0, FIRST));
        private final int[] own = new int[5];
        private int generation;
        private int later;
        private boolean discarded;
        private boolean retired;
        private boolean revoked;
        private boolean drained;

        @Override
        public @Nullable Relaxed after(Step step) {
            Specification next = new Specification();
            next.open.clear();
            next.open.addAll(open);
            System.arraycopy(own, 0, next.own, 0, own.length);
            next.generation = generation;
            next.later = later;
            next.discarded = discarded;
            next.retired = retired;
            next.revoked = revoked;
            next.drained = drained;
            return next.allows(step.call(), step) ? next : null;
        }

        private boolean allows(Call call, Step step) {
            return switch (call.name()) {
                case "release" -> refuses(call.argument(0), step) || step.says(end(call.argument(0)));
                case "discard" -> refuses(call.argument(0), step) || step.says(discard(call.argument(0)));
                case "close" -> open.contains(FIRST) ? end(FIRST) != null : step.says("closed");
                case "isOpen" ->
                    step.says("true") ? open.contains(call.argument(0)) : shut(call.argument(0), step, "false");
                case "retain" ->
                    refuses(call.argument(0), step)
                            || open.contains(call.argument(0)) && step.says("kept") && ++own[call.argument(1)] > 0;
                case "releaseOwn" ->
                    own[call.argument(0)] == 0
                            ? step.says("none")
                            : --own[call.argument(0)] >= 0 && step.says(endHold());
                case "drain" -> drained = true;
                case "revoke" -> revoke(step);
                case "generation" -> step.says(String.valueOf(generation));
                case "begin" -> begin(step);
                default -> throw new AssertionError(call);
            };
        }

        /** Whether it is right that an operation on this lease does nothing. */
        private boolean refuses(int at, Step step) {
            return shut(at, step, "refused");
        }

        private boolean shut(int at, Step step, String because) {
            if (at > FIRST + later) {
                return step.says("absent");
            }
            boolean isBeingEnded = at < FIRST
                    && step.overlaps(other -> (other.is("release") || other.is("discard")) && other.argument(0) == at);
            return step.says(because) && (!open.contains(at) || isBeingEnded);
        }

        private String discard(int at) {
            discarded |= open.contains(at);
            return end(at) == null ? "impossible" : "discarded";
        }

        private @Nullable String end(int at) {
            return open.remove(at) ? endHold() : null;
        }

        private String endHold() {
            if (isHeld()) {
                return "held";
            }
            generation++;
            retired = discarded;
            return "free";
        }

        private boolean isHeld() {
            int holds = open.size();
            for (int ofThread : own) {
                holds += ofThread;
            }
            return holds > 0;
        }

        private boolean begin(Step step) {
            if (later == LATER) {
                return step.says("enough");
            } else if (isHeld()) {
                return step.says("held");
            } else if (step.says("begun") && !retired && !revoked) {
                open.add(FIRST + ++later);
                return true;
            }
            boolean isEnding = step.overlaps(other -> OTHERS.contains(other.name()));
            return step.says("not free") && (retired || revoked || isEnding);
        }

        /** A slot that was drained is in its slab after its release, where it cannot be revoked. */
        private boolean revoke(Step step) {
            if (step.says("true")) {
                boolean may = !isHeld() && !retired && !revoked;
                revoked = true;
                return may;
            }
            boolean isBusy = step.overlaps(other -> OTHERS.contains(other.name()) || other.is("drain"));
            return isHeld() || retired || revoked || drained || isBusy;
        }
    }
}

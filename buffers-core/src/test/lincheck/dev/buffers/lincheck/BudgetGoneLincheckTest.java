// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.lincheck;

import dev.buffers.internal.memory.Budget;
import dev.buffers.internal.memory.Footprint;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.Nullable;

/**
 * Memory that the collector takes (the test does, by {@code clear}), and threads that credit it while others charge.
 *
 * <p>A charge does not look for memory that is gone, so it may be refused until a collect has credited that. A collect may find less than
 * is gone while another one runs. The bytes of each footprint are credited once, and a charge never goes beyond the cap.
 */
@Param(name = "region", gen = IntGen.class, conf = "0:2")
@Param(name = "thread", gen = ThreadIdGen.class)
public final class BudgetGoneLincheckTest extends LincheckContract {
    private static final int REGIONS = 3;
    private static final int BYTES = 8;

    private final Budget budget = new Budget(REGIONS * BYTES);
    private final Object[] memory = new Object[REGIONS];
    private final Footprint[] regions = new Footprint[REGIONS];
    private final AtomicIntegerArray gone = new AtomicIntegerArray(REGIONS);
    private final int[] own = new int[5];

    public BudgetGoneLincheckTest() {
        for (int i = 0; i < REGIONS; i++) {
            ByteBuffer bytes = ByteBuffer.allocate(BYTES);
            memory[i] = bytes.array(); // else the collector would interfere
            budget.tryCharge(BYTES);
            regions[i] = new Footprint(bytes, bytes.capacity(), null, null);
        }
    }

    @Override
    Class<?> specification() {
        return Specification.class;
    }

    /** Tracked not before now: model checking has other hash codes, which hold from the first operation on. */
    @Operation
    public boolean goes(@Param(name = "region") int region) {
        boolean first = gone.compareAndSet(region, 0, 1);
        if (first) {
            budget.track(regions[region]);
            regions[region].clear();
        }
        return first;
    }

    @Operation
    public long collect() {
        return budget.creditAll();
    }

    @Operation
    public boolean tryCharge(@Param(name = "thread") int thread) {
        boolean done = budget.tryCharge(BYTES);
        own[thread] += done ? 1 : 0;
        return done;
    }

    @Operation
    public boolean credit(@Param(name = "thread") int thread) {
        if (own[thread] == 0) {
            return false;
        }
        own[thread]--;
        budget.credit(BYTES);
        return true;
    }

    @Validate
    public void chargedBytesMatchLiveRegions() {
        budget.creditAll();
        long there = 0;
        for (int ofThread : own) {
            there += ofThread;
        }
        for (Footprint region : regions) {
            there += region.refersTo(null) ? 0 : 1;
        }
        if (budget.charged() != there * BYTES) {
            throw new IllegalStateException("charged=" + budget.charged() + ", there=" + there * BYTES);
        }
        Reference.reachabilityFence(memory);
    }

    public static final class Specification implements Relaxed {
        private final Set<Integer> there = new HashSet<>(Set.of(0, 1, 2));
        private final int[] own = new int[5];

        /** How many regions a collect has said it credited. */
        private int collected;

        private int charges;

        @Override
        public @Nullable Relaxed after(Step step) {
            Specification next = new Specification();
            next.there.clear();
            next.there.addAll(there);
            System.arraycopy(own, 0, next.own, 0, own.length);
            next.collected = collected;
            next.charges = charges;
            return next.allows(step.call(), step) ? next : null;
        }

        private boolean allows(Call call, Step step) {
            return switch (call.name()) {
                case "goes" -> step.says(String.valueOf(there.remove(call.argument(0))));
                case "collect" -> collect(Integer.parseInt(step.result()));
                case "tryCharge" -> tryCharge(call.argument(0), step);
                case "credit" -> step.says(String.valueOf(own[call.argument(0)] > 0)) && credit(call.argument(0));
                default -> throw new AssertionError(call);
            };
        }

        private boolean collect(int bytes) {
            collected += bytes / BYTES;
            return collected <= REGIONS - there.size();
        }

        /** Exact, but for a collect that is under way: it credits one footprint after the other. */
        private boolean tryCharge(int thread, Step step) {
            boolean collects = step.overlaps(other -> other.is("collect"));
            boolean fits = charges < collected;
            if (step.says("true")) {
                boolean allowed = fits || collects && charges < REGIONS - there.size();
                own[thread]++;
                charges++;
                return allowed;
            }
            return !fits || collects;
        }

        private boolean credit(int thread) {
            if (own[thread] > 0) {
                own[thread]--;
                charges--;
            }
            return true;
        }
    }
}

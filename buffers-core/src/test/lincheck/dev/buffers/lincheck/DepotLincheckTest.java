// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.lincheck;

import dev.buffers.internal.cache.Depot;
import dev.buffers.internal.slab.Slot;
import dev.buffers.support.Linked;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.Nullable;

/**
 * The exchange of free slots between threads: batches of two and loose slots, with the tick's reaping and a drain between.
 *
 * <p>A depot is two bags: a take may give any batch or slot that is there. It is relaxed besides: while operations of other
 * threads are under way a take may find nothing and a drain may leave something, and a put may find no room. What an operation
 * that is alone does is exact, a slot is given out only if it is there, and when all is quiet every slot is somewhere, once.
 */
@Param(name = "thread", gen = ThreadIdGen.class)
public final class DepotLincheckTest extends LincheckContract {
    private static final int SIZE = 64 << 10;
    private static final int BATCH = 2;
    private static final int THREADS = 5;
    private static final int LOOSE = 0;
    private static final List<Integer> FULL = List.of(1, 2);

    /** Those that a thread begins with. */
    private static List<Integer> first(int thread) {
        int from = 3 + BATCH * thread;
        return IntStream.range(from, from + BATCH).boxed().toList();
    }

    private final Depot depot = new Depot(SIZE);
    private final Slot[] slots = new Slot[3 + BATCH * THREADS];
    private final List<Deque<Slot>> own = Stream.generate(() -> (Deque<Slot>) new ArrayDeque<Slot>())
            .limit(THREADS)
            .toList();
    private final List<Slot> home = new ArrayList<>();

    public DepotLincheckTest() {
        ByteBuffer view = ByteBuffer.allocate(0);
        for (int i = 0; i < slots.length; i++) {
            slots[i] = new Slot(null, i, view, null);
        }
        depot.putLoose(slots[LOOSE]);
        depot.putBatch(Linked.of(slots[FULL.get(0)], slots[FULL.get(1)]));
        for (int t = 0; t < THREADS; t++) {
            for (int i : first(t)) {
                own.get(t).add(slots[i]);
            }
        }
    }

    @Override
    Class<?> specification() {
        return Specification.class;
    }

    @Operation
    public String putBatch(@Param(name = "thread") int thread) {
        Deque<Slot> mine = own.get(thread);
        if (mine.size() < BATCH) {
            return "none";
        }
        Slot first = mine.remove();
        Slot second = mine.remove();
        if (depot.putBatch(Linked.of(first, second))) {
            return "put";
        }
        first.next = null;
        mine.addFirst(second);
        mine.addFirst(first);
        return "full";
    }

    @Operation
    public String takeBatch(@Param(name = "thread") int thread) {
        return takeIn(depot.takeBatch(), own.get(thread));
    }

    @Operation
    public String putLoose(@Param(name = "thread") int thread) {
        Slot slot = own.get(thread).poll();
        if (slot == null) {
            return "none";
        } else if (depot.putLoose(slot)) {
            return "put";
        }
        own.get(thread).addFirst(slot);
        return "full";
    }

    @Operation
    public String takeLoose(@Param(name = "thread") int thread) {
        return takeIn(depot.takeLoose(), own.get(thread));
    }

    /** Takes nothing at first: each call takes the slots that were there at the previous call. */
    @Operation(nonParallelGroup = "tick")
    public String reap() {
        StringBuilder taken = new StringBuilder();
        depot.reap(first -> taken.append(takeIn(first, home)));
        return taken.toString();
    }

    @Operation(nonParallelGroup = "tick")
    public String drain() {
        StringBuilder taken = new StringBuilder();
        depot.drain(first -> taken.append(takeIn(first, home)));
        return taken.toString();
    }

    private static String takeIn(@Nullable Slot first, Collection<Slot> into) {
        StringBuilder taken = new StringBuilder();
        for (Slot slot : Linked.list(first)) {
            taken.append(slot.index).append(' ');
            into.add(slot);
        }
        return taken.toString();
    }

    @Validate
    public void everySlotIsSomewhereOnce() {
        depot.drain(first -> takeIn(first, home));
        own.forEach(home::addAll);
        boolean[] seen = new boolean[slots.length];
        for (Slot slot : home) {
            if (seen[slot.index]) {
                throw new IllegalStateException("twice: " + slot.index);
            }
            seen[slot.index] = true;
        }
        if (home.size() != slots.length) {
            throw new IllegalStateException("slots: " + home.size());
        }
    }

    public static final class Specification implements Relaxed {
        private final Set<List<Integer>> full = new HashSet<>(Set.of(FULL));
        private final Set<Integer> loose = new HashSet<>(Set.of(LOOSE));
        private final List<Deque<Integer>> own = new ArrayList<>();

        public Specification() {
            for (int t = 0; t < THREADS; t++) {
                own.add(new ArrayDeque<>(first(t)));
            }
        }

        @Override
        public @Nullable Relaxed after(Step step) {
            Specification next = new Specification();
            next.full.clear();
            next.full.addAll(full);
            next.loose.clear();
            next.loose.addAll(loose);
            next.own.clear();
            own.forEach(ofThread -> next.own.add(new ArrayDeque<>(ofThread)));
            return next.allows(step.call(), step) ? next : null;
        }

        private boolean allows(Call call, Step step) {
            Deque<Integer> mine = call.arguments().isEmpty() ? new ArrayDeque<>() : own.get(call.argument(0));
            return switch (call.name()) {
                case "putBatch" ->
                    step.says("put")
                            ? mine.size() >= BATCH && full.add(List.of(mine.remove(), mine.remove()))
                            : puts(step, mine.size() < BATCH);
                case "putLoose" ->
                    step.says("put") ? !mine.isEmpty() && loose.add(mine.remove()) : puts(step, mine.isEmpty());
                case "takeBatch" ->
                    step.says("")
                            ? full.isEmpty() || !step.isAlone()
                            : full.remove(taken(step)) && mine.addAll(taken(step));
                case "takeLoose" ->
                    step.says("")
                            ? loose.isEmpty() || !step.isAlone()
                            : loose.removeAll(taken(step)) && mine.addAll(taken(step));
                case "reap" -> takes(taken(step));
                case "drain" -> takes(taken(step)) && (full.isEmpty() && loose.isEmpty() || !step.isAlone());
                default -> throw new AssertionError(call);
            };
        }

        /** A put that did not: there is always room, but a relaxed queue may not see it. */
        private static boolean puts(Step step, boolean hasNone) {
            return hasNone ? step.says("none") : step.says("full") && !step.isAlone();
        }

        /** Whole batches, then loose ones. */
        private boolean takes(List<Integer> taken) {
            int at = 0;
            while (at + BATCH <= taken.size() && full.remove(taken.subList(at, at + BATCH))) {
                at += BATCH;
            }
            List<Integer> rest = taken.subList(at, taken.size());
            return rest.stream().allMatch(loose::remove);
        }

        private static List<Integer> taken(Step step) {
            return Stream.of(step.result().split(" "))
                    .filter(text -> !text.isEmpty())
                    .map(Integer::valueOf)
                    .toList();
        }
    }
}

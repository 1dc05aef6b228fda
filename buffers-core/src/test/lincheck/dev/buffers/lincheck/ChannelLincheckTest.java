// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.lincheck;

import dev.buffers.ChannelBuffers;
import dev.buffers.PoolExhaustedException;
import dev.buffers.PooledBuffer;
import dev.buffers.internal.pool.SlabPool;
import dev.buffers.internal.signals.PlacedSettings;
import dev.buffers.internal.slab.Slot;
import dev.buffers.support.Peek;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.Nullable;

/**
 * A channel's return stack: leases that any thread releases, while the owner takes from the stack, goes idle, closes, and opens it
 * again by its next acquire.
 *
 * <p>What the specification says of the stack: a slot that was released while no other thread did anything, and found the stack
 * open and not full, is here, and the owner's next acquire takes one that is here before any other. A release that overlaps
 * another operation is seen a moment after its lease has ended: its slot may come to be here or elsewhere, and until then an
 * acquire may find nothing. Every slot is given out only when it is free, and a closed channel keeps none.
 */
@Param(name = "lease", gen = IntGen.class, conf = "0:4")
public final class ChannelLincheckTest extends LincheckContract {
    private static final int STACK = 4;
    private static final int LEASES = STACK + 1;
    private static final int SLOTS = LEASES + 1;
    private static final PlacedSettings SETTINGS = TinyPool.settings(SLOTS);

    private final SlabPool pool = TinyPool.open(SETTINGS);
    private final ChannelBuffers channel = pool.channel();
    private final AtomicReferenceArray<PooledBuffer> leases = new AtomicReferenceArray<>(LEASES);
    private final List<Slot> slots = new ArrayList<>();
    private final Deque<PooledBuffer> own = new ArrayDeque<>();

    public ChannelLincheckTest() {
        for (int i = 0; i < LEASES; i++) {
            PooledBuffer lease = channel.acquire(TinyPool.SIZE);
            leases.set(i, lease);
            slots.add(Peek.slot(lease));
        }
    }

    @Override
    Class<?> specification() {
        return Specification.class;
    }

    @Operation
    public String release(@Param(name = "lease") int at) {
        try {
            return leases.get(at).release() ? "free" : "held";
        } catch (IllegalStateException e) {
            return "refused";
        }
    }

    /** Says which slot it got. */
    @Operation(nonParallelGroup = "owner")
    public String acquire() {
        PooledBuffer lease;
        try {
            lease = channel.acquire(TinyPool.SIZE);
        } catch (PoolExhaustedException e) {
            return "nothing";
        } catch (IllegalStateException e) {
            return "closed";
        }
        own.push(lease);
        Slot slot = Peek.slot(lease);
        if (!slots.contains(slot)) {
            slots.add(slot);
        }
        return String.valueOf(slots.indexOf(slot));
    }

    @Operation(nonParallelGroup = "owner")
    public String releaseOwn() {
        return own.isEmpty() ? "none" : own.pop().release() ? "free" : "held";
    }

    @Operation(nonParallelGroup = "owner")
    public void idle() {
        channel.idle();
    }

    @Operation(nonParallelGroup = "owner")
    public void close() {
        channel.close();
    }

    /** Once the channel has closed and all leases have ended, the whole of the cap is there for others. */
    @Validate
    public void nothingIsStranded() {
        channel.close();
        own.forEach(PooledBuffer::release);
        for (int i = 0; i < LEASES; i++) {
            leases.get(i).close();
        }
        List<PooledBuffer> had = new ArrayList<>();
        for (PooledBuffer lease = wish(); lease != null; lease = wish()) {
            had.add(lease);
        }
        if (had.size() != SLOTS) {
            throw new IllegalStateException("to be had: " + had);
        }
    }

    private @Nullable PooledBuffer wish() {
        return pool.tryAcquire(TinyPool.SIZE);
    }

    public static final class Specification implements Relaxed {
        private enum Place {
            LEASED,
            HERE,
            MAYBE_HERE,
            ELSEWHERE
        }

        private final Place[] places = new Place[SLOTS];

        /** The slots of leases that are open: those that it began with, and the owner's own. */
        private final List<Integer> leased = new ArrayList<>();

        private final Deque<Integer> own = new ArrayDeque<>();
        private boolean open = true;
        private boolean closed;

        public Specification() {
            Arrays.fill(places, Place.LEASED);
            places[LEASES] = Place.ELSEWHERE;
            for (int i = 0; i < LEASES; i++) {
                leased.add(i);
            }
        }

        @Override
        public @Nullable Relaxed after(Step step) {
            Specification next = new Specification();
            System.arraycopy(places, 0, next.places, 0, SLOTS);
            next.leased.clear();
            next.leased.addAll(leased);
            next.own.addAll(own);
            next.open = open;
            next.closed = closed;
            return next.allows(step.call(), step) ? next : null;
        }

        private boolean allows(Call call, Step step) {
            return switch (call.name()) {
                case "release" ->
                    leased.remove((Object) call.argument(0)) ? release(call.argument(0), step) : step.says("refused");
                case "releaseOwn" -> own.isEmpty() ? step.says("none") : release(own.pop(), step);
                case "acquire" -> step.says("closed") ? closed : !closed && acquire(step);
                case "idle" -> giveBack();
                case "close" -> giveBack() && (closed = true);
                default -> throw new AssertionError(call);
            };
        }

        private boolean release(int slot, Step step) {
            boolean surely = step.isAlone() && count(Place.HERE) + count(Place.MAYBE_HERE) < STACK;
            boolean never = step.isAlone() && !open;
            places[slot] = never ? Place.ELSEWHERE : surely ? Place.HERE : Place.MAYBE_HERE;
            return step.says("free");
        }

        private boolean acquire(Step step) {
            if (step.says("nothing")) {
                boolean releasing = step.overlaps(other -> other.is("release"));
                return giveBack() && (releasing || count(Place.LEASED) == SLOTS);
            }
            Place place = places[Integer.parseInt(step.result())];
            places[Integer.parseInt(step.result())] = Place.LEASED;
            own.push(Integer.parseInt(step.result()));
            open = true;
            return place != Place.LEASED && (place != Place.ELSEWHERE || count(Place.HERE) == 0);
        }

        private boolean giveBack() {
            Collections.replaceAll(Arrays.asList(places), Place.HERE, Place.ELSEWHERE);
            open = false;
            return true;
        }

        private int count(Place place) {
            return Collections.frequency(Arrays.asList(places), place);
        }
    }
}

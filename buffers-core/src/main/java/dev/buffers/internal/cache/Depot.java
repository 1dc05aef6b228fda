// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.cache;

import dev.buffers.internal.slab.SizeClasses;
import dev.buffers.internal.slab.Slot;
import java.util.function.Consumer;
import org.jctools.queues.varhandle.MpmcVarHandleArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * Free slots of one size class that all threads share: full batches, and a few loose slots for threads without a magazine (the depot of
 * Bonwick and Adams, USENIX 2001).
 *
 * <p>Any thread, without a lock. The queues are JCTools' and are used by their relaxed methods: a take may miss a slot that another thread
 * is just putting in, and a put may find a queue full that another thread is just emptying. The caller then uses the next source, so no
 * thread spins behind a preempted one. A slot is passed on with its view: a put is a release, a take is an acquire.
 */
public final class Depot {
    /*
     *   magazine, full    --putBatch-->  batches  s-s-s-s  s-s-s-s ...  --takeBatch-->  magazine, empty
     *   no magazine       --putLoose-->  loose    s s s ...             --takeLoose-->  no magazine
     *
     * D1  Every slot here was free when it was put in. The slots of a batch are linked by their field `next`.
     * D2  There are at most BATCHES batches and LOOSE slots. What finds no room is returned to its slab.
     * D3  A slot here may have been revoked: the thread that takes it finds out when it begins a tenancy.
     *
     *   field                written by         mode                    read by            mode
     *   elements of a queue  putting thread     release (relaxedOffer)  taking thread      acquire (relaxedPoll)
     *   lastBatches,         maintenance tick   plain                   maintenance tick   plain
     *   lastLoose
     *
     * D4  A thread that takes a batch out, or puts one in, counts that in `moves`. A loose slot was in no list before, or in a channel's. A
     *     take does not see slots behind an earlier put that has not ended. drain and reap count themselves.
     *
     * Losses: none. After a take that misses, or a put that is refused, the caller uses the next source.
     */
    private static final int BATCH_BYTES = 32 << 10;
    private static final int MOST_IN_BATCH = 32;

    /** For slots up to a TLS record. A magazine has room for two batches: a need that swings by one more than a batch needs no depot. */
    private static final int LEAST_IN_BATCH = 4;

    private static final int LEAST_OF_LARGE = 2;
    private static final int BATCHED_UP_TO = 64 << 10;
    private static final int BATCHES = 64;
    private static final int LOOSE = 64;

    /** How many slots make a batch; 1 when the class is too large for batches. */
    public final int batchSize;

    /** Counts how slots of this class move. */
    public final Moves moves = new Moves();

    private final @Nullable MpmcVarHandleArrayQueue<Slot> batches;
    private final MpmcVarHandleArrayQueue<Slot> loose = new MpmcVarHandleArrayQueue<>(LOOSE);

    /* Used by the maintenance tick alone. */
    private int lastBatches;
    private int lastLoose;

    public Depot(int slotSize) {
        this.batchSize = batchSize(slotSize);
        this.batches = batchSize > 1 ? new MpmcVarHandleArrayQueue<>(BATCHES) : null;
    }

    static int batchSize(int slotSize) {
        if (slotSize > BATCHED_UP_TO) {
            return 1;
        }
        int least = slotSize > SizeClasses.TLS_RECORD ? LEAST_OF_LARGE : LEAST_IN_BATCH;
        return Math.max(least, Math.min(MOST_IN_BATCH, BATCH_BYTES / slotSize));
    }

    /** Takes linked slots, at most a batch, which the caller then owns; null when there are none. */
    public @Nullable Slot takeBatch() {
        return batches == null ? null : batches.relaxedPoll();
    }

    /** Puts in linked slots, at most a batch; false when there is no room. */
    public boolean putBatch(Slot first) {
        return batches != null && batches.relaxedOffer(first);
    }

    /** Takes one slot that was put in by itself; null when there is none. */
    public @Nullable Slot takeLoose() {
        return loose.relaxedPoll();
    }

    public boolean putLoose(Slot slot) {
        return loose.relaxedOffer(slot);
    }

    /**
     * Called by the maintenance tick: moves the slots that no thread has needed since the last call into {@code sink}. These are as many as
     * were here then and are here now (the working set of Bonwick and Adams, section 3.4).
     */
    public void reap(Consumer<@Nullable Slot> sink) {
        move(Math.min(lastBatches, batches()), Math.min(lastLoose, loose.size()), sink);
        lastBatches = batches();
        lastLoose = loose.size();
    }

    private int batches() {
        return batches == null ? 0 : batches.size();
    }

    public boolean hasBatches() {
        return batches != null && !batches.isEmpty();
    }

    public boolean isEmpty() {
        return !hasBatches() && loose.isEmpty();
    }

    /** Moves everything that can be taken into {@code sink}. */
    public void drain(Consumer<@Nullable Slot> sink) {
        if (!isEmpty()) {
            move(Integer.MAX_VALUE, Integer.MAX_VALUE, sink);
        }
    }

    private void move(int mostBatches, int mostLoose, Consumer<@Nullable Slot> sink) {
        moves.begin();
        try {
            Slot first;
            for (int left = mostBatches; left > 0 && (first = takeBatch()) != null; left--) {
                sink.accept(first);
            }
            for (int left = mostLoose; left > 0 && (first = takeLoose()) != null; left--) {
                sink.accept(first);
            }
        } finally {
            moves.end();
        }
    }
}

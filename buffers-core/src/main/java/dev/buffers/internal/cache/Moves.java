// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.cache;

import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts moves of free slots from one list to another. A slot that moves is in no list for a moment. A thread that has looked into all
 * lists without success learns here whether it may have missed such a slot.
 *
 * <p>Any thread, without a lock; costs two atomic additions for each move.
 */
public final class Moves {
    /*
     *   mover:   begin -> takes slots out of a list -> puts them into another list -> end
     *   seeker:  finished -> looks into all lists   -> begun
     *
     * V1  Between begin and end a mover holds free slots that it does not acquire itself. It may also end without having found any.
     * V2  If a seeker reads the same number from finished before and from begun after, every move had ended before, and none has begun
     *     since: both only grow, finished <= begun. So each slot that was free all the time was in one of the lists. The same holds for
     *     sums of several Moves.
     *
     *   field     written by  mode                                     read by  mode
     *   begun     mover       getAndAdd, before it takes the slots     seeker   volatile, after it has looked into the lists
     *   finished  mover       getAndAdd, after it has put the slots    seeker   volatile, before it looks
     *
     * V3  A move whose end is lost, because HotSpot dropped its frame in a full heap, shows in each later search. That costs the seeker the
     *     longest search, and nothing else.
     *
     * Not counted: a slot that is on offer to a waiter, whose turn it is (HandOff), and the slots in a channel's return stack, into which
     * no seeker looks.
     *
     * A seeker that misses a slot because a mover took it must read that mover's begin. In a slab or depot the list's lock or index carries
     * that edge. A magazine is looked into by a race: there the fences carry it, one after begin, one before begun is read.
     */
    private final AtomicLong begun = new AtomicLong();
    private final AtomicLong finished = new AtomicLong();

    public void begin() {
        begun.getAndIncrement();
        VarHandle.releaseFence();
    }

    public void end() {
        finished.getAndIncrement();
    }

    public long finished() {
        return finished.get();
    }

    public long begun() {
        VarHandle.acquireFence();
        return begun.get();
    }
}

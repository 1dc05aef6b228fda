// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.slab;

/** The bits of the state of a {@link Slot}. */
public final class SlotState {
    /*
     *   state:   63         62 .. 20        19        18       17        16       15 .. 1        0
     *          +---------+---------------+---------+--------+---------+-------+--------------+-------+
     *          | spent   | generation    | revoked | ending | discard | drain | further holds| first |
     *          +---------+---------------+---------+--------+---------+-------+--------------+-------+
     *
     *   FREE      no bit below the generation is set
     *   HELD      `first` or some of `further holds`, perhaps with `drain` or `discard`
     *   ENDING    `ending` alone, in the next generation: the tenancy is over and its view is not back yet
     *   REVOKED   `revoked` alone: the slot is never used again
     *
     * The first lease of a tenancy keeps the full state with which the tenancy began (its stamp), so its release is one compare-and-set
     * from exactly that state. Further leases (retain, slice) are counted.
     */
    public static final long FIRST = 1;
    public static final long HOLD = 2;
    public static final long HOLDS = 0xFFFE;
    static final long HELD = FIRST | HOLDS;
    public static final long DRAIN = 1L << 16;
    public static final long DISCARD = 1L << 17;
    static final long ENDING = 1L << 18;
    static final long REVOKED = 1L << 19;
    public static final long GENERATION = 1L << 20;
    static final long SPENT = 1L << 63;

    /** Returned instead of a state when the lease was not open; no lease leaves such a state behind. */
    public static final long NOT_OPEN = -1;

    /** All bits below the generation. */
    private static final long BELOW_GENERATION = GENERATION - 1;

    private SlotState() {}

    /** Whether {@code state} belongs to the tenancy that began with {@code stamp}, and the first lease of that tenancy is open. */
    static boolean isFirst(long state, long stamp) {
        return ((state ^ stamp) & (~BELOW_GENERATION | FIRST)) == 0;
    }

    /** The free state after the tenancy that ends in the state {@code held}: one generation later. */
    static long freeAfter(long held) {
        return (held & ~BELOW_GENERATION) + GENERATION;
    }

    /** The state after the last hold of that tenancy has ended, until the view is back. */
    static long endingAfter(long held) {
        return freeAfter(held) | ENDING;
    }

    /** Whether a tenancy that ends in the state {@code held} ends as usual: its slot is not drained, and can be used again. */
    public static boolean endsPlainly(long held) {
        return (held & (DISCARD | DRAIN)) == 0 && !isSpent(freeAfter(held));
    }

    /** Whether a tenancy that ends in the state {@code held} is the last of the slot: it is discarded, or its generation would overflow. */
    public static boolean endsForGood(long held) {
        return isDiscarded(held) || isSpent(freeAfter(held));
    }

    private static boolean isSpent(long free) {
        return free < 0; // SPENT is the sign
    }

    public static boolean isDiscarded(long held) {
        return (held & DISCARD) != 0;
    }

    public static boolean isDraining(long held) {
        return (held & DRAIN) != 0;
    }

    public static boolean isFree(long state) {
        return (state & BELOW_GENERATION) == 0;
    }

    /** The stamp of a tenancy that begins when a slot in this state is free. */
    public static long stampAfter(long state) {
        return state & -GENERATION | FIRST;
    }

    public static boolean isHeld(long state) {
        return (state & HELD) != 0;
    }

    public static boolean sameTenancy(long one, long other) {
        return ((one ^ other) & ~BELOW_GENERATION) == 0;
    }
}

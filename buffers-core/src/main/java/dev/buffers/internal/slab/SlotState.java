package dev.buffers.internal.slab;

/** The bits of the state of a {@link Slot}. */
public final class SlotState {
    /*
     *   state:   63         62 .. 18        17        16       15 .. 1        0
     *          +---------+---------------+---------+-------+--------------+-------+
     *          | spent   | generation    | discard | drain | further holds| first |
     *          +---------+---------------+---------+-------+--------------+-------+
     *
     * A slot is free when `first` and `further holds` are zero. The first lease of a tenancy keeps the full state with which the tenancy
     * began (its stamp), so its release is one compare-and-set from exactly that state. Further leases (retain, slice) are counted.
     */
    public static final long FIRST = 1;
    public static final long HOLD = 2;
    public static final long HOLDS = 0xFFFE;
    static final long HELD = FIRST | HOLDS;
    public static final long DRAIN = 1L << 16;
    public static final long DISCARD = 1L << 17;
    public static final long GENERATION = 1L << 18;
    static final long SPENT = 1L << 63;

    /** Returned instead of a state when the lease was not open; no lease leaves such a state behind. */
    public static final long NOT_OPEN = -1;

    /** All bits below the generation. */
    private static final long IN_TENANCY = GENERATION - 1;

    private SlotState() {}

    /** Whether {@code state} belongs to the tenancy that began with {@code stamp}, and the first lease of that tenancy is open. */
    static boolean isFirst(long state, long stamp) {
        return ((state ^ stamp) & (~IN_TENANCY | FIRST)) == 0;
    }

    /** The state after the last hold of the tenancy {@code held} has ended: free, one generation later. */
    static long afterLast(long held) {
        return (held & ~IN_TENANCY) + GENERATION;
    }

    /** Whether a tenancy that ends in the state {@code held} ends as usual: its slot is not drained, and can be used again. */
    public static boolean endsPlainly(long held) {
        return ((held | afterLast(held)) & (DISCARD | DRAIN | SPENT)) == 0;
    }

    /** Whether a tenancy that ends in the state {@code held} is the last of the slot: it is discarded, or its generation would overflow. */
    public static boolean endsForGood(long held) {
        return ((held | afterLast(held)) & (DISCARD | SPENT)) != 0;
    }

    public static boolean isDiscarded(long held) {
        return (held & DISCARD) != 0;
    }

    public static boolean isDraining(long held) {
        return (held & DRAIN) != 0;
    }

    /** Whether the owner of a slot in this state has abandoned it because its view was taken. */
    public static boolean isAbandoned(long state) {
        return !isHeld(state) && isDraining(state);
    }

    public static boolean isHeld(long state) {
        return (state & HELD) != 0;
    }

    public static boolean sameTenancy(long one, long other) {
        return ((one ^ other) & ~IN_TENANCY) == 0;
    }
}

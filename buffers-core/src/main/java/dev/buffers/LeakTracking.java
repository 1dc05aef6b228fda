package dev.buffers;

/**
 * How much a pool keeps of each lease, so that it can report where a lost one was acquired: the setting {@code leaks}. Losses are counted
 * in every case.
 *
 * <p>Immutable, and equal to another of the same kind and rate. {@link #toString} gives the setting's text, such as {@code sample:100}.
 */
public final class LeakTracking {

    /** What is kept. */
    public enum Kind {
        /** Nothing: losses are counted, at no cost per acquire. */
        COUNT,
        /** The stack of every n-th acquire, at most 100 a second and thread. */
        SAMPLE,
        /** The stack of every acquire. */
        ALL
    }

    private static final LeakTracking COUNT = new LeakTracking(Kind.COUNT, 0);
    private static final LeakTracking ALL = new LeakTracking(Kind.ALL, 1);

    private final Kind kind;
    private final int every;

    private LeakTracking(Kind kind, int every) {
        this.kind = kind;
        this.every = every;
    }

    /**
     * Counts losses and keeps no stacks.
     *
     * @return {@code count}
     */
    public static LeakTracking count() {
        return COUNT;
    }

    /**
     * Keeps the stack of every n-th acquire.
     *
     * @param every the n, at least 1
     * @return {@code sample:<n>}
     * @throws IllegalArgumentException when {@code every} is less than 1
     */
    public static LeakTracking sample(int every) {
        if (every < 1) {
            throw new IllegalArgumentException("sample rate not positive: every=" + every + "; accepted: 1 or more");
        }
        return new LeakTracking(Kind.SAMPLE, every);
    }

    /**
     * Keeps the stack of every acquire.
     *
     * @return {@code all}
     */
    public static LeakTracking all() {
        return ALL;
    }

    /**
     * Which kind it is.
     *
     * @return the kind
     */
    public Kind kind() {
        return kind;
    }

    /**
     * Out of how many acquires one keeps its stack.
     *
     * @return the n of {@code sample:<n>}, 1 for {@code all}
     * @throws IllegalStateException when no stacks are kept
     */
    public int every() {
        if (kind == Kind.COUNT) {
            throw new IllegalStateException("no stacks are kept: leaks=count");
        }
        return every;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LeakTracking that && kind == that.kind && every == that.every;
    }

    @Override
    public int hashCode() {
        return 31 * kind.hashCode() + every;
    }

    @Override
    public String toString() {
        return switch (kind) {
            case COUNT -> "count";
            case SAMPLE -> "sample:" + every;
            case ALL -> "all";
        };
    }
}

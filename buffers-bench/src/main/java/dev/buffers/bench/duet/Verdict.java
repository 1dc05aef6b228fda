package dev.buffers.bench.duet;

import java.util.Map;
import java.util.stream.Collectors;

/** What became of a claim. */
public enum Verdict {
    HOLDS("holds"),
    /** A claim that names a magnitude is right in its direction and does not reach the magnitude. */
    WEAKER("weaker"),
    NO_DIFFERENCE("no difference"),
    DOES_NOT_HOLD("does not hold"),
    REVERSED("reversed"),
    OPEN("open"),
    /** The machine was not quiet enough. */
    WITHHELD("withheld"),
    NOT_MEASURABLE("not measurable here"),
    NOT_RUN("not run");

    /** A difference of less than this factor counts as none. */
    public static final double MATTERS = 1.05;

    /** The share of runs whose verdict may be wrong. */
    static final double WRONG = 0.05;

    private final String text;

    Verdict(String text) {
        this.text = text;
    }

    /**
     * Of a claim that one side is better by a factor.
     *
     * @param ratio how many times better it is
     * @param threshold the magnitude that the claim names; {@link #MATTERS} when it names none
     */
    public static Verdict ofBetter(Estimate ratio, double threshold) {
        return ofBetter(ratio, threshold, WRONG);
    }

    private static Verdict ofBetter(Estimate ratio, double threshold, double wrong) {
        if (!(threshold >= MATTERS)) {
            throw new IllegalArgumentException("less than " + MATTERS + ": threshold=" + threshold);
        }
        Estimate.Interval interval = ratio.interval(wrong);
        if (interval.isAbove(threshold)) {
            return HOLDS;
        }
        if (interval.isAbove(MATTERS)) {
            return interval.isBelow(threshold) ? WEAKER : OPEN;
        }
        if (interval.isBelow(1 / MATTERS)) {
            return REVERSED;
        }
        if (isSame(ratio, wrong)) {
            return NO_DIFFERENCE;
        }
        return interval.isBelow(MATTERS) ? DOES_NOT_HOLD : OPEN;
    }

    /** Of the question which side is better: {@link #HOLDS} for the one, {@link #REVERSED} for the other. */
    public static Verdict ofEither(Estimate ratio) {
        Verdict verdict = ofBetter(ratio, MATTERS);
        return verdict == DOES_NOT_HOLD ? OPEN : verdict;
    }

    /** Of a claim that a cost is at most so many times another: what a gate asks. */
    public static Verdict ofAtMost(Estimate ratio, double bound) {
        if (ratio.interval(WRONG).isAbove(bound)) {
            return DOES_NOT_HOLD;
        }
        return ratio.interval(2 * WRONG).isBelow(bound) ? HOLDS : OPEN;
    }

    /** Two one-sided tests, each with the same error. */
    private static boolean isSame(Estimate ratio, double wrong) {
        Estimate.Interval interval = ratio.interval(2 * wrong);
        return interval.isAbove(1 / MATTERS) && interval.isBelow(MATTERS);
    }

    /**
     * Of a claim that says "always", from its sizes. It holds, or is weaker, or reversed, or makes no difference only if all sizes say so.
     * One size refutes it, beyond a doubt that is shared among all sizes.
     *
     * @param sizes how many times better the claimed side is, for each size
     */
    public static Finding ofAll(Map<String, Estimate> sizes, double threshold) {
        if (sizes.isEmpty()) {
            return new Finding(NOT_RUN, "");
        }
        Map<String, Verdict> verdicts = sizes.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, e -> ofBetter(e.getValue(), threshold)));
        for (Verdict word : new Verdict[] {HOLDS, NO_DIFFERENCE, REVERSED}) {
            if (verdicts.values().stream().allMatch(verdict -> verdict == word)) {
                return new Finding(word, "");
            }
        }
        if (verdicts.values().stream().allMatch(verdict -> verdict == HOLDS || verdict == WEAKER)) {
            return new Finding(WEAKER, "");
        }
        String against = sizes.entrySet().stream()
                .filter(size -> size.getValue().interval(WRONG / sizes.size()).isBelow(MATTERS))
                .map(Map.Entry::getKey)
                .collect(Collectors.joining(", "));
        if (!against.isEmpty()) {
            return new Finding(DOES_NOT_HOLD, "at " + against);
        }
        long holding =
                verdicts.values().stream().filter(verdict -> verdict == HOLDS).count();
        return new Finding(OPEN, "holds at " + holding + " of " + sizes.size());
    }

    @Override
    public String toString() {
        return text;
    }

    /**
     * A verdict and what it rests on.
     *
     * @param detail where it does not hold, or at how many sizes it does; empty if there is nothing to add
     */
    public record Finding(Verdict verdict, String detail) {
        @Override
        public String toString() {
            return detail.isEmpty() ? verdict.toString() : verdict + " (" + detail + ")";
        }
    }
}

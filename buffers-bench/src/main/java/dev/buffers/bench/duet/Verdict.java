package dev.buffers.bench.duet;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** What became of a claim: the words, and the one rule that finds them. */
public enum Verdict {
    HOLDS("holds"),
    /** A claim that names a magnitude is right in its direction and does not reach the magnitude. */
    WEAKER("weaker"),
    NO_DIFFERENCE("no difference"),
    DOES_NOT_HOLD("does not hold"),
    REVERSED("reversed"),
    /** The shapes in which the caller is compiled say different things, each beyond doubt. */
    DEPENDS("depends on compilation"),
    OPEN("open"),
    /** The machine was not quiet enough. */
    WITHHELD("withheld"),
    NOT_MEASURABLE("not measurable here"),
    NOT_RUN("not run");

    /** A difference of less than this factor counts as none. */
    public static final double MATTERS = 1.05;

    /** The share of runs whose verdict may be wrong. */
    public static final double WRONG = 0.05;

    private static final Set<Verdict> FOR = EnumSet.of(HOLDS, WEAKER);
    private static final Set<Verdict> AGAINST = EnumSet.of(NO_DIFFERENCE, DOES_NOT_HOLD, REVERSED);

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
        if (!(threshold >= MATTERS)) {
            throw new IllegalArgumentException("less than " + MATTERS + ": threshold=" + threshold);
        }
        Estimate.Interval interval = ratio.interval(WRONG);
        if (interval.isAbove(threshold)) {
            return HOLDS;
        }
        if (interval.isAbove(MATTERS)) {
            return interval.isBelow(threshold) ? WEAKER : OPEN;
        }
        if (interval.isBelow(1 / MATTERS)) {
            return REVERSED;
        }
        if (isWithin(ratio, MATTERS)) {
            return NO_DIFFERENCE;
        }
        return interval.isBelow(MATTERS) ? DOES_NOT_HOLD : OPEN;
    }

    /** Of the question which side is better by more than a bound: {@link #HOLDS} for the one, {@link #REVERSED} for the other. */
    public static Verdict ofEither(Estimate ratio, double bound) {
        Estimate.Interval interval = ratio.interval(WRONG);
        if (interval.isAbove(bound)) {
            return HOLDS;
        }
        if (interval.isBelow(1 / bound)) {
            return REVERSED;
        }
        return isWithin(ratio, MATTERS) ? NO_DIFFERENCE : OPEN;
    }

    /** Of a claim that a cost is at most so many times another: what a gate asks. */
    public static Verdict ofAtMost(Estimate ratio, double bound) {
        if (ratio.interval(WRONG).isAbove(bound)) {
            return DOES_NOT_HOLD;
        }
        return ratio.interval(2 * WRONG).isBelow(bound) ? HOLDS : OPEN;
    }

    /** Of a claim that two costs are the same but for a factor. */
    public static Verdict ofWithin(Estimate ratio, double bound) {
        if (isWithin(ratio, bound)) {
            return HOLDS;
        }
        Estimate.Interval interval = ratio.interval(WRONG);
        return interval.isAbove(bound) || interval.isBelow(1 / bound) ? DOES_NOT_HOLD : OPEN;
    }

    /** Two one-sided tests, each with the same error. */
    private static boolean isWithin(Estimate ratio, double bound) {
        Estimate.Interval interval = ratio.interval(2 * WRONG);
        return interval.isAbove(1 / bound) && interval.isBelow(bound);
    }

    /**
     * Of a claim that says "always", from its sizes. It holds, or is weaker, or reversed, or makes no difference only if all sizes say so.
     * One size refutes it, beyond a doubt that is shared among all sizes.
     *
     * @param sizes for each size its scores: one, or one for each shape of the caller
     */
    public static Finding ofAll(Map<String, List<Score>> sizes) {
        if (sizes.isEmpty()) {
            return new Finding(NOT_RUN, "");
        }
        Map<String, Verdict> words = sizes.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, size -> ofShapes(size.getValue())));
        Set<Verdict> said = EnumSet.copyOf(words.values());
        if (said.size() == 1 && !said.contains(OPEN) && !said.contains(DEPENDS) && !said.contains(DOES_NOT_HOLD)) {
            return new Finding(said.iterator().next(), "");
        }
        if (FOR.containsAll(said)) {
            return new Finding(WEAKER, "");
        }
        String against = sizes.entrySet().stream()
                .filter(size -> size.getValue().stream().allMatch(score -> score.isRefuted(WRONG / sizes.size())))
                .map(Map.Entry::getKey)
                .collect(Collectors.joining(", "));
        if (!against.isEmpty()) {
            return new Finding(DOES_NOT_HOLD, "at " + against);
        }
        String depending = words.entrySet().stream()
                .filter(size -> size.getValue() == DEPENDS)
                .map(Map.Entry::getKey)
                .sorted()
                .collect(Collectors.joining(", "));
        if (!depending.isEmpty()) {
            return new Finding(DEPENDS, "at " + depending);
        }
        long holding = words.values().stream().filter(FOR::contains).count();
        return new Finding(OPEN, holding + " of " + sizes.size());
    }

    /** Of one size, from the shapes of its caller. */
    static Verdict ofShapes(List<Score> shapes) {
        List<Verdict> words =
                new ArrayList<>(shapes.stream().map(Score::verdict).toList());
        if (words.isEmpty()) {
            return NOT_RUN;
        }
        if (words.stream().distinct().count() == 1) {
            return words.get(0);
        }
        if (FOR.containsAll(words)) {
            return WEAKER;
        }
        if (AGAINST.containsAll(words)) {
            return DOES_NOT_HOLD;
        }
        boolean decided = words.stream().allMatch(word -> FOR.contains(word) || AGAINST.contains(word));
        return decided ? DEPENDS : OPEN;
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

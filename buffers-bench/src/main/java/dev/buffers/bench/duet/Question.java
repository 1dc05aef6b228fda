package dev.buffers.bench.duet;

import java.util.Locale;

/**
 * What is asked about a challenger's cost beside the base's.
 *
 * @param bound a factor
 * @param ofBase whether it is the base that is said to be better
 */
public record Question(Kind kind, double bound, boolean ofBase) {

    /** Which side costs less, if any. */
    public static final Question EITHER = new Question(Kind.EITHER, Verdict.MATTERS, false);

    /** The kinds of question. */
    public enum Kind {
        /** Which side costs less? */
        EITHER,
        /** Is it better by the bound? */
        BETTER,
        /** Does it cost at most the bound? */
        AT_MOST,
        /** Is its cost within the bound, more or less? */
        WITHIN
    }

    /** Which side costs less by more than a factor. */
    public static Question either(double bound) {
        return new Question(Kind.EITHER, bound, false);
    }

    /** That the challenger is better. */
    public static Question better() {
        return better(Verdict.MATTERS);
    }

    /** That the challenger is better by a factor. */
    public static Question better(double threshold) {
        return new Question(Kind.BETTER, threshold, false);
    }

    /** That the challenger costs at most so many times what the base does. */
    public static Question atMost(double bound) {
        return new Question(Kind.AT_MOST, bound, false);
    }

    /** That both cost the same, but for a factor. */
    public static Question within(double bound) {
        return new Question(Kind.WITHIN, bound, false);
    }

    /** The same question about the base. */
    public Question aboutBase() {
        return new Question(kind, bound, true);
    }

    /**
     * How many times better the side is that is asked about.
     *
     * @param cost the challenger's to the base's
     */
    public Estimate better(Estimate cost) {
        return ofBase ? cost : cost.inverse();
    }

    /** As a claim. */
    public String text() {
        return switch (kind) {
            case EITHER -> "Which costs less?";
            case BETTER -> String.format(Locale.ROOT, "%.2f times better", bound);
            case AT_MOST -> String.format(Locale.ROOT, "at most %.1f %% more", 100 * (bound - 1));
            case WITHIN -> String.format(Locale.ROOT, "at most %.1f %% more or less", 100 * (bound - 1));
        };
    }

    /** Answers it. */
    Verdict answer(Estimate cost) {
        Estimate better = better(cost);
        return switch (kind) {
            case EITHER -> Verdict.ofEither(better, bound);
            case BETTER -> Verdict.ofBetter(better, bound);
            case AT_MOST -> Verdict.ofAtMost(better.inverse(), bound);
            case WITHIN -> Verdict.ofWithin(better, bound);
        };
    }

    /** Whether the answer is no, with at most that probability of an error. */
    boolean refutedBy(Estimate cost, double wrong) {
        Estimate.Interval interval = better(cost).interval(wrong);
        return switch (kind) {
            case EITHER -> false;
            case BETTER -> interval.isBelow(Verdict.MATTERS);
            case AT_MOST -> interval.isBelow(1 / bound);
            case WITHIN -> interval.isBelow(1 / bound) || interval.isAbove(bound);
        };
    }
}

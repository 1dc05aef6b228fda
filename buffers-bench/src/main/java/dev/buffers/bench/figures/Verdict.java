package dev.buffers.bench.figures;

import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;

/** What became of a claim: the words, and the one rule that finds them. */
public enum Verdict {
    HOLDS("holds"),
    /** A claim that names a magnitude is right in its direction and does not reach the magnitude. */
    WEAKER("weaker"),
    NO_DIFFERENCE("no difference"),
    REVERSED("reversed"),
    INCONCLUSIVE("inconclusive"),
    /** Several sizes say different things, each beyond doubt. */
    DEPENDS("depends"),
    NOT_MEASURABLE("not measurable here"),
    NOT_RUN("not run");

    /** A difference of less than this factor counts as none. */
    public static final double MATTERS = 1.05;

    /** An interval that says less than this says nothing; three forks on either side reach it. */
    public static final double CONFIDENCE = 0.9;

    private static final double ROUNDING = 1e-9;

    private final String text;

    Verdict(String text) {
        this.text = text;
    }

    /**
     * Of a claim that one side is better: wholly above the threshold it holds, wholly between what matters and the threshold it is
     * weaker, wholly below 1 / 1.05 it is reversed, wholly between 1 / 1.05 and 1.05 there is no difference.
     *
     * @param ratio the claimed side's figures to the other's
     * @param threshold the magnitude that the claim names; {@link #MATTERS} when it names none
     */
    public static Verdict ofBetter(Ratio ratio, double threshold) {
        if (!(threshold >= MATTERS)) {
            throw new IllegalArgumentException("less than " + MATTERS + ": threshold=" + threshold);
        }
        if (ratio.confidence() < CONFIDENCE - ROUNDING) {
            return INCONCLUSIVE;
        }
        if (ratio.low() > threshold) {
            return HOLDS;
        }
        if (ratio.low() > MATTERS && ratio.high() <= threshold) {
            return WEAKER;
        }
        if (ratio.high() < 1 / MATTERS) {
            return REVERSED;
        }
        return ratio.low() >= 1 / MATTERS && ratio.high() <= MATTERS ? NO_DIFFERENCE : INCONCLUSIVE;
    }

    /** Of a claim that it makes no difference: it holds when there is none, and is reversed when there is one beyond doubt. */
    public static Verdict ofSame(Ratio ratio) {
        return switch (ofBetter(ratio, MATTERS)) {
            case NO_DIFFERENCE -> HOLDS;
            case HOLDS, REVERSED -> REVERSED;
            default -> INCONCLUSIVE;
        };
    }

    /**
     * Of a whole claim: it holds only if it holds at all sizes that it names, and so for every other word. What was not run or cannot be
     * measured has no say unless it is everything.
     */
    public static Verdict ofAll(Collection<Verdict> sizes) {
        Set<Verdict> words = EnumSet.noneOf(Verdict.class);
        words.addAll(sizes);
        Set<Verdict> said = EnumSet.copyOf(words.isEmpty() ? EnumSet.of(NOT_RUN) : words);
        said.removeAll(EnumSet.of(NOT_RUN, NOT_MEASURABLE));
        if (said.isEmpty()) {
            return words.contains(NOT_MEASURABLE) ? NOT_MEASURABLE : NOT_RUN;
        }
        if (said.size() == 1) {
            return said.iterator().next();
        }
        if (said.equals(EnumSet.of(HOLDS, WEAKER))) {
            return WEAKER;
        }
        boolean doubtful = said.remove(INCONCLUSIVE);
        boolean agreed = said.size() == 1 || said.equals(EnumSet.of(HOLDS, WEAKER));
        return doubtful && agreed ? INCONCLUSIVE : DEPENDS;
    }

    @Override
    public String toString() {
        return text;
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.harness;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    /** The shapes in which the caller is compiled say different things, each at 95 % confidence. */
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

    /** These say at which sizes, or at how many. */
    private static final Set<Verdict> NAME_SIZES = EnumSet.of(DOES_NOT_HOLD, DEPENDS, OPEN);

    private final String text;

    Verdict(String text) {
        this.text = text;
    }

    /**
     * The answer to a question.
     *
     * @param cost the alternative's to the base's
     */
    static Verdict of(Question question, Estimate cost) {
        Estimate better = question.better(cost);
        Estimate.Interval interval = better.interval();
        double bound = question.bound();
        return switch (question.kind()) {
            case BETTER -> ofBetter(better, bound);
            case EITHER ->
                interval.isAbove(bound)
                        ? HOLDS
                        : interval.isBelow(1 / bound) ? REVERSED : isWithin(better, MATTERS) ? NO_DIFFERENCE : OPEN;
            case AT_MOST ->
                interval.isBelow(1 / bound)
                        ? DOES_NOT_HOLD
                        : better.interval(2 * WRONG).isAbove(1 / bound) ? HOLDS : OPEN;
            case WITHIN ->
                isWithin(better, bound)
                        ? HOLDS
                        : interval.isAbove(bound) || interval.isBelow(1 / bound) ? DOES_NOT_HOLD : OPEN;
        };
    }

    private static Verdict ofBetter(Estimate better, double threshold) {
        Estimate.Interval interval = better.interval();
        if (interval.isAbove(threshold)) {
            return HOLDS;
        }
        if (interval.isAbove(MATTERS)) {
            return interval.isBelow(threshold) ? WEAKER : OPEN;
        }
        if (interval.isBelow(1 / MATTERS)) {
            return REVERSED;
        }
        if (isWithin(better, MATTERS)) {
            return NO_DIFFERENCE;
        }
        return interval.isBelow(MATTERS) ? DOES_NOT_HOLD : OPEN;
    }

    /** Two one-sided tests, each with the same error. */
    private static boolean isWithin(Estimate ratio, double bound) {
        Estimate.Interval interval = ratio.interval(2 * WRONG);
        return interval.isAbove(1 / bound) && interval.isBelow(bound);
    }

    /**
     * Of a claim, from its scores. Open questions beside the claim, which side costs less, do not count.
     *
     * @return empty when nothing is claimed
     */
    public static Optional<Finding> ofScores(Collection<Score> scores) {
        Map<String, List<Score>> sizes = scores.stream()
                .filter(score -> !score.trial().question().isOpen())
                .collect(
                        Collectors.groupingBy(score -> score.trial().label(), LinkedHashMap::new, Collectors.toList()));
        return sizes.isEmpty() && !scores.isEmpty() ? Optional.empty() : Optional.of(ofAll(sizes));
    }

    /**
     * Of a claim that says "always", from its sizes. It holds, or is weaker, or reversed, or makes no difference only if all sizes say so.
     * One size refutes it, at an error budget that all sizes share.
     *
     * @param sizes for each size its scores: one, or one for each shape of the caller
     */
    public static Finding ofAll(Map<String, List<Score>> sizes) {
        if (sizes.isEmpty()) {
            return new Finding(NOT_RUN, "");
        }
        Map<String, Verdict> words = new LinkedHashMap<>();
        sizes.forEach((size, shapes) -> words.put(size, ofShapes(shapes)));
        Set<Verdict> said = EnumSet.copyOf(words.values());
        if (said.size() == 1 && Collections.disjoint(said, NAME_SIZES)) {
            return new Finding(said.iterator().next(), "");
        }
        if (FOR.containsAll(said)) {
            return new Finding(WEAKER, "");
        }
        List<String> against = new ArrayList<>(sizes.keySet());
        against.removeIf(size -> !refute(sizes.getOrDefault(size, List.of()), WRONG / sizes.size()));
        if (!against.isEmpty()) {
            return new Finding(DOES_NOT_HOLD, "at " + String.join(", ", against));
        }
        List<String> depending = new ArrayList<>(sizes.keySet());
        depending.removeIf(size -> words.get(size) != DEPENDS);
        if (!depending.isEmpty()) {
            return new Finding(DEPENDS, "at " + String.join(", ", depending));
        }
        long holding = words.values().stream().filter(FOR::contains).count();
        return new Finding(OPEN, holding + " of " + sizes.size());
    }

    private static boolean refute(List<Score> shapes, double wrong) {
        return shapes.stream().allMatch(score -> score.isRefuted(wrong));
    }

    /** Of one size, from the shapes of its caller. */
    private static Verdict ofShapes(List<Score> shapes) {
        Set<Verdict> said = shapes.stream().map(Score::verdict).collect(Collectors.toSet());
        if (said.size() == 1) {
            return said.iterator().next();
        }
        if (FOR.containsAll(said)) {
            return WEAKER;
        }
        if (AGAINST.containsAll(said)) {
            return DOES_NOT_HOLD;
        }
        return said.stream().allMatch(word -> FOR.contains(word) || AGAINST.contains(word)) ? DEPENDS : OPEN;
    }

    /** Whether it is at 95 % confidence, or cannot be. */
    public boolean isDecided() {
        return this != OPEN && this != WITHHELD && this != NOT_RUN;
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

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.harness;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.Locale;

/**
 * A question about an alternative's cost compared with the base's.
 *
 * @param bound a factor; of {@link Kind#BETTER} the magnitude that is claimed, {@link Verdict#MATTERS} if none is
 * @param ofBase whether it is the base that is said to be better
 */
public record Question(Kind kind, double bound, boolean ofBase) {

    /** Which side costs less, if any. */
    public static final Question EITHER = of("either");

    public enum Kind {
        /** Which side costs less, by more than the bound? */
        EITHER,
        /** Is it better by the bound? */
        BETTER,
        /** Does it cost at most the bound? */
        AT_MOST,
        /** Is its cost within the bound, more or less? */
        WITHIN
    }

    public Question {
        if (kind == Kind.BETTER && !(bound >= Verdict.MATTERS)) {
            throw new IllegalArgumentException("less than " + Verdict.MATTERS + ": bound=" + bound);
        }
    }

    /** Reads one: {@code either}, {@code better 1.5}, {@code at-most 1.05}, {@code within 1.05}, or {@code base better}, of the base. */
    public static Question of(String text) {
        boolean ofBase = text.startsWith("base ");
        String[] words = text.replace("base ", "").split(" ", -1);
        Kind kind = Kind.valueOf(words[0].toUpperCase(Locale.ROOT).replace('-', '_'));
        return new Question(kind, words.length > 1 ? Double.parseDouble(words[1]) : Verdict.MATTERS, ofBase);
    }

    /** Whether nothing is claimed. */
    @JsonIgnore
    public boolean isOpen() {
        return kind == Kind.EITHER;
    }

    /**
     * How many times better the side is that is asked about.
     *
     * @param cost the alternative's to the base's
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

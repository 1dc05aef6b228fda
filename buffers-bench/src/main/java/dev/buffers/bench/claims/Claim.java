package dev.buffers.bench.claims;

import dev.buffers.bench.figures.Verdict;
import java.util.List;

/** What somebody said about buffers, and what to compare to see whether it is so. Its verdict is the rule's, never its own. */
public interface Claim {

    /** As in the catalogue: A1 to F7. */
    String id();

    /** Who said it and when. */
    Source source();

    /** What was said, one sentence that can be true or false. */
    String statement();

    /** What was measured then, for the table; "not measured" where it was only said. */
    String then();

    /** What the JDK has changed since that bears on it; empty when nothing. */
    default String since() {
        return "";
    }

    /** What to compare, one trial for each size that the claim names. */
    List<Trial> trials();

    /**
     * A source of claims.
     *
     * @param year when it was measured or said; for what nobody measured, this year
     * @param setting on which machine and Java
     */
    record Source(int year, String what, String setting) {}

    /**
     * One comparison.
     *
     * @param label the size or the circumstance, for the table
     * @param claimant the side that the claim says is better
     * @param other the side that it is compared with
     * @param figure the name of the figure that counts
     * @param kind what the claim says of the ratio
     * @param threshold the magnitude that the claim names; {@link Verdict#MATTERS} when none
     * @param scale what the claimant's figure is multiplied with first: 1, unless the two points do different amounts of work per operation
     */
    record Trial(String label, Point claimant, Point other, String figure, Kind kind, double threshold, double scale) {

        /** That the first is better than the second. */
        public static Trial better(String label, Point claimant, Point other, Figure figure) {
            return better(label, claimant, other, figure, Verdict.MATTERS);
        }

        /** That the first is better than the second by a factor. */
        public static Trial better(String label, Point claimant, Point other, Figure figure, double threshold) {
            return new Trial(label, claimant, other, figure.name(), Kind.BETTER, threshold, 1);
        }

        /** That there is no difference between the two. */
        public static Trial same(String label, Point claimant, Point other, Figure figure) {
            return new Trial(label, claimant, other, figure.name(), Kind.SAME, Verdict.MATTERS, 1);
        }

        /** The same comparison with the claimant's figure multiplied. */
        public Trial scaled(double factor) {
            return new Trial(label, claimant, other, figure, kind, threshold, factor);
        }
    }

    /** What a claim says of a ratio. */
    enum Kind {
        BETTER,
        SAME
    }
}

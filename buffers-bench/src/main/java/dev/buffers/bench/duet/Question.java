package dev.buffers.bench.duet;

/**
 * What is asked about a challenger's cost beside the base's.
 *
 * @param bound a factor; unused where none is asked for
 */
public record Question(Kind kind, double bound) {

    /** Which side costs less, if any. */
    public static final Question EITHER = new Question(Kind.EITHER, Verdict.MATTERS);

    /** The kinds of question. */
    public enum Kind {
        /** Which side costs less? */
        EITHER,
        /** Is the challenger better by the bound? */
        BETTER,
        /** Does the challenger cost at most the bound? */
        AT_MOST
    }

    /** Answers it. */
    Verdict answer(Estimate cost) {
        return switch (kind) {
            case EITHER -> Verdict.ofEither(cost.inverse());
            case BETTER -> Verdict.ofBetter(cost.inverse(), bound);
            case AT_MOST -> Verdict.ofAtMost(cost, bound);
        };
    }
}

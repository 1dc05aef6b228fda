package dev.buffers.bench.advise;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import dev.buffers.bench.figures.Median;
import dev.buffers.bench.figures.Ratio;
import dev.buffers.bench.figures.Verdict;
import java.util.List;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/**
 * How one policy stands in one use.
 *
 * @param forks what was measured; empty when it was not
 * @param ratio to the default policy, more than 1 when this one is better; null for the default itself and without figures of both
 */
@JsonPropertyOrder({"policy", "verdict", "ratio", "median", "forks"})
record Standing(String policy, List<Double> forks, @Nullable Ratio ratio) {
    /** Three forks against three give a confidence of 0.9, which is too little to advise anything. */
    private static final double ENOUGH = 0.95;

    static Standing of(String policy, double[] forks, double[] ofDefault, boolean moreIsBetter) {
        List<Double> all = DoubleStream.of(forks).boxed().toList();
        if (policy.equals(Uses.DEFAULT_POLICY) || forks.length == 0 || ofDefault.length == 0) {
            return new Standing(policy, all, null);
        }
        return new Standing(
                policy, all, moreIsBetter ? Ratio.ofForks(forks, ofDefault) : Ratio.ofForks(ofDefault, forks));
    }

    boolean isDefault() {
        return policy.equals(Uses.DEFAULT_POLICY);
    }

    /** The word for it, if the claim is that this policy is better than the default. */
    @JsonProperty
    Verdict verdict() {
        if (ratio == null) {
            return Verdict.NOT_RUN;
        }
        return tooFew() ? Verdict.INCONCLUSIVE : ratio.verdict();
    }

    /** Whether there are too few forks for any other word. */
    boolean tooFew() {
        return ratio != null && ratio.confidence() < ENOUGH;
    }

    /** The middle fork's figure; null when there is none. */
    @JsonProperty
    @Nullable Double median() {
        return forks.isEmpty()
                ? null
                : Median.of(forks.stream().mapToDouble(Double::doubleValue).toArray());
    }

    /** How many times better it is, by the middle of the interval; 1 when that is not known. */
    double gain() {
        return ratio == null ? 1 : ratio.estimate();
    }
}

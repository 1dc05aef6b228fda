package dev.buffers.bench.advise;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import dev.buffers.bench.claims.Depth;
import dev.buffers.bench.claims.Experiment;
import dev.buffers.bench.claims.Figure;
import dev.buffers.bench.claims.Measured;
import dev.buffers.bench.claims.Point;
import dev.buffers.bench.figures.Ratio;
import dev.buffers.bench.figures.Verdict;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What to set for one use: of the policies that are better than the default beyond doubt the one that is so most, else the default.
 *
 * @param use its experiment's id, and what a pool for it may be called
 * @param unit of the figures
 * @param standings of all policies
 */
@JsonPropertyOrder({"use", "question", "policy", "setting", "reason", "unit", "standings"})
record UseAdvice(String use, String question, String unit, List<Standing> standings) {

    static UseAdvice of(Experiment use, Measured measured) {
        Figure figure = use.figures().get(0);
        List<Point> points = List.copyOf(use.points(Depth.QUICK));
        double[] ofDefault = points.stream()
                .filter(point -> point.get(Uses.POLICY).equals(Uses.DEFAULT_POLICY))
                .findFirst()
                .map(point -> measured.forks(point, figure.name()))
                .orElseThrow(() -> new IllegalArgumentException("without the default policy: use=" + use.id()));
        return new UseAdvice(
                use.id(),
                use.question(),
                figure.unit(),
                points.stream()
                        .map(point -> Standing.of(
                                point.get(Uses.POLICY),
                                measured.forks(point, figure.name()),
                                ofDefault,
                                figure.moreIsBetter()))
                        .toList());
    }

    /** The policy to set. */
    @JsonProperty
    String policy() {
        return best().map(Standing::policy).orElse(Uses.DEFAULT_POLICY);
    }

    /** What to tell the JVM, if the pool is called as the use. */
    @JsonProperty
    String setting() {
        return "-Dbuffers." + key() + "=" + policy();
    }

    /** The setting's key, after the prefix of all. */
    String key() {
        return use + "." + Uses.POLICY;
    }

    Optional<Standing> best() {
        return standings.stream()
                .filter(standing -> standing.verdict() == Verdict.HOLDS)
                .max(Comparator.comparingDouble(Standing::gain));
    }

    Verdict verdict(String policy) {
        return standing(policy).map(Standing::verdict).orElse(Verdict.NOT_RUN);
    }

    double gain(String policy) {
        return standing(policy).map(Standing::gain).orElse(1.0);
    }

    private Optional<Standing> standing(String policy) {
        return standings.stream().filter(s -> s.policy().equals(policy)).findFirst();
    }

    /** Why it is this policy, to be read after {@link #setting}. */
    @JsonProperty
    String reason() {
        return best().map(standing -> gain(Objects.requireNonNull(standing.ratio())))
                .orElseGet(() -> "the default: " + whyDefault());
    }

    private static String gain(Ratio ratio) {
        return String.format(
                Locale.ROOT,
                "%.2f times better than the default (%.2f to %.2f, %.0f %% confidence)",
                ratio.estimate(),
                ratio.low(),
                ratio.high(),
                100 * ratio.confidence());
    }

    private String whyDefault() {
        List<Standing> compared =
                standings.stream().filter(s -> s.ratio() != null).toList();
        if (compared.isEmpty()) {
            return "not measured";
        }
        if (compared.stream().anyMatch(Standing::tooFew)) {
            return "too few rounds to tell";
        }
        if (compared.stream().allMatch(s -> s.verdict() == Verdict.NO_DIFFERENCE)) {
            return "no difference between the policies";
        }
        String worse = compared.stream()
                .filter(s -> s.verdict() == Verdict.REVERSED)
                .map(Standing::policy)
                .collect(Collectors.joining(", "));
        return worse.isEmpty() ? "the differences are within the noise" : "no other is better; worse: " + worse;
    }
}

package dev.buffers.bench.show;

import dev.buffers.bench.figures.Verdict;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The policy to set. A policy beats the default when at least one judged metric is better beyond doubt and none is worse beyond
 * doubt; of several the one with the best product of ratios is taken; when none does, the default stays.
 *
 * @param reason why it is this policy, to be read after {@link #setting}
 * @param details one sentence for each other policy and each rival
 * @param comparisons of the other policies with the default, then of the rivals with the recommended policy
 */
record Recommendation(Lane policy, String reason, List<String> details, List<Comparison> comparisons) {

    static Recommendation of(Collection<Measurement> measurements) {
        List<Lane> lanes =
                measurements.stream().map(Measurement::lane).distinct().sorted().toList();
        List<Comparison> policies = compare(
                measurements,
                lanes.stream().filter(l -> l.isPolicy() && l != Lane.DEFAULT).toList(),
                Lane.DEFAULT);
        Optional<Lane> better = lanes.stream()
                .filter(lane -> beats(of(lane, policies)))
                .max(Comparator.comparingDouble(lane -> product(of(lane, policies))));
        Lane best = better.orElse(Lane.DEFAULT);
        List<Comparison> rivals = compare(
                measurements, lanes.stream().filter(lane -> !lane.isPolicy()).toList(), best);
        List<String> details = Stream.concat(others(lanes, policies).stream(), others(lanes, rivals).stream())
                .toList();
        return new Recommendation(
                best,
                reason(best, policies),
                details,
                Stream.concat(policies.stream(), rivals.stream()).toList());
    }

    /** What to tell the JVM. */
    String setting() {
        return "-Dbuffers.policy=" + policy.label();
    }

    private static List<Comparison> compare(Collection<Measurement> measurements, List<Lane> claimants, Lane other) {
        return claimants.stream()
                .flatMap(claimant -> Metric.judged().stream()
                        .map(metric ->
                                new Comparison(claimant, other, metric, metric.compare(measurements, claimant, other))))
                .toList();
    }

    private static List<Comparison> of(Lane claimant, List<Comparison> comparisons) {
        return comparisons.stream().filter(c -> c.claimant() == claimant).toList();
    }

    private static boolean beats(List<Comparison> comparisons) {
        return has(comparisons, Verdict.HOLDS) && !has(comparisons, Verdict.REVERSED);
    }

    private static boolean has(List<Comparison> comparisons, Verdict word) {
        return comparisons.stream().anyMatch(c -> c.ratio().verdict() == word);
    }

    private static double product(List<Comparison> comparisons) {
        return comparisons.stream().mapToDouble(c -> c.ratio().estimate()).reduce(1, (a, b) -> a * b);
    }

    private static String reason(Lane best, List<Comparison> policies) {
        if (best != Lane.DEFAULT) {
            return "which beats the default, " + Lane.DEFAULT.label() + ".";
        }
        if (has(policies, Verdict.HOLDS)) {
            return "the default: what another policy gains in one respect it loses in another.";
        }
        return has(policies, Verdict.REVERSED)
                ? "the default: no other policy beats it, and some are worse."
                : "the default: the differences between the policies are within the noise.";
    }

    /** One sentence for each claimant. */
    private static List<String> others(List<Lane> lanes, List<Comparison> comparisons) {
        return lanes.stream()
                .map(lane -> of(lane, comparisons))
                .filter(mine -> !mine.isEmpty())
                .map(Recommendation::sentence)
                .toList();
    }

    private static String sentence(List<Comparison> mine) {
        String better = metrics(mine, Verdict.HOLDS);
        String worse = metrics(mine, Verdict.REVERSED);
        String text = Stream.of(
                        better.isEmpty() ? "" : "better in " + better, worse.isEmpty() ? "" : "worse in " + worse)
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining("; "));
        return mine.get(0).claimant().label()
                + " against "
                + mine.get(0).other().label()
                + ": "
                + (text.isEmpty() ? undecided(mine) : text + ".");
    }

    private static String undecided(List<Comparison> mine) {
        boolean alike = mine.stream().allMatch(c -> c.ratio().verdict() == Verdict.NO_DIFFERENCE);
        return alike ? "no difference." : "within the noise.";
    }

    private static String metrics(List<Comparison> mine, Verdict word) {
        return mine.stream()
                .filter(c -> c.ratio().verdict() == word)
                .map(c ->
                        c.metric().text() + String.format(" (x %.2f)", c.ratio().estimate()))
                .collect(Collectors.joining(", "));
    }
}

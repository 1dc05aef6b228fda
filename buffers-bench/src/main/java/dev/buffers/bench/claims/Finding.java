package dev.buffers.bench.claims;

import dev.buffers.bench.claims.Claim.Trial;
import dev.buffers.bench.figures.Ratio;
import dev.buffers.bench.figures.Verdict;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What became of a claim.
 *
 * @param trials what became of each of its trials, in their order
 */
public record Finding(Claim claim, List<TrialFinding> trials) {

    /**
     * What became of one trial.
     *
     * @param ratio of the claimed side to the other, more than 1 when the claimed side is better; null when there is none
     * @param why there is none; empty when there is one
     */
    public record TrialFinding(Trial trial, @Nullable Ratio ratio, Verdict verdict, String why) {}

    /** Puts the measured figures to the rule. */
    public static Finding of(Claim claim, Measured measured, Map<String, Experiment> experiments) {
        return new Finding(
                claim,
                claim.trials().stream()
                        .map(trial -> of(trial, measured, experiments))
                        .toList());
    }

    private static TrialFinding of(Trial trial, Measured measured, Map<String, Experiment> experiments) {
        double[] mine = measured.forks(trial.claimant(), trial.figure());
        double[] theirs = measured.forks(trial.other(), trial.figure());
        if (mine.length == 0 || theirs.length == 0) {
            return obstacle(trial.claimant(), experiments)
                    .or(() -> obstacle(trial.other(), experiments))
                    .map(why -> new TrialFinding(trial, null, Verdict.NOT_MEASURABLE, why))
                    .orElseGet(() -> new TrialFinding(trial, null, Verdict.NOT_RUN, whyNotRun(trial, measured)));
        }
        if (Stream.of(mine, theirs).flatMapToDouble(Arrays::stream).anyMatch(figure -> !(figure > 0))) {
            return new TrialFinding(trial, null, Verdict.INCONCLUSIVE, "a figure of 0 has no ratio");
        }
        for (int i = 0; i < mine.length; i++) {
            mine[i] *= trial.scale();
        }
        Ratio ratio =
                figure(trial, experiments).moreIsBetter() ? Ratio.ofForks(mine, theirs) : Ratio.ofForks(theirs, mine);
        Verdict verdict = switch (trial.kind()) {
            case BETTER -> Verdict.ofBetter(ratio, trial.threshold());
            case SAME -> Verdict.ofSame(ratio);
        };
        return new TrialFinding(trial, ratio, verdict, "");
    }

    private static String whyNotRun(Trial trial, Measured measured) {
        return measured.failure(trial.claimant())
                .or(() -> measured.failure(trial.other()))
                .map(why -> "failed: " + why)
                .orElse("not run");
    }

    private static Optional<String> obstacle(Point point, Map<String, Experiment> experiments) {
        return experiment(point, experiments).notMeasurable(point);
    }

    private static Figure figure(Trial trial, Map<String, Experiment> experiments) {
        return experiment(trial.claimant(), experiments).figures().stream()
                .filter(figure -> figure.name().equals(trial.figure()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no such figure: " + trial));
    }

    private static Experiment experiment(Point point, Map<String, Experiment> experiments) {
        Experiment experiment = experiments.get(point.experiment());
        if (experiment == null) {
            throw new IllegalArgumentException("no such experiment: " + point);
        }
        return experiment;
    }

    /** The word for the whole claim. */
    public Verdict verdict() {
        return Verdict.ofAll(trials.stream().map(TrialFinding::verdict).toList());
    }
}

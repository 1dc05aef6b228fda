package dev.buffers.bench.report;

import dev.buffers.bench.claims.Finding;
import dev.buffers.bench.claims.Finding.TrialFinding;
import dev.buffers.bench.claims.Results;
import dev.buffers.bench.figures.Ratio;
import dev.buffers.bench.figures.Verdict;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** How the figures were measured and judged, in words. */
final class Method {
    private Method() {}

    /** Its paragraphs. */
    static List<String> of(Results results) {
        return List.of(
                "Every point is measured in " + results.rounds()
                        + " forks, fewer where the table by experiment says so, each a JVM of its own with one kind of buffer; a fork's figure is the median of its iterations. The"
                        + " forks run in interleaved rounds, so that what disturbs the machine for a while disturbs all points alike.",
                "A trial compares two points. The estimate of their ratio is that of Hodges and Lehmann over all pairs of forks, the"
                        + " interval is the one that belongs to Wilcoxon's rank sum, exact whatever the distribution"
                        + confidence(results.findings()) + ".",
                "The rule: a claim holds where the interval is wholly above " + Verdict.MATTERS
                        + ", is reversed where it is wholly"
                        + " below 1/" + Verdict.MATTERS
                        + ", and there is no difference where it is wholly between; anything else is"
                        + " inconclusive. A claim that names a magnitude holds only above that, and is weaker where the interval lies"
                        + " between " + Verdict.MATTERS
                        + " and there. A claim that there is no difference holds where there is none."
                        + " A claim of several trials holds only if all of them do; where they say different things, each beyond"
                        + " doubt, it depends. What was not run or cannot be measured here has no say unless it is everything.");
    }

    private static String confidence(List<Finding> findings) {
        String all = findings.stream()
                .flatMap(finding -> finding.trials().stream())
                .map(TrialFinding::ratio)
                .filter(Objects::nonNull)
                .map(Ratio::confidence)
                .sorted()
                .map(Numbers::percent)
                .distinct()
                .collect(Collectors.joining(" or "));
        return all.isEmpty() ? "" : "; so many forks give it a confidence of " + all;
    }
}

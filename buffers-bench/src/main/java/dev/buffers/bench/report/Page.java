package dev.buffers.bench.report;

import dev.buffers.bench.claims.Depth;
import dev.buffers.bench.claims.Experiment;
import dev.buffers.bench.claims.Finding;
import dev.buffers.bench.claims.Results;
import dev.buffers.bench.figures.Environment;
import dev.buffers.bench.figures.Verdict;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * What the report says, in its order; the page and the Markdown are filled from it.
 *
 * @param counts how many claims got each verdict
 * @param quick whether it was a quick look only
 * @param standings all lanes in one table, if there are any
 * @param lanes each lane by itself
 * @param laneSections the charts of the lanes' experiments
 * @param noCharts whether this Java runtime cannot draw
 */
record Page(
        String headline,
        List<Count> counts,
        boolean quick,
        Completeness completeness,
        List<ClaimRow> claims,
        List<Section> sections,
        List<Grid> standings,
        List<Grid> lanes,
        List<Section> laneSections,
        boolean noCharts,
        Environment environment,
        String flags,
        List<String> method) {

    /** A verdict and how many claims got it. */
    record Count(String key, String words) {}

    static Page of(Results results, Artist artist) {
        List<Finding> findings = results.findings();
        Collection<Experiment> experiments = results.catalogue().experiments().values();
        List<Standings> lanes = Standings.of(results);
        List<Section> sections = sections(experiments, false, results, artist);
        List<Section> laneSections = sections(experiments, true, results, artist);
        return new Page(
                Completeness.plural(findings.size(), "claim") + " put to the test",
                counts(findings),
                results.depth() == Depth.QUICK,
                Completeness.of(results),
                findings.stream().map(ClaimRow::of).toList(),
                sections,
                lanes.isEmpty() ? List.of() : List.of(Standings.overview(lanes)),
                lanes.stream().map(Standings::grid).toList(),
                laneSections,
                artist.gaveUp(),
                results.environment(),
                String.join(" ", results.environment().flags()),
                Method.of(results));
    }

    private static List<Section> sections(
            Collection<Experiment> experiments, boolean lanes, Results results, Artist artist) {
        return experiments.stream()
                .filter(experiment -> experiment.isLane() == lanes)
                .map(experiment -> Section.of(experiment, results.measured(), artist))
                .toList();
    }

    static String headline(List<Finding> findings) {
        List<String> words = counts(findings).stream().map(Count::words).toList();
        String claims = Completeness.plural(findings.size(), "claim") + " put to the test";
        return words.isEmpty() ? claims : claims + ": " + String.join(", ", words);
    }

    private static List<Count> counts(List<Finding> findings) {
        List<Count> counts = new ArrayList<>();
        for (Verdict verdict : Verdict.values()) {
            int n = (int) findings.stream()
                    .filter(finding -> finding.verdict() == verdict)
                    .count();
            if (n > 0) {
                counts.add(new Count(verdict.name(), n + " " + words(verdict, n == 1)));
            }
        }
        return counts;
    }

    private static String words(Verdict verdict, boolean one) {
        return switch (verdict) {
            case HOLDS -> one ? "holds" : "hold";
            case WEAKER -> (one ? "is" : "are") + " weaker than claimed";
            case NO_DIFFERENCE -> (one ? "makes" : "make") + " no difference";
            case REVERSED -> (one ? "is" : "are") + " reversed";
            case INCONCLUSIVE -> (one ? "is" : "are") + " inconclusive";
            case DEPENDS -> (one ? "depends" : "depend") + " on the circumstances";
            case NOT_MEASURABLE -> "cannot be measured here";
            case NOT_RUN -> (one ? "was" : "were") + " not run";
        };
    }
}

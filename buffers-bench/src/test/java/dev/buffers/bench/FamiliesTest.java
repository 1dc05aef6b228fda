package dev.buffers.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.bench.advise.Uses;
import dev.buffers.bench.claims.Catalogue;
import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.claims.Depth;
import dev.buffers.bench.claims.Experiment;
import dev.buffers.bench.claims.JmhExperiment;
import dev.buffers.bench.claims.Point;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.VerboseMode;

/** All families together: every claim of the catalogue, every benchmark, and the time they may take. */
class FamiliesTest {
    private final Catalogue catalogue = Families.all();

    @Test
    void everyClaimIsThere() {
        Set<String> ids = catalogue.claims().stream()
                .map(Claim::id)
                .map(id -> id.split(" ")[0])
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> wanted = new TreeSet<>(List.of("B1", "B2", "C1", "C2", "C3", "D1", "D2", "D3", "E1", "E2"));
        for (int i = 1; i <= 12; i++) {
            wanted.add("A" + i);
        }
        for (int i = 1; i <= 7; i++) {
            wanted.add("F" + i);
        }
        assertEquals(wanted, ids);
    }

    @Test
    void aQuickLookTakesFiveMinutesAndAFullOneFortyFive() {
        assertTrue(minutes(Depth.QUICK) <= 5, "quick: " + minutes(Depth.QUICK));
        assertTrue(minutes(Depth.FULL) <= 45, "full: " + minutes(Depth.FULL));
    }

    @Test
    void whatIsMeasuredOfAClaimAtFullDepthDecidesIt() {
        Set<Object> full = new HashSet<>();
        catalogue.experiments().values().forEach(experiment -> full.addAll(experiment.points(Depth.FULL)));
        for (Claim claim : catalogue.claims()) {
            assertTrue(
                    claim.trials().stream()
                            .anyMatch(trial -> full.contains(trial.claimant()) && full.contains(trial.other())),
                    claim.id() + " has no trial that a full run measures");
        }
    }

    /** A benchmark of the tests, which JMH lists as well. */
    private static final String OF_A_TEST = "dev.buffers.bench.duet.PlantedLane.";

    /** What the claims and the advice do not use, nobody runs; the smoke tests run what they use. */
    @Test
    void everyBenchmarkBelongsToAnExperiment() {
        var quiet = OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT);
        Set<String> all = BenchmarkList.defaultList().getAll(quiet, List.of()).stream()
                .map(BenchmarkListEntry::getUsername)
                .filter(name -> !name.startsWith(OF_A_TEST))
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> used = Stream.concat(
                        catalogue.experiments().values().stream(), new Uses(false).experiments().stream())
                .filter(JmhExperiment.class::isInstance)
                .map(experiment -> ((JmhExperiment) experiment).benchmark())
                .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(all, used);
    }

    /** The families' tests do the work of every quick point; this does it for whatever has none. */
    @Test
    void whatAQuickLookLeavesOutWorksToo() throws Exception {
        int worked = 0;
        for (Experiment experiment : catalogue.experiments().values()) {
            Optional<Point> point = experiment.points(Depth.ALL).stream()
                    .filter(any -> experiment.notMeasurable(any).isEmpty())
                    .sorted()
                    .findFirst();
            if (experiment.points(Depth.QUICK).isEmpty() && point.isPresent()) {
                experiment.smoke(point.get());
                worked++;
            }
        }
        assertTrue(worked >= 4, "worked: " + worked);
    }

    private double minutes(Depth depth) {
        double seconds = 0;
        for (Experiment experiment : catalogue.experiments().values()) {
            seconds += experiment.points(depth).stream()
                            .mapToDouble(experiment::seconds)
                            .sum()
                    * Math.min(depth.rounds(), experiment.mostForks());
        }
        return seconds / 60;
    }
}

package dev.buffers.bench.run;

import dev.buffers.bench.claims.Campaign;
import dev.buffers.bench.claims.Catalogue;
import dev.buffers.bench.claims.Depth;
import dev.buffers.bench.claims.Interruption;
import dev.buffers.bench.claims.Journal;
import dev.buffers.bench.claims.Point;
import dev.buffers.bench.claims.Results;
import dev.buffers.bench.figures.Environment;
import dev.buffers.bench.figures.Progress;
import dev.buffers.bench.report.ClaimsReport;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

/** What the commands that measure have in common: how deep, where the report goes, and what an interruption leaves behind. */
final class Measuring {
    private static final String DEFAULT_REPORT = "buffers-bench/target/";

    @ArgGroup
    private @Nullable Wanted wanted;

    @Option(
            names = "--report",
            paramLabel = "FOLDER",
            description = "where the report goes (default: buffers-bench/target/claims or lanes)")
    private @Nullable Path folder;

    @Option(
            names = "--resume",
            description =
                    "take up the run that was interrupted: what its journal in the report's folder holds is not measured again")
    private boolean resume;

    @Option(names = "--plan", description = "say what would be measured and how long it would take, and end")
    private boolean planOnly;

    @Option(
            names = "--forks",
            paramLabel = "N",
            description =
                    "how many forks each point gets (default: 3 with --quick, else 5); few experiments need fewer")
    private int forks;

    @Option(names = "--json", description = "print the results as JSON; everything else goes to the error stream")
    private boolean json;

    /** One of the three. */
    static final class Wanted {
        @Option(names = "--quick", description = "a first look, about 5 minutes, 3 forks (the default)")
        private boolean quick;

        @Option(names = "--full", description = "the ends and the sizes around cliffs, at most 45 minutes, 5 forks")
        private boolean full;

        @Option(names = "--all", description = "all sizes in fine steps; hours")
        private boolean all;

        Depth depth() {
            if (all) {
                return Depth.ALL;
            }
            return full && !quick ? Depth.FULL : Depth.QUICK;
        }
    }

    Depth depth() {
        return wanted == null ? Depth.QUICK : wanted.depth();
    }

    private int rounds() {
        return forks == 0 ? depth().rounds() : forks;
    }

    /**
     * Measures, tells, and returns the status to exit with: 0, or 1 when something failed.
     *
     * @param name of the run, a word
     * @param lines what to print of the results
     */
    int execute(String name, Catalogue catalogue, Collection<Point> wantedPoints, Function<Results, List<String>> lines)
            throws IOException, InterruptedException {
        PrintStream log = json ? System.err : System.out;
        if (forks < 0) {
            log.println(
                    "not a number of forks: --forks=" + forks + "; accepted: 1 or more, or 0 for what the depth says");
            return ExitCode.USAGE;
        }
        List<Point> points = wantedPoints.stream()
                .filter(point ->
                        catalogue.experiment(point).notMeasurable(point).isEmpty())
                .toList();
        Environment here = Environment.here(ManagementFactory.getRuntimeMXBean().getInputArguments());
        Path report = folder == null ? Path.of(DEFAULT_REPORT + name) : folder;
        Path file = report.resolve("journal.jsonl");
        Journal journal = resume ? Journal.resume(file, here) : planOnly ? Journal.none() : Journal.begin(file, here);
        Campaign campaign = new Campaign(catalogue.experiments(), points, rounds(), journal);
        plan(log, points, wantedPoints.size() - points.size(), campaign.seconds(), catalogue);
        if (planOnly) {
            return 0;
        }
        Interruption interruption = Interruption.stops(campaign);
        campaign.run(new Progress(log, campaign.seconds()));
        Results results = new Results(here, depth(), rounds(), catalogue, wantedPoints, journal.measured());
        tell(results, report, lines, log);
        interruption.answered();
        return results.measured().failures().isEmpty() ? 0 : 1;
    }

    private void plan(PrintStream log, List<Point> points, int notMeasurable, double seconds, Catalogue catalogue) {
        Map<String, Integer> counts = new TreeMap<>();
        Map<String, Double> times = new TreeMap<>();
        for (Point point : points) {
            counts.merge(point.experiment(), 1, Integer::sum);
            times.merge(
                    point.experiment(),
                    Math.min(rounds(), catalogue.experiment(point).mostForks())
                            * catalogue.experiment(point).seconds(point),
                    Double::sum);
        }
        log.printf(
                "plan (%s): %d points in %d experiments, %d forks each, about %s minutes%s%n",
                depth(),
                points.size(),
                counts.size(),
                rounds(),
                Progress.time(seconds),
                notMeasurable == 0 ? "" : "; " + notMeasurable + " points cannot be measured on this Java");
        counts.forEach((id, count) -> log.printf(
                "  %-18s %3d points %6s  %s%n",
                id,
                count,
                Progress.time(times.getOrDefault(id, 0.0)),
                catalogue.experiment(id).question()));
    }

    private void tell(Results results, Path report, Function<Results, List<String>> lines, PrintStream log)
            throws IOException {
        Path page = ClaimsReport.write(results, report);
        log.println();
        lines.apply(results).forEach(log::println);
        results.measured().failures().forEach((point, why) -> log.println("failed: " + point + ": " + why));
        if (results.forks() < results.plannedForks()) {
            log.printf(
                    "%d of %d planned forks were measured; --resume goes on.%n",
                    results.forks(), results.plannedForks());
        }
        if (results.depth() == Depth.QUICK) {
            log.println("This was a quick look: few forks of a few points. What counts is --full.");
        }
        log.println("Report: " + page);
        if (json) {
            String text = Files.readString(report.resolve("results.json"), StandardCharsets.UTF_8);
            System.out.println(text);
        }
    }
}

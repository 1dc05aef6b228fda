package dev.buffers.bench.run;

import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.duet.Journal;
import dev.buffers.bench.duet.Match;
import dev.buffers.bench.report.Report;
import dev.buffers.bench.report.Results;
import dev.buffers.bench.report.Table;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What {@code claims} and {@code lanes} have in common: how much is played, where the report goes, and what an interruption leaves. */
final class Measuring {
    private static final String DEFAULT_REPORT = "buffers-bench/target/";
    private static final long ALL_MINUTES = Duration.ofDays(2).toMinutes();
    private static final int USUAL_PAIRS = 7;

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec spec;

    @ArgGroup
    private @Nullable Wanted wanted;

    @Option(
            names = "--minutes",
            paramLabel = "N",
            description = "begin no round after so many (default: 45, with --all two days)")
    private long minutes;

    @Option(
            names = "--report",
            paramLabel = "FOLDER",
            description = "where the report goes (default: buffers-bench/target/claims or lanes)")
    private @Nullable Path folder;

    @Option(names = "--resume", description = "go on with the run whose journal is in the report's folder")
    private boolean resume;

    @Option(
            names = "--from",
            paramLabel = "FILE",
            description = "measure nothing: make the report again from this journal")
    private @Nullable Path from;

    @Option(names = "--plan", description = "say what would be played and how long it would take, and end")
    private boolean planOnly;

    @Option(names = "--busy", description = "count what others disturbed; what comes out proves nothing")
    private boolean busy;

    @Option(names = "--json", description = "print the results as JSON; everything else goes to the error stream")
    private boolean json;

    /** One of the three. */
    static final class Wanted {
        @Option(names = "--quick", description = "a smoke run: one pair of hardly any time, which proves nothing")
        private boolean quick;

        @Option(names = "--full", description = "the cells that decide each row (the default)")
        private boolean full;

        @Option(names = "--all", description = "every size and every rival too; hours")
        private boolean all;
    }

    /**
     * Measures, tells, and returns the status to exit with: 0, or 1 when something failed.
     *
     * @param name of the run, a word
     */
    int execute(String name, String title, List<Claim> claims) throws IOException, InterruptedException {
        PrintStream log = json ? System.err : System.out;
        boolean quick = wanted != null && wanted.quick;
        boolean all = wanted != null && wanted.all && !wanted.full;
        Path report = folder == null ? Path.of(DEFAULT_REPORT + name) : folder;
        if (from != null) {
            try (Journal journal = Journal.read(from)) {
                checkJava(journal);
                return tell(new Results(title, "", journal, claims), report, log);
            }
        }
        plan(log, Claim.matches(claims, all));
        if (planOnly) {
            return ExitCode.OK;
        }
        long limit = minutes > 0
                ? minutes
                : all ? ALL_MINUTES : Duration.ofMinutes(45).toMinutes();
        Run run = Run.of(Duration.ofMinutes(limit), quick);
        Run chosen = new Run(run.limit(), run.pairs(), run.controls(), busy || quick, quick, resume);
        return chosen.play(claims, all, report.resolve("journal.jsonl"), log::println, (journal, stopped) -> {
            log.println();
            if (stopped) {
                log.println("It was ended early: this is what is known so far; --resume goes on with it.");
            }
            if (quick) {
                log.println("This was a smoke run, too short for its figures to mean anything.");
            }
            return tell(new Results(title, "", journal, claims), report, log);
        });
    }

    /** Which rows there are depends on the Java version. */
    private void checkJava(Journal journal) {
        int its = journal.header().where().feature();
        int here = Runtime.version().feature();
        if (its != 0 && its != here) {
            throw new ParameterException(
                    Objects.requireNonNull(spec).commandLine(),
                    "--from=" + from + ": measured on Java " + its + ", so its report is made on Java " + its
                            + ", and this is Java " + here);
        }
    }

    private static void plan(PrintStream log, List<Match> matches) {
        double seconds = matches.stream().mapToDouble(Match::roundSeconds).sum();
        log.printf(
                "plan: %d trials in %d matches; about %.0f minutes for 5 pairs of each, %.0f for %d%n",
                matches.stream().mapToInt(match -> match.trials().size()).sum(),
                matches.size(),
                5 * seconds / 60,
                USUAL_PAIRS * seconds / 60,
                USUAL_PAIRS);
        matches.forEach(match -> log.printf(
                "  %-45s %3d trials %6.0f s a pair%n",
                match.name(), match.trials().size(), match.roundSeconds()));
    }

    private int tell(Results results, Path report, PrintStream log) throws IOException {
        Path page = Report.write(results, report);
        Table.lines(results).forEach(log::println);
        log.println("Report: " + page);
        log.flush();
        if (json) {
            System.out.println(Report.json(results));
        }
        return results.journal().failures().isEmpty() ? ExitCode.OK : ExitCode.SOFTWARE;
    }
}

package dev.buffers.bench.run;

import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.duet.Journal;
import dev.buffers.bench.duet.Match;
import dev.buffers.bench.report.Results;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What {@code claims} and {@code lanes} have in common: many rows, of which a part is played, in more than one run if need be. */
abstract class Campaign extends Measuring {
    private static final long USUAL_MINUTES = 45;
    private static final long ALL_MINUTES = Duration.ofDays(2).toMinutes();
    private static final int USUAL_PAIRS = 7;

    @Parameters(
            arity = "0..*",
            paramLabel = "ID",
            description = "rows (A1, C3) or whole families (A, F); all when none is named")
    private List<String> ids = List.of();

    @Option(names = "--list", description = "list the rows and end")
    private boolean list;

    @Option(names = "--full", description = "the cells that decide each row (the default)")
    private boolean full;

    @Option(names = "--all", description = "every size and every rival too; hours")
    private boolean all;

    @Option(
            names = "--minutes",
            paramLabel = "N",
            description = "begin no round after so many (default: 45, with --all two days)")
    private long minutes;

    @Option(names = "--resume", description = "go on with the run whose journal is in the report's folder")
    private boolean resume;

    @Option(
            names = "--from",
            paramLabel = "FILE",
            description = "measure nothing: make the report again from this journal")
    private @Nullable Path from;

    @Option(names = "--plan", description = "say what would be played and how long it would take, and end")
    private boolean planOnly;

    final int execute(String title, List<Claim> rows) throws IOException, InterruptedException {
        List<Claim> claims = wanted(rows);
        if (list) {
            claims.forEach(claim -> System.out.printf(
                    "%-4s %d  %s%n", claim.id(), claim.source().year(), claim.statement()));
            return ExitCode.OK;
        }
        check(Stream.of(quick, full, all).filter(depth -> depth).count() <= 1, "only one of --quick, --full, --all");
        if (from != null) {
            try (Journal journal = Journal.read(from)) {
                checkJava(journal.header().where().feature());
                return tell(Results.of(title, "", journal, claims), false);
            }
        }
        List<Match> matches = Claim.matches(claims, all);
        plan(matches, planOnly ? System.out : System.err);
        if (planOnly) {
            return ExitCode.OK;
        }
        Duration limit = Duration.ofMinutes(minutes > 0 ? minutes : all ? ALL_MINUTES : USUAL_MINUTES);
        return run(limit, Run.MOST_PAIRS, 1, resume)
                .play(
                        matches,
                        claims.stream().map(claim -> claim.trials(all)).toList(),
                        journal(),
                        null,
                        System.err::println,
                        (journal, stopped) -> tell(Results.of(title, "", journal, claims), stopped));
    }

    private List<Claim> wanted(List<Claim> rows) {
        if (ids.isEmpty()) {
            return rows;
        }
        Set<Claim> wanted = new LinkedHashSet<>();
        for (String id : ids) {
            List<Claim> named = rows.stream()
                    .filter(claim -> isNamed(claim, id.toUpperCase(Locale.ROOT)))
                    .toList();
            String known = rows.stream().map(Claim::id).collect(Collectors.joining(", "));
            check(!named.isEmpty(), "no such row: " + id + "; there are " + known);
            wanted.addAll(named);
        }
        return List.copyOf(wanted);
    }

    /** By its id, by the number that it shares with others (F5), or by its family's letter. */
    private static boolean isNamed(Claim claim, String upper) {
        String id = claim.id().toUpperCase(Locale.ROOT);
        return id.equals(upper) || id.startsWith(upper + " ") || id.startsWith(upper) && upper.length() == 1;
    }

    /** Which rows there are depends on the Java version. */
    private void checkJava(int its) {
        check(
                its == Runtime.version().feature(),
                "--from=" + from + ": measured on Java " + its + ", so its report is made on Java " + its
                        + ", and this is Java " + Runtime.version().feature());
    }

    private static void plan(List<Match> matches, PrintStream to) {
        double seconds = matches.stream().mapToDouble(Match::roundSeconds).sum();
        to.printf(
                "plan: %d trials in %d matches; about %.0f minutes for 5 pairs of each, %.0f for %d%n",
                matches.stream().mapToInt(match -> match.trials().size()).sum(),
                matches.size(),
                5 * seconds / 60,
                USUAL_PAIRS * seconds / 60,
                USUAL_PAIRS);
        matches.forEach(match -> to.printf(
                "  %-45s %3d trials %6.0f s a pair%n",
                match.name(), match.trials().size(), match.roundSeconds()));
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.run;

import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.harness.Comparison;
import dev.buffers.bench.harness.Journal;
import dev.buffers.bench.harness.Trial;
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

/** What {@code claims} and {@code pools} have in common: many claims, of which a part is measured, in more than one run if need be. */
abstract class Campaign extends Measuring {
    private static final long USUAL_MINUTES = 45;
    private static final long ALL_MINUTES = Duration.ofDays(2).toMinutes();
    private static final int USUAL_PAIRS = 7;

    @Parameters(
            arity = "0..*",
            paramLabel = "ID",
            description = "claims (A1, C3) or whole families (A, F); all when none is named")
    private List<String> ids = List.of();

    @Option(names = "--list", description = "list the claims and end")
    private boolean list;

    @Option(names = "--full", description = "the cells that decide each claim (the default)")
    private boolean full;

    @Option(names = "--all", description = "every size and every rival too; hours")
    private boolean all;

    @Option(
            names = "--only",
            paramLabel = "TEXT",
            description = "only the comparisons whose name in --plan has this text; may be repeated")
    private List<String> only = List.of();

    @Option(
            names = "--minutes",
            paramLabel = "N",
            description = "begin no round after so many (default: 45, with --all two days)")
    private long minutes;

    @Option(
            names = "--busy",
            description = "count the pairs that others disturbed too, with a wider interval; with --from too")
    private boolean busy;

    @Option(names = "--resume", description = "go on with the run whose journal is in the report's folder")
    private boolean resume;

    @Option(
            names = "--from",
            paramLabel = "FILE",
            description = "measure nothing: make the report again from this journal; only ID, --busy, --json,"
                    + " --report, and --rivals of pools, go with it")
    private @Nullable Path from;

    @Option(names = "--plan", description = "say what would be measured and how long it would take, and end")
    private boolean planOnly;

    /** The options of connections that wait. */
    WaitingOptions waits() {
        return WaitingOptions.NONE;
    }

    final int execute(String title, List<Claim> known) throws IOException, InterruptedException {
        List<Claim> claims = wanted(known);
        waits().problem(ids).ifPresent(problem -> {
            throw refusal(problem);
        });
        if (from != null) {
            checkFrom();
            try (Journal journal = Journal.read(from, busy)) {
                checkJava(journal.header().where().feature());
                return tell(Results.of(title, journal, claims), false);
            }
        }
        if (list) {
            claims.forEach(claim -> System.out.printf(
                    "%-4s %d  %s%n", claim.id(), claim.source().year(), claim.statement()));
            return ExitCode.OK;
        }
        check(Stream.of(quick, full, all).filter(depth -> depth).count() <= 1, "only one of --quick, --full, --all");
        boolean wide = all || waits().areAsked();
        List<Comparison> comparisons = Claim.comparisons(claims, wide).stream()
                .flatMap(waits()::narrowed)
                .filter(comparison -> only.isEmpty() || only.stream().anyMatch(comparison.name()::contains))
                .toList();
        check(!comparisons.isEmpty(), "no such comparison: --only=" + String.join(",", only) + "; --plan names them");
        plan(comparisons, planOnly ? System.out : System.err);
        if (waits().areAsked()) {
            waits().obstacles().forEach(why -> (planOnly ? System.out : System.err).println("  not available: " + why));
        }
        if (planOnly) {
            return ExitCode.OK;
        }
        Set<Trial> measured = comparisons.stream()
                .flatMap(comparison -> comparison.trials().stream())
                .collect(Collectors.toSet());
        Duration limit = Duration.ofMinutes(minutes > 0 ? minutes : wide ? ALL_MINUTES : USUAL_MINUTES);
        return run(limit, waits().runs(), 1, busy || waits().areAsked(), resume)
                .run(
                        comparisons,
                        claims.stream()
                                .map(claim -> claim.trials(wide).stream()
                                        .filter(measured::contains)
                                        .toList())
                                .toList(),
                        journal(),
                        null,
                        journal -> "",
                        (journal, stopped) -> tell(Results.of(title, journal, claims), stopped));
    }

    private List<Claim> wanted(List<Claim> known) {
        if (ids.isEmpty()) {
            return known;
        }
        Set<Claim> wanted = new LinkedHashSet<>();
        for (String id : ids) {
            List<Claim> named = known.stream()
                    .filter(claim -> isNamed(claim, id.toUpperCase(Locale.ROOT)))
                    .toList();
            String names = known.stream().map(Claim::id).collect(Collectors.joining(", "));
            check(!named.isEmpty(), "no such claim: " + id + "; there are " + names);
            wanted.addAll(named);
        }
        return List.copyOf(wanted);
    }

    /** By its id, by the number that it shares with others (F5), by its family's letter, or by a former id. */
    private static boolean isNamed(Claim claim, String asked) {
        String upper = asked.replaceFirst("^(LANE|MEMORY) ", "").replace(" BARS", " TARGETS");
        String id = claim.id().toUpperCase(Locale.ROOT);
        return id.equals(upper) || id.startsWith(upper + " ") || id.startsWith(upper) && upper.length() == 1;
    }

    /** Which claims there are depends on the Java version. */
    private void checkJava(int its) {
        check(
                its == Runtime.version().feature(),
                "--from=" + from + ": measured on Java " + its + ", so its report is made on Java " + its
                        + ", and this is Java " + Runtime.version().feature());
    }

    private static void plan(List<Comparison> comparisons, PrintStream to) {
        double seconds =
                comparisons.stream().mapToDouble(Comparison::roundSeconds).sum();
        to.printf(
                "plan: %d trials in %d comparisons; about %.0f minutes for 5 pairs of each, %.0f for %d%n",
                comparisons.stream()
                        .mapToInt(comparison -> comparison.trials().size())
                        .sum(),
                comparisons.size(),
                5 * seconds / 60,
                USUAL_PAIRS * seconds / 60,
                USUAL_PAIRS);
        comparisons.forEach(comparison -> to.printf(
                "  %-45s %3d trials %6.0f s a pair%n",
                comparison.name(), comparison.trials().size(), comparison.roundSeconds()));
    }
}

package dev.buffers.bench.show;

import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.duet.Cell;
import dev.buffers.bench.duet.Journal;
import dev.buffers.bench.duet.Looks;
import dev.buffers.bench.duet.Match;
import dev.buffers.bench.duet.Question;
import dev.buffers.bench.duet.Trial;
import dev.buffers.bench.duet.Variant;
import dev.buffers.bench.load.HttpLoad;
import dev.buffers.bench.metrics.MetricsPort;
import dev.buffers.bench.report.Report;
import dev.buffers.bench.report.Results;
import dev.buffers.bench.report.Table;
import dev.buffers.bench.run.Run;
import dev.buffers.bench.run.Version;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The main job: finds out which policy serves this machine best, and says so. */
@Command(
        name = "show",
        description = {
            "Compares web servers under each policy, and without a pool, by the CPU time of a request, and recommends a policy.",
            "Each option can be a system property too: -Dshow.seconds=60 is --seconds=60. Close everything else meanwhile. Ctrl-C ends"
                    + " it and tells what is known so far."
        },
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        defaultValueProvider = ShowCommand.Properties.class)
public final class ShowCommand implements Callable<Integer> {
    /** What a round costs for each server beside its turns: starting it, and running it warm. */
    private static final double SECONDS_A_SERVER = 4;

    private static final double TURN_SECONDS = 0.09;

    /** JVMs differ more than turns do: so as many rounds as leave time for these quads in each. */
    private static final int LEAST_QUADS = 5;

    /** How much longer it may take where servers start slowly. */
    private static final double LENIENCY = 1.15;

    private final PrintStream out = System.out;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = "--root",
            paramLabel = "FOLDER",
            description = "what to serve (default: files that are made for that)")
    private @Nullable Path root;

    @Option(names = "--seconds", paramLabel = "N", description = "about how long it takes (default: ${DEFAULT-VALUE})")
    private int seconds = 180;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description =
                    "how often servers are started at most; from 5 on they can decide (default: ${DEFAULT-VALUE})")
    private int rounds = Run.PAIRS.most();

    @Option(
            names = "--rivals",
            description = "direct buffers without a pool, and the policy unpooled too; takes longer")
    private boolean rivals;

    @Option(names = "--quick", description = "a smoke run, whose figures mean nothing")
    private boolean quick;

    @Option(names = "--busy", description = "count what others disturbed; what comes out proves nothing")
    private boolean busy;

    @Option(
            names = "--report",
            paramLabel = "FOLDER",
            description = "where the report goes (default: ${DEFAULT-VALUE})")
    private Path report = Path.of("buffers-bench/target/show");

    @Option(
            names = MetricsPort.OPTION,
            arity = "0..1",
            paramLabel = "PORT",
            fallbackValue = "0",
            converter = MetricsPort.Converter.class,
            description =
                    "let a Prometheus server look on: each policy's server shows the meters of its pool and its JVM at"
                            + " /metrics on a loopback port of its own while it runs; PORT is the first one's, the others take the next"
                            + " ones; 0, or no PORT, is any free one for each; the addresses are printed")
    private @Nullable MetricsPort metrics;

    /** The system properties {@code show.*}; one without a value is not given. */
    static final class Properties implements IDefaultValueProvider {
        @Override
        public @Nullable String defaultValue(ArgSpec argument) {
            if (!(argument instanceof OptionSpec option)) {
                return null;
            }
            String value = System.getProperty("show." + option.longestName().substring(2), "")
                    .strip();
            return value.isEmpty() ? null : value;
        }
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        check(seconds >= 1, "--seconds=" + seconds + "; accepted: 1 or more");
        check(rounds >= 1, "--rounds=" + rounds + "; accepted: 1 or more");
        Claim row = row();
        Match match = row.matches().get(0);
        out.printf(
                "%d servers take turns, about %d seconds%n",
                1 + match.challengers().size(), quick ? 15 : seconds);
        Run usual = Run.of(Duration.ofMillis(Math.round(1000 * LENIENCY * seconds)), quick);
        Run run = new Run(
                usual.limit(),
                quick ? usual.pairs() : new Journal.Range(Looks.FIRST, rounds),
                0,
                busy || quick,
                quick,
                false);
        return run.play(List.of(match), report.resolve("journal.jsonl"), root, out::println, (journal, stopped) -> {
            Results results = new Results(
                    "Buffers: which policy", new Recommendation(journal, match).sentence(), journal, List.of(row));
            Path page = Report.write(results, report);
            out.println();
            Table.lines(results).forEach(out::println);
            if (stopped) {
                out.println("It was ended early: this is what is known so far.");
            }
            if (quick) {
                out.println("This was a smoke run, too short for its figures to mean anything.");
            }
            out.println("Report: " + page);
            return journal.failures().isEmpty() ? ExitCode.OK : ExitCode.SOFTWARE;
        });
    }

    private Claim row() {
        Variant base = policy(Recommendation.DEFAULT, 0);
        List<Variant> challengers = new ArrayList<>();
        for (String policy : List.of("heap", "direct", "heap-view")) {
            challengers.add(policy(policy, challengers.size() + 1));
        }
        challengers.add(rival("fresh-heap"));
        if (rivals) {
            challengers.add(policy("unpooled", challengers.size() + 1));
            challengers.add(rival("fresh-direct"));
        }
        Cell cell = new Cell("requests over 64 connections", HttpLoad.STAYING, Map.of());
        int sides = 1 + challengers.size();
        double quadSeconds = 2 * TURN_SECONDS * sides;
        double least = SECONDS_A_SERVER * sides + LEAST_QUADS * quadSeconds;
        int possible = Math.min(rounds, (int) (seconds / least));
        if (possible < Looks.FIRST && !quick) {
            out.printf(
                    "Servers can be started %d times, and %d times are needed to decide anything: about %.0f seconds.%n",
                    possible, Looks.FIRST, Math.ceil(Looks.FIRST * least));
        }
        double roundSeconds = (double) seconds / Math.max(Looks.FIRST, Looks.last(possible));
        int quads = (int) Math.max(2, (roundSeconds - SECONDS_A_SERVER * sides) / quadSeconds);
        Match.Pace usual = Match.Pace.SERVER;
        Match match = new Match(
                "servers",
                Match.Engine.HTTP,
                new Match.Pace(quads, usual.sliceMillis(), usual.warmMillis(), usual.quietMillis()),
                List.of(),
                base,
                challengers,
                List.of(cell),
                challengers.stream()
                        .map(challenger -> new Trial(
                                challenger.name(),
                                "",
                                cell.name(),
                                challenger.name(),
                                Trial.CPU,
                                1,
                                Question.either(1)))
                        .toList());
        return new Claim(
                "show",
                new Claim.Source(2026, "this machine", "a web server, files of " + (root == null ? "the bench" : root)),
                "Which policy of the pool takes the least CPU time of the server for a request?",
                "",
                "",
                "",
                List.of(match),
                Set.of());
    }

    private Variant policy(String policy, int further) {
        Map<String, String> parameters = new LinkedHashMap<>(Map.of("policy", policy));
        if (metrics != null) {
            parameters.put("metrics", String.valueOf(metrics.plus(further).number()));
        }
        return new Variant(policy, List.of(), List.of(), parameters);
    }

    private static Variant rival(String lane) {
        return new Variant(lane, List.of(), List.of(), Map.of("lane", lane));
    }

    private void check(boolean right, String problem) {
        if (!right) {
            throw new ParameterException(spec.commandLine(), problem);
        }
    }
}

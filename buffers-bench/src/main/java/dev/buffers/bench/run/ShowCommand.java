package dev.buffers.bench.run;

import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.duet.Cell;
import dev.buffers.bench.duet.Looks;
import dev.buffers.bench.duet.Match;
import dev.buffers.bench.duet.Question;
import dev.buffers.bench.duet.Variant;
import dev.buffers.bench.load.HttpLoad;
import dev.buffers.bench.metrics.MetricsPort;
import dev.buffers.bench.report.Results;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/** The main job: finds out which policy serves this machine best, and says so. */
@Command(
        name = "show",
        description = {
            "Compares web servers under each policy, and without a pool, by the CPU time of a request, and recommends a policy.",
            "Each option can be a system property too: -Dshow.seconds=60 is --seconds=60. Close everything else meanwhile. Ctrl-C ends"
                    + " it and tells what is known so far."
        },
        defaultValueProvider = ShowCommand.Properties.class)
public final class ShowCommand extends Measuring {
    /** JVMs differ more than turns do: so as many rounds as there is time for, with these quads in each. */
    private static final int QUADS = 5;

    /** How much longer it may take where servers start slowly. */
    private static final double LENIENCY = 1.15;

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
    private int rounds = Run.MOST_PAIRS;

    @Option(
            names = "--rivals",
            description = "direct buffers without a pool, and the policy unpooled too; takes longer")
    private boolean rivals;

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
        Match match = match();
        int possible = Math.min(rounds, (int) (seconds / match.roundSeconds()));
        if (possible < Looks.FIRST && !quick) {
            System.err.printf(
                    "Servers can be started %d times, and %d times are needed to decide anything: about %.0f seconds.%n",
                    possible, Looks.FIRST, Looks.FIRST * match.roundSeconds());
        }
        Claim.Source source =
                new Claim.Source(2026, "this machine", "a web server, files of " + (root == null ? "the bench" : root));
        Claim row = Claim.question(
                "show",
                source,
                "Which policy of the pool takes the least CPU time of the server for a request?",
                match);
        System.err.printf(
                "%d servers take turns, about %d seconds%n",
                1 + match.challengers().size(), quick ? 15 : seconds);
        return run(Duration.ofMillis(Math.round(1000 * LENIENCY * seconds)), rounds, 0, false)
                .play(List.of(match), journal(), root, System.err::println, (journal, stopped) -> {
                    String answer = new Recommendation(journal, match).sentence();
                    return tell(Results.of("Buffers: which policy", answer, journal, List.of(row)), stopped);
                });
    }

    private Match match() {
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
        Match.Pace pace = Match.Pace.SERVER.turns(QUADS, Match.Pace.SERVER.sliceMillis());
        return Match.of("servers", Match.Engine.HTTP, pace, base, challengers, cell, Question.of("either 1"));
    }

    private Variant policy(String policy, int further) {
        Map<String, String> parameters = new LinkedHashMap<>(Map.of("policy", policy));
        if (metrics != null) {
            parameters.put("metrics", String.valueOf(metrics.plus(further).number()));
        }
        return new Variant(policy, parameters);
    }

    private static Variant rival(String lane) {
        return new Variant(lane, Map.of("lane", lane));
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.run;

import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.harness.Cell;
import dev.buffers.bench.harness.Comparison;
import dev.buffers.bench.harness.Question;
import dev.buffers.bench.harness.Variant;
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
            "Each option can be a system property too: -Dshow.seconds=60 is --seconds=60. Close everything else before. Ctrl-C ends"
                    + " it, and the report has the results so far."
        },
        defaultValueProvider = ShowCommand.Properties.class)
public final class ShowCommand extends Measuring {
    /** JVMs differ more than turns do: as many rounds as there is time for, with these quads in each. */
    private static final int QUADS = 12;

    private static final int QUICK_SECONDS = 15;

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
                    "how often servers are started at most; 5 times are enough to decide (default: ${DEFAULT-VALUE})")
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
                            + " /metrics on a separate loopback port while it runs; PORT is the first one's, the others take the next"
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
        Comparison comparison = comparison();
        Claim.Source source =
                new Claim.Source(2026, "this machine", "a web server, files of " + (root == null ? "the bench" : root));
        Claim question = Claim.question(
                "show", source, "Which policy takes the least CPU time of the server for a request?", comparison);
        System.err.printf(
                "%d web servers take turns for about %d seconds, first figures after about %.0f.%n",
                1 + comparison.alternatives().size(),
                quick ? QUICK_SECONDS : seconds,
                quick ? QUICK_SECONDS : comparison.roundSeconds());
        return run(Duration.ofSeconds(quick ? QUICK_SECONDS : seconds), rounds, 0, true, false)
                .run(
                        List.of(comparison),
                        List.of(),
                        journal(),
                        root,
                        journal -> new Recommendation(journal, comparison).sentence(),
                        (journal, stopped) -> {
                            Recommendation found = new Recommendation(journal, comparison);
                            return tell(
                                    Results.of(
                                            "Buffers: the policy for this machine",
                                            found.headline(),
                                            found.settings(),
                                            journal,
                                            List.of(question)),
                                    stopped);
                        });
    }

    private Comparison comparison() {
        Variant base = policy(Recommendation.DEFAULT, 0);
        List<Variant> alternatives = new ArrayList<>();
        for (String policy : List.of("heap", "direct", "heap-view")) {
            alternatives.add(policy(policy, alternatives.size() + 1));
        }
        alternatives.add(rival("no pool", "fresh-heap"));
        if (rivals) {
            alternatives.add(policy("unpooled", alternatives.size() + 1));
            alternatives.add(rival("no pool, direct", "fresh-direct"));
        }
        Cell cell = new Cell("requests over 64 connections", HttpLoad.STAYING, Map.of());
        Comparison.Pace pace = Comparison.Pace.SERVER.turns(QUADS, Comparison.Pace.SERVER.sliceMillis());
        return Comparison.of(
                "servers", Comparison.Engine.HTTP, pace, base, alternatives, cell, Question.of("either 1"));
    }

    private Variant policy(String policy, int further) {
        Map<String, String> parameters = new LinkedHashMap<>(Map.of("policy", policy));
        if (metrics != null) {
            parameters.put("metrics", String.valueOf(metrics.plus(further).number()));
        }
        return new Variant(policy, parameters);
    }

    private static Variant rival(String name, String source) {
        return new Variant(name, Map.of("source", source));
    }
}

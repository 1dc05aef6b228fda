// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.run;

import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.harness.Cell;
import dev.buffers.bench.harness.Comparison;
import dev.buffers.bench.harness.Environment;
import dev.buffers.bench.harness.InterimAnalyses;
import dev.buffers.bench.harness.Journal;
import dev.buffers.bench.harness.Question;
import dev.buffers.bench.harness.Score;
import dev.buffers.bench.harness.Trial;
import dev.buffers.bench.harness.Variant;
import dev.buffers.bench.report.Results;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures each policy in four uses for two minutes, and says what to set. */
@Command(
        name = "advise",
        description = {
            "Measures each policy in four uses, for about two minutes, and says what to set on this machine.",
            "Ctrl-C ends it, and the report has the results so far. The progress goes to the standard error."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:the advice was given",
            "1:it failed",
            "2:the options are wrong, or a file would be overwritten"
        })
public final class AdviseCommand extends Measuring {
    private static final String FILE_NAME = "buffers.properties";
    private static final Comparison.Pace PACE = new Comparison.Pace(8, 20, 1500, 300);
    private static final Duration TIME = Duration.ofMinutes(2);

    /** A method that is due to be compiled waits for that, so that JVMs are alike sooner. */
    private static final List<String> JVM = List.of("-Xbatch");

    @Option(
            names = "--write",
            paramLabel = "FILE",
            description =
                    "write the settings to this file, if the measurement succeeded on a quiet machine; the library reads it if"
                            + " it is called " + FILE_NAME + " and is at the root of the class path")
    private @Nullable Path file;

    @Option(names = "--force", description = "with --write: even if there is such a file")
    private boolean force;

    /** The uses: a benchmark each, with its parameters but the policy. */
    private static final List<Use> USES = List.of(
            new Use(
                    "socket",
                    "a message over loopback",
                    "KeepBenchmark.exchange",
                    Map.of("strategy", "acquire", "size", "8192")),
            new Use(
                    "codec",
                    "small records, written element by element",
                    "RecordBenchmark.records",
                    Map.of("by", "plain", "op", "write", "shape", "inlined")),
            new Use("hand-off", "a buffer that another thread releases", "HandOffBenchmark.handOff", Map.of()),
            new Use("file-transfer", "a file of 37 MB, copied", "CopyBenchmark.copy", Map.of("buffer", "65536")));

    private record Use(String name, String what, String benchmark, Map<String, String> parameters) {}

    /** All uses, one after another in the same JVMs. */
    static Comparison comparison() {
        Question question = Question.of("either 1");
        List<Variant> alternatives = Stream.of("heap", "direct", "heap-view")
                .map(AdviseCommand::side)
                .toList();
        List<Cell> cells = new ArrayList<>();
        List<Trial> trials = new ArrayList<>();
        for (Use use : USES) {
            cells.add(new Cell(use.name(), use.benchmark(), use.parameters()));
            alternatives.forEach(side -> trials.add(Trial.of(use.name(), side.name(), question)));
        }
        return new Comparison(
                "uses", Comparison.Engine.JMH, PACE, JVM, side(Recommendation.DEFAULT), alternatives, cells, trials);
    }

    /** A question for each use. */
    static List<Claim> questions(Comparison comparison) {
        Claim.Source source = new Claim.Source(2026, "this machine", "each policy against the default");
        return USES.stream()
                .map(use -> {
                    List<Trial> trials = comparison.trials().stream()
                            .filter(trial -> trial.cell().equals(use.name()))
                            .toList();
                    List<Cell> cells = comparison.cells().stream()
                            .filter(cell -> cell.name().equals(use.name()))
                            .toList();
                    String asked = "Which policy takes the least CPU time for " + use.what() + "?";
                    return Claim.question(use.name(), source, asked, comparison.only(cells, trials));
                })
                .toList();
    }

    /** Each workload has its own name for a policy. */
    private static Variant side(String policy) {
        String kind = policy.replace("-v", "V");
        String contender = policy.equals(Recommendation.DEFAULT)
                ? "buffers"
                : "buffers" + kind.substring(0, 1).toUpperCase(Locale.ROOT) + kind.substring(1);
        return new Variant(policy, Map.of("policy", policy, "kind", kind, "contender", contender, "way", policy));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        checkOptions();
        Comparison comparison = comparison();
        System.err.printf(
                "Four policies take turns for about %d seconds, first figures after about %.0f.%n",
                quick ? 30 : TIME.toSeconds(), quick ? 30 : comparison.roundSeconds());
        return run(TIME, Run.MOST_PAIRS, 0, true, false)
                .run(
                        List.of(comparison),
                        List.of(),
                        journal(),
                        null,
                        journal -> advice(comparison, journal).sentence(),
                        (journal, stopped) -> tell(comparison, journal, stopped));
    }

    private static Advice advice(Comparison comparison, Journal journal) {
        Map<String, List<Score>> uses = new LinkedHashMap<>();
        for (Trial trial : comparison.trials()) {
            uses.computeIfAbsent(trial.cell(), use -> new ArrayList<>()).add(Score.of(journal, trial));
        }
        return new Advice(uses);
    }

    /** Writes the report and, if the run is good enough for that, the settings; returns the status to exit with. */
    int tell(Comparison comparison, Journal journal, boolean stopped) throws IOException {
        Advice advice = advice(comparison, journal);
        List<String> settings = advice.settings().entrySet().stream()
                .map(setting -> "-D" + setting.getKey() + "=" + setting.getValue())
                .toList();
        Results results =
                Results.of("Buffers: the policy to set", advice.sentence(), settings, journal, questions(comparison));
        int status = tell(results, stopped);
        if (file != null) {
            String obstacle = obstacle(advice, results, stopped);
            if (obstacle.isEmpty()) {
                write(file, advice, results.where());
            } else {
                System.err.println("Nothing written: " + obstacle);
            }
        }
        return status;
    }

    private void checkOptions() {
        check(file != null || !force, "--force without --write");
        if (file != null) {
            check(!Files.isDirectory(file), "a folder: --write=" + file);
            check(force || !Files.exists(file), "there is such a file, and no --force: --write=" + file);
            boolean inFolder = Files.isDirectory(file.toAbsolutePath().resolveSibling("."));
            check(inFolder, "no such folder: --write=" + file);
        }
    }

    /** Why the run is no reason to set anything; empty if it is one. */
    private String obstacle(Advice advice, Results results, boolean stopped) {
        if (quick) {
            return "a smoke run";
        }
        if (stopped) {
            return "ended early";
        }
        if (results.failed()) {
            return "the measurement failed";
        }
        int counted = advice.leastCounted();
        if (counted < InterimAnalyses.FIRST) {
            return "only " + counted + " of at least " + InterimAnalyses.FIRST + " pairs of JVMs count";
        }
        return results.warnings().isEmpty() ? "" : "not a quiet machine";
    }

    private void write(Path target, Advice advice, Environment where) throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add("# Written by \"bench advise\" on " + where.when() + ": " + where.java() + ", " + where.processor()
                + ", " + where.cores() + " cores");
        lines.add("# " + advice.sentence());
        advice.settings().forEach((key, value) -> lines.add(key + "=" + value));
        if (force) {
            Files.write(target, lines);
        } else {
            Files.write(target, lines, StandardOpenOption.CREATE_NEW);
        }
        System.err.println("Written: " + target);
        if (!target.endsWith(FILE_NAME)) {
            System.err.println("The library reads it only if it is called " + FILE_NAME + ".");
        }
    }
}

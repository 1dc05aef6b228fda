// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.run;

import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.harness.Cell;
import dev.buffers.bench.harness.Comparison;
import dev.buffers.bench.harness.InterimAnalyses;
import dev.buffers.bench.harness.Journal;
import dev.buffers.bench.harness.Question;
import dev.buffers.bench.harness.Score;
import dev.buffers.bench.harness.Variant;
import dev.buffers.bench.harness.Verdict;
import dev.buffers.bench.pools.contenders.Contenders;
import dev.buffers.bench.report.Results;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Two builds, or two settings, in turns on the workloads. */
@Command(
        name = "compare",
        description = {
            "Lets two JVMs take turns of milliseconds on the workloads, and says which needs less CPU time: two jars of the pool, JVM options,"
                    + " or parameters of the benchmark.",
            "Without any difference between the two it is an A/A test. Close everything else before.",
            "Exit codes: 0 decided, 1 failed, 2 wrong options, 3 --within is refuted, 4 --within is open or withheld."
        })
public final class CompareCommand extends Measuring {
    private static final int REFUTED = 3;
    private static final int UNDECIDED = 4;
    private static final String CONTENDER = "contender";
    private static final Claim.Source SOURCE = new Claim.Source(2026, "this machine", "the base against the other");

    /** The workloads by their short names: a benchmark, and its parameters. */
    private static final Map<String, String> WORKLOADS = new TreeMap<>(Map.of(
            "mixed", "MixedBenchmark.mixed:contender=buffers",
            "window1", "WindowBenchmark.window:contender=buffers,threads=1",
            "window2", "WindowBenchmark.window:contender=buffers,threads=2",
            "handoff", "HandOffBenchmark.handOff:contender=buffers",
            "channel", "ChannelBenchmark.turn:contender=buffers",
            "live10", "LiveLeasesBenchmark.acquireRelease:live=10",
            "live100000", "LiveLeasesBenchmark.acquireRelease:live=100000"));

    @Parameters(
            arity = "0..*",
            paramLabel = "WORKLOAD",
            description =
                    "mixed, window1, window2, handoff, channel, live10, live100000, or any JMH benchmark as Class.method;"
                            + " each may be followed by its parameters, as in mixed:contender=buffersHeap (default: mixed window1)")
    private List<String> workloads = List.of("mixed", "window1");

    @Option(names = "--base", paramLabel = "JAR", description = "the jar of buffers-core that is the base")
    private @Nullable Path baseJar;

    @Option(names = "--new", paramLabel = "JAR", description = "the jar of buffers-core that is compared with it")
    private @Nullable Path newJar;

    @Option(names = "--base-jvm", paramLabel = "OPTION", description = "an option of the base's JVM; may be repeated")
    private List<String> baseJvm = List.of();

    @Option(names = "--new-jvm", paramLabel = "OPTION", description = "an option of the other's JVM; may be repeated")
    private List<String> newJvm = List.of();

    @Option(names = "--base-param", paramLabel = "NAME=VALUE", description = "a JMH parameter of the base")
    private Map<String, String> baseParameters = Map.of();

    @Option(names = "--new-param", paramLabel = "NAME=VALUE", description = "a JMH parameter of the other")
    private Map<String, String> newParameters = Map.of();

    @Option(
            names = "--each",
            paramLabel = "NAME=V1,V2",
            description = "several alternatives: each value of this JMH parameter against the base")
    private @Nullable String each;

    @Option(names = "--two-sided", description = "with --within: at most so much more, and at most so much less")
    private boolean twoSided;

    @Option(
            names = "--within",
            paramLabel = "PERCENT",
            description = "ask whether the new needs at most so much more CPU time")
    private @Nullable String within;

    @Option(
            names = "--quads",
            paramLabel = "N",
            description = "turns A B B A of each pair of JVMs (default: ${DEFAULT-VALUE})")
    private int quads = Comparison.Pace.USUAL.quads();

    @Option(
            names = "--slice",
            paramLabel = "MILLIS",
            description = "a turn's length, 5 to 50 (default: ${DEFAULT-VALUE})")
    private int sliceMillis = Comparison.Pace.USUAL.sliceMillis();

    @Option(
            names = "--pairs",
            paramLabel = "N",
            description =
                    "decide no workload before so many pairs count; analyses are after 5, 7, 9, 12 and 16 (default: ${DEFAULT-VALUE})")
    private int leastPairs = InterimAnalyses.FIRST;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description =
                    "begin so many pairs of a workload at most, no fewer than --pairs (default: ${DEFAULT-VALUE})")
    private int rounds = Run.MOST_PAIRS;

    @Option(names = "--minutes", paramLabel = "N", description = "begin no pair after this time (default: 12 hours)")
    private long minutes = Duration.ofHours(12).toMinutes();

    @Option(
            names = "--controls",
            paramLabel = "N",
            description = "in how many workloads the base runs against itself too (default: ${DEFAULT-VALUE})")
    private int controls = 1;

    @Option(
            names = "--busy",
            description = "count the pairs that others disturbed too, with a wider interval; with --from too")
    private boolean busy;

    @Option(
            names = "--from",
            paramLabel = "FILE",
            description = "measure nothing: make the report again from this journal, which has the workloads and the"
                    + " question; only --busy, --json and --report go with it")
    private @Nullable Path from;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (from != null) {
            checkFrom();
            try (Journal journal = Journal.read(from, busy)) {
                return tellAll(journal, false);
            }
        }
        check(sliceMillis >= 5 && sliceMillis <= 50, "--slice=" + sliceMillis + "; accepted: 5 to 50");
        check(quads >= 1, "--quads=" + quads + "; accepted: 1 or more");
        check(rounds >= 1, "--rounds=" + rounds + "; accepted: 1 or more");
        check(leastPairs >= 1 && leastPairs <= 16, "--pairs=" + leastPairs + "; accepted: 1 to 16");
        int deciding = InterimAnalyses.next(leastPairs);
        check(
                quick || rounds >= deciding,
                "--rounds=" + rounds + " is less than "
                        + (deciding == leastPairs ? "" : deciding + " pairs, the first analysis that decides with ")
                        + "--pairs=" + leastPairs);
        check(within != null || !twoSided, "--two-sided without --within");
        List<Comparison> comparisons = workloads.stream().map(this::comparison).toList();
        return new Run(Duration.ofMinutes(minutes), deciding, rounds, controls, busy, quick, false)
                .run(comparisons, journal(), this::tellAll);
    }

    private int tellAll(Journal journal, boolean stopped) throws IOException {
        List<Claim> claims = new ArrayList<>();
        for (Comparison comparison : journal.header().comparisons()) {
            String asked = comparison.trials().get(0).question().text();
            claims.add(Claim.question(comparison.name(), SOURCE, asked, comparison));
        }
        int failed = tell(Results.of("Buffers: a comparison", journal, claims), stopped);
        if (failed != ExitCode.OK) {
            return failed;
        }
        List<Verdict> gates = journal.header().trials().stream()
                .filter(trial -> !trial.question().isOpen())
                .map(trial -> Score.of(journal, trial).verdict())
                .toList();
        return gates.contains(Verdict.DOES_NOT_HOLD)
                ? REFUTED
                : gates.stream().allMatch(verdict -> verdict == Verdict.HOLDS) ? ExitCode.OK : UNDECIDED;
    }

    /** A workload with its parameters: {@code name:key=value,key=value}. */
    private Comparison comparison(String text) {
        String[] parts = text.split(":", 2);
        String[] known = WORKLOADS.getOrDefault(parts[0], parts[0]).split(":", 2);
        check(
                known[0].contains("."),
                "no such workload: " + parts[0] + "; accepted: " + String.join(", ", WORKLOADS.keySet())
                        + ", or a JMH benchmark as Class.method");
        String benchmark = known[0].replaceFirst("Lane\\.", "Benchmark."); // the former names
        Map<String, String> parameters = new LinkedHashMap<>(known.length > 1 ? parameters(known[1]) : Map.of());
        parameters.putAll(parts.length > 1 ? parameters(parts[1]) : Map.of());
        Cell cell = new Cell(text, benchmark, parameters);
        Variant base = side("base", cell, baseJar, baseJvm, baseParameters);
        List<Variant> alternatives = new ArrayList<>();
        if (each == null) {
            alternatives.add(side("new", cell, newJar, newJvm, newParameters));
        } else {
            String[] values = each.split("=", 2);
            check(values.length == 2, "not NAME=VALUE,VALUE: --each=" + each);
            for (String value : values[1].split(",", -1)) {
                Map<String, String> own = new HashMap<>(newParameters);
                own.put(values[0], value);
                alternatives.add(side(value, cell, newJar, newJvm, own));
            }
        }
        Question.Kind kind = twoSided ? Question.Kind.WITHIN : Question.Kind.AT_MOST;
        Question question = within == null ? Question.EITHER : new Question(kind, bound(within), false);
        Comparison.Pace pace = Comparison.Pace.USUAL.turns(quads, sliceMillis);
        return Comparison.of(text, Comparison.Engine.JMH, pace, base, alternatives, cell, question);
    }

    private Map<String, String> parameters(String text) {
        Map<String, String> parameters = new LinkedHashMap<>();
        for (String parameter : text.split(",", -1)) {
            String[] pair = parameter.split("=", 2);
            check(pair.length == 2, "not NAME=VALUE: " + parameter);
            parameters.put(pair[0], pair[1]);
        }
        return parameters;
    }

    private Variant side(String name, Cell cell, @Nullable Path jar, List<String> jvm, Map<String, String> own) {
        String contender = own.getOrDefault(CONTENDER, cell.parameters().get(CONTENDER));
        List<String> options = new ArrayList<>(jvm);
        if (contender != null) {
            options.addAll(contender(contender, cell).jvmArguments());
        }
        return new Variant(name, classPath(jar), options, own);
    }

    /** The contender of that name, which can run this workload. */
    private Contenders contender(String name, Cell cell) {
        List<Contenders> all = List.of(Contenders.values());
        List<Contenders> able =
                all.stream().filter(each -> each.canRun(cell.work())).toList();
        boolean known = all.stream().anyMatch(each -> each.name().equals(name));
        return able.stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> refusal((known
                                ? cell.name().replaceFirst(":.*", "") + " cannot be run with contender=" + name
                                : "no such contender: " + name)
                        + "; accepted: "
                        + able.stream().map(Contenders::name).collect(Collectors.joining(", "))));
    }

    private List<String> classPath(@Nullable Path jar) {
        if (jar == null) {
            return List.of();
        }
        check(Files.exists(jar), "no such file: " + jar);
        return List.of(jar.toAbsolutePath().normalize().toString());
    }

    private double bound(String percent) {
        try {
            double bound = 1 + Double.parseDouble(percent.replace("%", "").strip()) / 100;
            check(bound > 1, "--within=" + percent + "; accepted: more than 0");
            return bound;
        } catch (NumberFormatException e) {
            throw refusal("--within=" + percent + "; accepted: a number");
        }
    }
}

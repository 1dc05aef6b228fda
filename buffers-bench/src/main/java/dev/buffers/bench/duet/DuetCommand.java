package dev.buffers.bench.duet;

import dev.buffers.bench.duet.SliceJournal.Header;
import dev.buffers.bench.figures.Environment;
import dev.buffers.bench.lanes.contenders.Contenders;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Two builds, or two settings, in turns on the lanes. */
@Command(
        name = "duet",
        description = {
            "Lets two JVMs take turns of milliseconds on the lanes, and says which needs less CPU time: two jars of the pool, JVM options,"
                    + " or parameters of the benchmark.",
            "Without any difference between the two it is an A/A test. Close everything else meanwhile.",
            "Exit codes: 0 decided, 1 failed, 2 wrong options, 3 --within is refuted, 4 --within is open or withheld."
        },
        mixinStandardHelpOptions = true)
public final class DuetCommand implements Callable<Integer> {
    private static final int REFUTED = 3;
    private static final int UNDECIDED = 4;
    private static final String CONTENDER = "contender";

    /** A name of {@link Contenders}, without the class: it loads every rival, and this one is made for every command. */
    private static final String OURS = "buffers";

    /** The lanes by their short names, with their parameters. */
    private static final Map<String, Cell> LANES = Map.of(
            "mixed", lane("MixedLane.mixed", true),
            "window1", lane("WindowLane.window1", true),
            "window2", lane("WindowLane.window2", true),
            "handoff", lane("HandOffLane.handOff", true),
            "channel", lane("ChannelLane.turn", true),
            "live10", lane("LiveLeasesLane.acquireRelease", false, "live", "10"),
            "live100000", lane("LiveLeasesLane.acquireRelease", false, "live", "100000"));

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(
            arity = "0..*",
            paramLabel = "LANE",
            description =
                    "mixed, window1, window2, handoff, channel, live10, live100000, or any JMH benchmark as Class.method;"
                            + " each may be followed by its parameters, as in mixed:contender=buffersHeap (default: mixed window1)")
    private List<String> lanes = List.of("mixed", "window1");

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
            names = "--within",
            paramLabel = "PERCENT",
            description = "ask whether the new needs at most so much more CPU time")
    private @Nullable String within;

    @Option(
            names = "--quads",
            paramLabel = "N",
            description = "turns A B B A of each pair of JVMs (default: ${DEFAULT-VALUE})")
    private int quads = Duet.Plan.USUAL.quads();

    @Option(
            names = "--slice",
            paramLabel = "MILLIS",
            description = "a turn's length, 5 to 50 (default: ${DEFAULT-VALUE})")
    private int sliceMillis = Duet.Plan.USUAL.sliceMillis();

    @Option(
            names = "--pairs",
            paramLabel = "N",
            description = "pairs to start for a lane at most (default: ${DEFAULT-VALUE})")
    private int rounds = Duet.Plan.USUAL.rounds();

    @Option(
            names = "--minutes",
            paramLabel = "N",
            description = "begin no pair of a lane after this time (default: 12 hours)")
    private long minutes = Duration.ofSeconds(Duet.Plan.USUAL.seconds()).toMinutes();

    @Option(
            names = "--controls",
            paramLabel = "N",
            description = "in how many lanes the base plays against itself too (default: ${DEFAULT-VALUE})")
    private int controls = 1;

    @Option(names = "--busy", description = "count pairs that others disturbed; what comes out proves nothing")
    private boolean busy;

    @Option(
            names = "--journal",
            paramLabel = "FILE",
            description = "where each slice is written (default: ${DEFAULT-VALUE})")
    private Path journalFile = Path.of("buffers-bench/target/duet/journal.jsonl");

    @Option(names = "--from", paramLabel = "FILE", description = "measure nothing: say again what this journal says")
    private @Nullable Path from;

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        if (from != null) {
            return tell(SliceJournal.read(from), out);
        }
        Header header = header();
        try (SliceJournal journal = SliceJournal.begin(journalFile, header)) {
            Duet duet = new Duet(journal, DuetCommand::open, line -> {
                out.println(line);
                out.flush();
            });
            for (Cell cell : header.cells()) {
                duet.play(List.of(cell), Instant.now().plusSeconds(header.plan().seconds()));
            }
            out.println();
            int status = tell(journal, out);
            out.println("Journal: " + journalFile);
            out.flush();
            return status;
        }
    }

    private static Contestant open(Variant variant, List<Cell> cells) throws IOException {
        return JmhContestant.start(variant, cells.get(0).jvmArguments());
    }

    private static int tell(SliceJournal journal, PrintWriter out) {
        DuetReport.lines(journal).forEach(out::println);
        out.flush();
        if (!journal.failures().isEmpty()) {
            return ExitCode.SOFTWARE;
        }
        if (journal.header().question().kind() != Question.Kind.AT_MOST) {
            return ExitCode.OK;
        }
        List<Verdict> verdicts =
                DuetReport.scores(journal).stream().map(Score::verdict).toList();
        return verdicts.contains(Verdict.DOES_NOT_HOLD)
                ? REFUTED
                : verdicts.stream().allMatch(verdict -> verdict == Verdict.HOLDS) ? ExitCode.OK : UNDECIDED;
    }

    private Header header() {
        check(sliceMillis >= 5 && sliceMillis <= 50, "--slice=" + sliceMillis + "; accepted: 5 to 50");
        check(quads >= 1, "--quads=" + quads + "; accepted: 1 or more");
        check(rounds >= 1, "--pairs=" + rounds + "; accepted: 1 or more");
        List<Cell> cells = lanes.stream().map(this::cell).toList();
        Variant base = new Variant("base", classPath(baseJar), baseJvm, baseParameters);
        Variant challenger = new Variant("new", classPath(newJar), newJvm, newParameters);
        return new Header(
                Environment.here(ManagementFactory.getRuntimeMXBean().getInputArguments()),
                new Duet.Plan(
                        quads, sliceMillis, rounds, Duration.ofMinutes(minutes).toSeconds()),
                base,
                List.of(challenger),
                cells,
                cells.stream().limit(controls).map(Cell::name).toList(),
                within == null ? Question.EITHER : new Question(Question.Kind.AT_MOST, bound(within)),
                busy);
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
            throw new ParameterException(spec.commandLine(), "--within=" + percent + "; accepted: a number", e);
        }
    }

    /** A lane with its parameters: {@code name:key=value,key=value}. */
    private Cell cell(String text) {
        String[] parts = text.split(":", 2);
        Cell known = LANES.getOrDefault(parts[0], lane(parts[0], false));
        check(LANES.containsKey(parts[0]) || parts[0].contains("."), "no such lane: " + parts[0]);
        Map<String, String> parameters = new LinkedHashMap<>(known.parameters());
        if (parts.length > 1) {
            for (String parameter : parts[1].split(",", -1)) {
                String[] pair = parameter.split("=", 2);
                check(pair.length == 2, "not NAME=VALUE: " + parameter);
                parameters.put(pair[0], pair[1]);
            }
        }
        return new Cell(text, known.benchmark(), parameters, jvmArguments(parameters));
    }

    private static List<String> jvmArguments(Map<String, String> parameters) {
        String contender = parameters.get(CONTENDER);
        return contender == null ? List.of() : Contenders.valueOf(contender).jvmArguments();
    }

    private static Cell lane(String benchmark, boolean contended, String... parameters) {
        Map<String, String> all = new LinkedHashMap<>();
        if (contended) {
            all.put(CONTENDER, OURS);
        }
        for (int i = 0; i < parameters.length; i += 2) {
            all.put(parameters[i], parameters[i + 1]);
        }
        return new Cell(benchmark, benchmark, all, List.of());
    }

    private void check(boolean right, String problem) {
        if (!right) {
            throw new ParameterException(spec.commandLine(), problem);
        }
    }
}

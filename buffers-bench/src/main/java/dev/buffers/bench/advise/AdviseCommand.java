package dev.buffers.bench.advise;

import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.claims.Finding;
import dev.buffers.bench.duet.Cell;
import dev.buffers.bench.duet.Environment;
import dev.buffers.bench.duet.Journal;
import dev.buffers.bench.duet.Match;
import dev.buffers.bench.duet.Question;
import dev.buffers.bench.duet.Score;
import dev.buffers.bench.duet.Trial;
import dev.buffers.bench.duet.Variant;
import dev.buffers.bench.report.Report;
import dev.buffers.bench.report.Results;
import dev.buffers.bench.report.Table;
import dev.buffers.bench.run.Run;
import dev.buffers.bench.run.Version;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures for about two minutes what matters for the choice of a policy, and says what to set. */
@Command(
        name = "advise",
        description = {
            "Measures each policy in a few uses, for about two minutes, and says what to set on this machine.",
            "Ctrl-C ends it and tells what is known so far. The progress goes to the standard error."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:the advice was given",
            "1:it failed",
            "2:the options are wrong, or a file would be overwritten"
        },
        mixinStandardHelpOptions = true,
        versionProvider = Version.class)
public final class AdviseCommand implements Callable<Integer> {
    private static final String FILE_NAME = "buffers.properties";
    private static final Match.Pace PACE = new Match.Pace(5, 20, 1500, 300);
    private static final Duration TIME = Duration.ofSeconds(110);

    private final PrintStream out = System.out;
    private final PrintStream err = System.err;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(names = "--quick", description = "A smoke run of some seconds, whose figures mean nothing.")
    private boolean quick;

    @Option(names = "--json", description = "Tell the results as JSON.")
    private boolean json;

    @Option(
            names = "--write",
            paramLabel = "FILE",
            description = "Write the settings to this file. The library reads it if it is called " + FILE_NAME
                    + " and is at the root of the class path.")
    private @Nullable Path file;

    @Option(names = "--force", description = "With --write: even if there is such a file.")
    private boolean force;

    @Option(
            names = "--report",
            paramLabel = "FOLDER",
            description = "Where the report goes (default: ${DEFAULT-VALUE}).")
    private Path report = Path.of("buffers-bench/target/advise");

    @Option(names = "--busy", description = "Count what others disturbed; what comes out proves nothing.")
    private boolean busy;

    /** The uses: a lane each, with its parameters but the policy. */
    private static final List<Use> USES = List.of(
            new Use(
                    "socket",
                    "a message over loopback",
                    "KeepLane.exchange",
                    Map.of("strategy", "acquire", "size", "8192")),
            new Use(
                    "codec",
                    "small records, written element by element",
                    "RecordLane.records",
                    Map.of("by", "plain", "op", "write", "shape", "inlined")),
            new Use("hand-off", "a buffer that another thread releases", "HandOffLane.handOff", Map.of()),
            new Use("file-transfer", "a file of 37 MB, copied", "CopyBenchmark.copy", Map.of("buffer", "65536")));

    private record Use(String name, String what, String lane, Map<String, String> parameters) {}

    /** The rows: one for each use. */
    static List<Claim> rows() {
        List<Variant> challengers = List.of("heap", "direct", "heap-view").stream()
                .map(AdviseCommand::side)
                .toList();
        List<Claim> rows = new ArrayList<>();
        for (Use use : USES) {
            Cell cell = new Cell(use.name(), use.lane(), use.parameters());
            List<Trial> trials = challengers.stream()
                    .map(side -> new Trial(side.name(), "", cell.name(), side.name(), Trial.CPU, 1, Question.either(1)))
                    .toList();
            Match match = new Match(
                    "uses",
                    Match.Engine.JMH,
                    PACE,
                    List.of(),
                    side(Advice.DEFAULT),
                    challengers,
                    List.of(cell),
                    trials);
            rows.add(new Claim(
                    use.name(),
                    new Claim.Source(2026, "this machine", "each policy against the default"),
                    "Which policy takes the least CPU time for " + use.what() + "?",
                    "",
                    "",
                    "",
                    List.of(match),
                    Set.of()));
        }
        return rows;
    }

    /** Each lane has its own name for a policy. */
    private static Variant side(String policy) {
        String kind = policy.replace("-v", "V");
        String contender = policy.equals(Advice.DEFAULT)
                ? "buffers"
                : "buffers" + kind.substring(0, 1).toUpperCase(Locale.ROOT) + kind.substring(1);
        return new Variant(
                policy,
                List.of(),
                List.of(),
                Map.of("policy", policy, "kind", kind, "contender", contender, "way", policy));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        checkOptions();
        List<Claim> rows = rows();
        Run usual = Run.of(TIME, quick);
        Run run = new Run(usual.limit(), usual.pairs(), 0, busy || quick, quick, false);
        return run.play(rows, true, report.resolve("journal.jsonl"), err::println, (journal, stopped) -> {
            Advice advice = advice(rows, journal);
            Results results = new Results("Buffers: what to set", advice.sentence(), journal, rows);
            Path page = Report.write(results, report);
            tell(results, advice);
            if (stopped) {
                out.println("It was ended early: this is what is known so far.");
            }
            if (quick) {
                err.println("This was a smoke run, too short for its figures to mean anything.");
            }
            err.println("Report: " + page);
            if (file != null) {
                write(file, advice, results, stopped);
            }
            return journal.failures().isEmpty() ? ExitCode.OK : ExitCode.SOFTWARE;
        });
    }

    static Advice advice(List<Claim> rows, Journal journal) {
        Map<String, List<Score>> uses = new LinkedHashMap<>();
        rows.forEach(row -> uses.put(row.id(), Finding.of(row, journal).scores()));
        return new Advice(uses);
    }

    /** Before any time is spent. */
    private void checkOptions() {
        if (file == null) {
            if (force) {
                throw wrong("--force without --write");
            }
        } else if (Files.isDirectory(file)) {
            throw wrong("a folder: --write=" + file);
        } else if (Files.exists(file) && !force) {
            throw wrong("there is such a file, and no --force: --write=" + file);
        } else if (!Files.isDirectory(file.toAbsolutePath().resolveSibling("."))) {
            throw wrong("no such folder: --write=" + file);
        }
    }

    private ParameterException wrong(String what) {
        return new ParameterException(spec.commandLine(), what);
    }

    private void tell(Results results, Advice advice) throws IOException {
        if (json) {
            out.println(Report.json(results));
        } else {
            Table.lines(results).forEach(out::println);
            advice.settings().forEach((key, value) -> out.println("-D" + key + "=" + value));
        }
        out.flush();
    }

    /** What a run that ended early, or one without meaning, knows is no reason to set anything. */
    private void write(Path target, Advice advice, Results results, boolean stopped) throws IOException {
        if (quick || stopped || !results.warnings().isEmpty()) {
            err.println(
                    "Nothing written: " + (quick ? "a smoke run" : stopped ? "ended early" : "not a quiet machine"));
            return;
        }
        Environment where = results.journal().header().where();
        List<String> lines = new ArrayList<>(List.of(
                "# Written by \"bench advise\" on " + where.when() + ": " + where.java() + ", " + where.processor()
                        + ", " + where.cores() + " cores",
                "# " + advice.sentence()));
        advice.settings().forEach((key, value) -> lines.add(key + "=" + value));
        if (force) {
            Files.write(target, lines);
        } else {
            Files.write(target, lines, StandardOpenOption.CREATE_NEW);
        }
        err.println("Written: " + target);
        if (!target.endsWith(FILE_NAME)) {
            err.println("The library reads it only if it is called " + FILE_NAME + ".");
        }
    }
}

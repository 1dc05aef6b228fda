package dev.buffers.bench.run;

import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.duet.Cell;
import dev.buffers.bench.duet.Environment;
import dev.buffers.bench.duet.Journal;
import dev.buffers.bench.duet.Match;
import dev.buffers.bench.duet.Question;
import dev.buffers.bench.duet.Score;
import dev.buffers.bench.duet.Variant;
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
        })
public final class AdviseCommand extends Measuring {
    private static final String FILE_NAME = "buffers.properties";
    private static final Match.Pace PACE = new Match.Pace(5, 20, 1500, 300);
    private static final Duration TIME = Duration.ofSeconds(110);

    @Option(
            names = "--write",
            paramLabel = "FILE",
            description = "write the settings to this file; the library reads it if it is called " + FILE_NAME
                    + " and is at the root of the class path")
    private @Nullable Path file;

    @Option(names = "--force", description = "with --write: even if there is such a file")
    private boolean force;

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

    static List<Claim> rows() {
        List<Variant> challengers = Stream.of("heap", "direct", "heap-view")
                .map(AdviseCommand::side)
                .toList();
        Claim.Source source = new Claim.Source(2026, "this machine", "each policy against the default");
        List<Claim> rows = new ArrayList<>();
        for (Use use : USES) {
            Match match = Match.of(
                    "uses",
                    Match.Engine.JMH,
                    PACE,
                    side(Recommendation.DEFAULT),
                    challengers,
                    new Cell(use.name(), use.lane(), use.parameters()),
                    Question.of("either 1"));
            String asked = "Which policy takes the least CPU time for " + use.what() + "?";
            rows.add(Claim.question(use.name(), source, asked, match));
        }
        return rows;
    }

    /** Each lane has its own name for a policy. */
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
        List<Claim> rows = rows();
        return run(TIME, Run.MOST_PAIRS, 0, false)
                .play(
                        Claim.matches(rows, true),
                        journal(),
                        null,
                        System.err::println,
                        (journal, stopped) -> tell(rows, journal, stopped));
    }

    private int tell(List<Claim> rows, Journal journal, boolean stopped) throws IOException {
        Map<String, List<Score>> uses = new LinkedHashMap<>();
        for (Claim row : rows) {
            uses.put(
                    row.id(),
                    row.trials(true).stream()
                            .map(trial -> Score.of(journal, trial))
                            .toList());
        }
        Advice advice = new Advice(uses);
        Results results = Results.of("Buffers: what to set", advice.sentence(), journal, rows);
        int status = tell(results, stopped);
        if (!json) {
            advice.settings().forEach((key, value) -> System.out.println("-D" + key + "=" + value));
        }
        if (file != null) {
            write(file, advice, results, stopped);
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

    /** What a run that ended early, or one without meaning, knows is no reason to set anything. */
    private void write(Path target, Advice advice, Results results, boolean stopped) throws IOException {
        if (quick || stopped || !results.warnings().isEmpty()) {
            System.err.println(
                    "Nothing written: " + (quick ? "a smoke run" : stopped ? "ended early" : "not a quiet machine"));
            return;
        }
        Environment where = results.where();
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

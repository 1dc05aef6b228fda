package dev.buffers.bench.duet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.bench.duet.SliceJournal.Header;
import dev.buffers.bench.figures.Environment;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Options, and what the command says and returns of a journal. */
class DuetCommandTest {
    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void wrongOptionsAreRefused() {
        refused("--slice=60; accepted: 5 to 50", "--slice=60");
        refused("--quads=0", "--quads=0");
        refused("no such lane: nolane", "nolane");
        refused("not NAME=VALUE: heap", "mixed:heap");
        refused("--within=few; accepted: a number", "--within=few");
        refused("--within=0%; accepted: more than 0", "--within=0%");
        refused("no such file", "--base=" + folder.resolve("none.jar"));
    }

    @Test
    void theGateIsTheExitCode() throws Exception {
        assertEquals(0, again(1, true));
        assertTrue(out.toString().contains("\"at most 5.0 % more\" holds"), out::toString);
        assertEquals(3, again(1.2, true));
        assertTrue(out.toString().contains("\"at most 5.0 % more\" does not hold"), out::toString);
        assertEquals(4, again(1, false));
    }

    /** What it says of a run whose challenger costs that much, or of one that has not begun. */
    private int again(double cost, boolean played) throws Exception {
        Path file = folder.resolve("journal.jsonl");
        Cell cell = new Cell("mixed", "MixedLane.mixed", Map.of(), List.of());
        Variant base = new Variant("base", List.of(), List.of(), Map.of());
        Header header = new Header(
                Environment.here(List.of()),
                Duet.Plan.USUAL,
                base,
                List.of(base.as("new")),
                List.of(cell),
                List.of(),
                new Question(Question.Kind.AT_MOST, 1.05),
                true);
        try (SliceJournal journal = SliceJournal.begin(file, header)) {
            if (played) {
                FakeContestant.Field field = new FakeContestant.Field(name -> name.equals("new") ? cost : 1);
                new Duet(journal, field::open, line -> {}).play(List.of(cell), Instant.MAX);
            }
        }
        out.getBuffer().setLength(0);
        return execute("--from", file.toString());
    }

    private void refused(String problem, String... arguments) {
        err.getBuffer().setLength(0);
        assertEquals(2, execute(arguments));
        assertTrue(err.toString().contains(problem), err::toString);
    }

    private int execute(String... arguments) {
        return new CommandLine(new DuetCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
    }
}

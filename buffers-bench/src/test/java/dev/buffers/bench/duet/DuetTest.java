package dev.buffers.bench.duet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.bench.duet.FakeContestant.Field;
import dev.buffers.bench.duet.SliceJournal.Header;
import dev.buffers.bench.duet.SliceJournal.Played;
import dev.buffers.bench.figures.Environment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The order of the turns, the end of a duet, and that the journal gives all of it again. */
class DuetTest {
    private static final Cell CELL = new Cell("cell", "Bench.method", Map.of(), List.of());
    private static final Variant BASE = new Variant("base", List.of(), List.of(), Map.of());

    @TempDir
    private Path folder;

    private int quads = 1;
    private boolean busy = true;
    private List<String> controlled = List.of();

    @Test
    void baseAndChallengerTakeTurnsAndChangePlaces() throws Exception {
        Field field = new Field(name -> name.equals("new") ? 0.5 : 1);
        quads = 2;
        SliceJournal journal = play(field, Question.EITHER, "new");
        assertEquals(
                List.of(
                        "open base",
                        "open new",
                        "base 4 x 20",
                        "new 4 x 20",
                        "base",
                        "new",
                        "new",
                        "base",
                        "base",
                        "new"),
                field.asked.subList(0, 10));
        assertEquals(
                List.of("open new", "open base", "new 4 x 20", "base 4 x 20", "new", "base", "base", "new"),
                field.asked.subList(12, 20));
        assertEquals(Verdict.HOLDS, Score.of(journal, "cell", "new").verdict());
        assertEquals(Map.of("base", 0, "new", 0), field.open);
    }

    @Test
    void endsAtTheFirstLookThatDecides() throws Exception {
        Score clear = score(new Field(name -> name.equals("new") ? 1.3 : 1));
        assertEquals(5, clear.pairs());
        assertEquals(Verdict.REVERSED, clear.verdict());
        assertEquals(1.3, clear.cpu().ratio(), 0.02);
        assertEquals(1.3, clear.wall().ratio(), 0.02);
        Score same = score(new Field(name -> 1));
        assertEquals(5, same.pairs());
        assertEquals(Verdict.NO_DIFFERENCE, same.verdict());
    }

    @Test
    void whatIsUndecidedGoesOnToTheLastLook() throws Exception {
        Field field = new Field(name -> name.equals("new") ? 1.05 : 1);
        field.noise = 0.1;
        Score score = score(field);
        assertEquals(16, score.pairs());
        assertEquals(Verdict.OPEN, score.verdict());
    }

    @Test
    void inATournamentEachPlaysTheBaseUntilItIsDecided() throws Exception {
        Field field = new Field(name -> name.equals("slow") ? 1.5 : name.equals("unsure") ? 1.05 : 1);
        field.noise = 0.05;
        controlled = List.of("cell");
        SliceJournal journal = play(field, Question.EITHER, "slow", "unsure");
        assertEquals(5, Score.of(journal, "cell", "slow").pairs());
        assertEquals(16, Score.of(journal, "cell", "unsure").pairs());
        assertEquals(16, DuetReport.controls(journal).get(0).pairs());
        assertTrue(field.asked.contains("base 6 x 20"), "three against the base");
        assertTrue(field.asked.contains("base 4 x 20"), "two against the base");
    }

    @Test
    void byTheProcessClockSlicesAreLong() throws Exception {
        Field field = new Field(name -> 1);
        field.threadClock = false;
        play(field, Question.EITHER, "new");
        assertTrue(field.asked.contains("base 2 x 500"), () -> "asked=" + field.asked);
    }

    @Test
    void whatFailsIsInTheJournalAndLeavesNobodyRunning() throws Exception {
        Field field = new Field(name -> 1);
        field.failing = "new";
        SliceJournal journal = play(field, Question.EITHER, "new");
        assertEquals(List.of("cell: broken"), journal.failures());
        assertEquals(Map.of("base", 0, "new", 0), field.open);
        assertEquals(Verdict.NOT_RUN, Score.of(journal, "cell", "new").verdict());
    }

    @Test
    void aJournalSaysTheSameAgain() throws Exception {
        controlled = List.of("cell");
        SliceJournal journal = play(new Field(name -> 1), new Question(Question.Kind.AT_MOST, 1.05), "new");
        SliceJournal again = SliceJournal.read(file());
        assertEquals(journal.header(), again.header());
        assertEquals(DuetReport.lines(journal), DuetReport.lines(again));
        assertTrue(DuetReport.lines(again).stream()
                .anyMatch(line -> line.startsWith("cell: \"at most 5.0 % more\" holds")));
        Files.writeString(file(), "{\"slice\":{\"pa", StandardOpenOption.APPEND);
        assertEquals(DuetReport.lines(journal), DuetReport.lines(SliceJournal.read(file())));
    }

    @Test
    void pairsThatOthersDisturbedDoNotCount() throws Exception {
        SliceJournal journal = play(new Field(name -> 1), Question.EITHER, "new");
        busy = false;
        Header strict = header(Question.EITHER, List.of("new"));
        try (SliceJournal disturbed = SliceJournal.begin(file(), strict)) {
            for (SliceJournal.Slice slice : journal.slices()) {
                disturbed.add(slice);
            }
            Machine.Load loud = new Machine.Load(0.4, 0.02, 3);
            for (Played played : journal.played()) {
                disturbed.add(new Played(played.pair(), "cell", played.slices(), played.warmth(), true, loud));
            }
            assertEquals(Verdict.WITHHELD, Score.of(disturbed, "cell", "new").verdict());
            List<String> lines = DuetReport.lines(disturbed);
            assertTrue(lines.get(0).startsWith("NOT A QUIET MACHINE"), lines::toString);
            assertTrue(lines.get(1).contains("withheld (0 undisturbed pairs of 5)"), lines::toString);
        }
    }

    @Test
    void pairsWhoseClocksDisagreeDoNotCount() throws Exception {
        Field field = new Field(name -> 1);
        field.agreed = false;
        Score score = score(field);
        assertEquals(24, score.disturbed());
        assertEquals(Verdict.WITHHELD, score.verdict());
    }

    @Test
    void aQuadIsOneRatioAndAPairTheirMedian() {
        List<SliceJournal.Slice> slices = new ArrayList<>();
        long[][] quads = {{100, 100, 110, 110}, {100, 300, 200, 220}, {100, 100, 1000, 1000}};
        for (int quad = 0; quad < quads.length; quad++) {
            for (int turn = 0; turn < 4; turn++) {
                Contestant.Turn did = new Contestant.Turn(0, 0, 1000 * quads[quad][turn], 1000, 0, 0, 0, 0);
                slices.add(new SliceJournal.Slice(0, "cell", "new", quad, turn < 2, did));
            }
        }
        assertEquals(Math.log(1.1), Score.medianOfQuads(slices, Contestant.Turn::cpuNanos), 1e-9);
    }

    private Score score(Field field) throws Exception {
        return Score.of(play(field, Question.EITHER, "new"), "cell", "new");
    }

    private SliceJournal play(Field field, Question question, String... challengers) throws Exception {
        try (SliceJournal journal = SliceJournal.begin(file(), header(question, List.of(challengers)))) {
            new Duet(journal, field::open, line -> {}).play(List.of(CELL), Instant.MAX);
            return journal;
        }
    }

    private Header header(Question question, List<String> challengers) throws IOException {
        return new Header(
                Environment.here(List.of()),
                new Duet.Plan(quads, 20, 24, 60),
                BASE,
                challengers.stream().map(BASE::as).toList(),
                List.of(CELL),
                controlled,
                question,
                busy);
    }

    private Path file() {
        return folder.resolve("journal.jsonl");
    }
}

package dev.buffers.bench.duet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.duet.FakeContestant.Field;
import dev.buffers.bench.duet.Journal.Header;
import dev.buffers.bench.duet.Journal.Played;
import dev.buffers.bench.report.Results;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The order of the turns, the end of a duet, and that the journal gives all of it again. */
class DuetTest {
    private static final Cell CELL = new Cell("cell", "Bench.method", Map.of());
    private static final Variant BASE = new Variant("base", Map.of());

    @TempDir
    private Path folder;

    private int quads = 1;
    private int leastPairs = 1;
    private boolean busy = true;
    private List<String> controlled = List.of();

    @Test
    void baseAndChallengerTakeTurnsAndChangePlaces() throws Exception {
        Field field = new Field(name -> name.equals("new") ? 0.5 : 1);
        quads = 2;
        Journal journal = play(field, Question.EITHER, "new");
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
        assertEquals(Verdict.HOLDS, of(journal, "new").verdict());
        assertEquals(Map.of("base", 0, "new", 0), field.open);
    }

    @Test
    void endsAtTheFirstLookThatDecides() throws Exception {
        Score clear = score(new Field(name -> name.equals("new") ? 1.3 : 1));
        assertEquals(5, clear.pairs());
        assertEquals(Verdict.REVERSED, clear.verdict());
        assertEquals(1.3, clear.cost().ratio(), 0.02);
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
        Journal journal = play(field, Question.EITHER, "slow", "unsure");
        assertEquals(5, of(journal, "slow").pairs());
        assertEquals(16, of(journal, "unsure").pairs());
        assertEquals(
                16,
                Score.of(journal, Trial.of("cell", Match.CONTROL, Question.EITHER))
                        .pairs());
        assertTrue(field.asked.contains("base 2 x 20"), "as many turns as the others");
        assertTrue(
                Collections.indexOfSubList(
                                field.asked, List.of("control", "base", "unsure", "unsure", "base", "control"))
                        > 0,
                () -> "two against the base: " + field.asked);
    }

    /** A turn that follows one's own is cheaper. */
    @Test
    void inATournamentAllFollowThemselvesEquallyOften() throws Exception {
        quads = 8;
        Field field = new Field(name -> 1);
        play(field, Question.EITHER, "x", "y", "z");
        List<String> sides = List.of("base", "x", "y", "z");
        List<String> turns =
                field.asked.stream().filter(sides::contains).limit(64).toList();
        for (String side : sides) {
            assertEquals(16, Collections.frequency(turns, side));
            int again = 0;
            for (int i = 1; i < turns.size(); i++) {
                again += turns.get(i).equals(side) && turns.get(i - 1).equals(side) ? 1 : 0;
            }
            assertEquals(2, again, side);
        }
    }

    /** What is done once and takes time has the machine for itself; what only keeps memory is done by three at once. */
    @Test
    void whatKeepsMemoryIsDoneAtOnceAndWhatTakesTimeIsNot() throws Exception {
        assertEquals(
                List.of("begin base", "begin a", "begin b", "await base", "await a", "await b", "begin c", "await c"),
                preparing(Match.Engine.PASS, "kept"));
        assertEquals(
                List.of("begin base", "await base", "begin a", "await a", "begin b", "await b", "begin c", "await c"),
                preparing(Match.Engine.PASS, Trial.CPU));
        assertEquals(
                List.of("begin base", "begin a", "begin b", "begin c", "await base", "await a", "await b", "await c"),
                preparing(Match.Engine.JMH, Trial.CPU));
    }

    private List<String> preparing(Match.Engine engine, String figure) throws Exception {
        Field field = new Field(name -> 1);
        List<Variant> sides = List.of(BASE.as("a"), BASE.as("b"), BASE.as("c"));
        List<Trial> trials = sides.stream()
                .map(side -> new Trial(side.name(), "", CELL.name(), side.name(), figure, 1, Question.EITHER))
                .toList();
        Match match = new Match("once", engine, Match.Pace.ONCE, List.of(), BASE, sides, List.of(CELL), trials);
        Header header = new Header(Environment.here(), List.of(match), 1, 1, List.of(), true);
        Files.deleteIfExists(file());
        try (Journal journal = Journal.begin(file(), header)) {
            new Duet(journal, field::open, line -> {}).play(Instant.MAX);
        }
        return field.preparing.subList(0, 8);
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
        Journal journal = play(field, Question.EITHER, "new");
        assertEquals(List.of("cell: broken"), journal.failures());
        assertEquals(Map.of("base", 0, "new", 0), field.open);
        assertEquals(Verdict.NOT_RUN, of(journal, "new").verdict());
    }

    @Test
    void aJournalSaysTheSameAgain() throws Exception {
        controlled = List.of("cell");
        Journal journal = play(new Field(name -> 1), Question.of("at-most 1.05"), "new");
        Journal again = Journal.read(file());
        assertEquals(journal.header(), again.header());
        assertEquals(lines(journal), lines(again));
        assertTrue(
                lines(again).stream().anyMatch(line -> line.contains("at most 5.0 % more") && line.endsWith("holds")));
        assertTrue(lines(again).stream().anyMatch(line -> line.contains("as it should be")), () -> "" + lines(again));
        Files.writeString(file(), "{\"slice\":{\"pa", StandardOpenOption.APPEND);
        assertEquals(lines(journal), lines(Journal.read(file())));
    }

    @Test
    void pairsThatOthersDisturbedDoNotCount() throws Exception {
        Journal journal = play(new Field(name -> 1), Question.EITHER, "new");
        busy = false;
        Header strict = header(Question.EITHER, List.of("new"));
        try (Journal disturbed = Journal.begin(file(), strict)) {
            for (Journal.Slice slice : journal.slices("cell")) {
                disturbed.add(slice);
            }
            Machine.Load loud = new Machine.Load(0.4, 0.02, 3);
            for (Played played : journal.played()) {
                disturbed.add(new Played(played.pair(), "cell", played.warmth(), true, loud));
            }
            assertEquals(Verdict.WITHHELD, of(disturbed, "new").verdict());
            assertEquals(disturbed.played(), Journal.read(file()).played());
            List<String> lines = lines(disturbed);
            assertTrue(lines.get(0).startsWith("NOT A QUIET MACHINE"), lines::toString);
            assertTrue(lines.stream().anyMatch(line -> line.contains("withheld  0 of 5")), lines::toString);
        }
    }

    @Test
    void pairsWhoseClocksDisagreeDoNotCount() throws Exception {
        Field field = new Field(name -> 1);
        field.agreed = false;
        Score score = score(field);
        assertEquals(24, score.pairs());
        assertEquals(0, score.counted());
        assertEquals(Verdict.WITHHELD, score.verdict());
    }

    @Test
    void aQuadIsOneRatioAndAPairTheirMedian() {
        List<Journal.Slice> slices = new ArrayList<>();
        long[][] quads = {{100, 100, 110, 110}, {100, 300, 200, 220}, {100, 100, 1000, 1000}};
        for (int quad = 0; quad < quads.length; quad++) {
            for (int turn = 0; turn < 4; turn++) {
                Contestant.Turn did = new Contestant.Turn(0, 0, 1000 * quads[quad][turn], 1000, null, null);
                slices.add(new Journal.Slice(0, "cell", turn < 2 ? "base" : "new", quad, turn < 2, did));
            }
        }
        assertEquals(Math.log(1.1), Score.medianOfQuads(slices, Trial.CPU), 1e-9);
    }

    @Test
    void moreThanTheFirstLookIsPlayedWhereMorePairsAreWanted() throws Exception {
        leastPairs = 12;
        assertEquals(12, score(new Field(name -> 1)).pairs());
    }

    @Test
    void everyMatchGetsItsFirstLookBeforeAnyGetsItsSecond() throws Exception {
        Field field = new Field(name -> name.equals("new") ? 1.05 : 1);
        field.noise = 0.1;
        Cell second = new Cell("second", "Bench.method", Map.of());
        Header header = new Header(
                Environment.here(),
                List.of(match(CELL, Question.EITHER, List.of("new")), match(second, Question.EITHER, List.of("new"))),
                1,
                24,
                List.of(),
                true);
        try (Journal journal = Journal.begin(file(), header)) {
            new Duet(journal, List.of(), field::open, line -> {}, () -> Instant.EPOCH).play(Instant.MAX);
            List<String> order = journal.played().stream().map(Played::cell).toList();
            assertEquals(Collections.nCopies(5, "cell"), order.subList(0, 5));
            assertEquals(Collections.nCopies(5, "second"), order.subList(5, 10));
            assertEquals(List.of("cell", "cell", "second", "second"), order.subList(10, 14));
        }
    }

    /** Of three that are open after the first look the second is decided by a few pairs more, the others not by any. */
    @Test
    void whatIsDecidedSoonestIsPlayedFirst() throws Exception {
        Field field = new Field(name -> name.equals("near") ? 1.22 : 1.05);
        field.noise = 0.1;
        List<Match> matches = new ArrayList<>();
        for (String side : List.of("far", "near", "farther")) {
            matches.add(match(new Cell(side, "Bench.method", Map.of()), Question.EITHER, List.of(side)));
        }
        Header header = new Header(Environment.here(), matches, 1, 24, List.of(), true);
        try (Journal journal = Journal.begin(file(), header)) {
            new Duet(journal, List.of(), field::open, line -> {}, () -> Instant.EPOCH).play(Instant.MAX);
            List<String> order = journal.played().stream().map(Played::cell).toList();
            assertEquals(Verdict.REVERSED, of(journal, "near").verdict());
            int pairs = of(journal, "near").pairs();
            assertTrue(pairs > 5, () -> "open after the first look: " + pairs);
            assertEquals(Collections.nCopies(pairs - 5, "near"), order.subList(15, 10 + pairs));
            assertEquals(List.of("far", "far", "farther", "farther"), order.subList(10 + pairs, 14 + pairs));
        }
    }

    /** Plays two matches that decide a row together, and tells how many pairs each got. */
    private List<Integer> pairsOfARow(Field field, String first, String second) throws Exception {
        Question better = Question.of("better 1.05");
        Cell other = new Cell("other", "Bench.method", Map.of());
        List<Match> both = List.of(match(CELL, better, List.of(first)), match(other, better, List.of(second)));
        List<Trial> row =
                both.stream().flatMap(match -> match.trials().stream()).toList();
        Header header = new Header(Environment.here(), both, 1, 24, List.of(), true);
        try (Journal journal = Journal.begin(file(), header)) {
            new Duet(journal, List.of(row), field::open, line -> {}, () -> Instant.EPOCH).play(Instant.MAX);
            return row.stream().map(trial -> Score.of(journal, trial).pairs()).toList();
        }
    }

    @Test
    void whatIsLeftOfADecidedRowIsNotPlayedOn() throws Exception {
        Field field = new Field(name -> name.equals("slow") ? 1.5 : name.equals("unsure") ? 0.95 : 1);
        field.noise = 0.1;
        assertEquals(List.of(5, 5), pairsOfARow(field, "slow", "unsure"));
    }

    @Test
    void aRowThatIsOpenPlaysOn() throws Exception {
        Field field = new Field(name -> name.equals("fast") ? 0.5 : name.equals("unsure") ? 0.95 : 1);
        field.noise = 0.1;
        assertEquals(List.of(5, 16), pairsOfARow(field, "fast", "unsure"));
    }

    /** Each by itself makes no difference; that this refutes the row needs more pairs, because there are two that could. */
    @Test
    void aRowThatIsOpenThoughEachOfItsTrialsIsDecidedPlaysOn() throws Exception {
        Field field = new Field(name -> name.equals("fast") ? 0.5 : 1);
        field.noise = 0.035;
        List<Integer> pairs = pairsOfARow(field, "fast", "same");
        assertTrue(pairs.get(1) > 5 && pairs.get(1) < 16, () -> "pairs=" + pairs);
        assertEquals(pairs.get(0), pairs.get(1));
    }

    @Test
    void aLookThatTheTimeDoesNotReachIsNotBegun() throws Exception {
        Field field = new Field(name -> name.equals("new") ? 1.05 : 1);
        field.noise = 0.1;
        Instant begin = Instant.EPOCH;
        for (int seconds : new int[] {67, 70}) {
            Instant[] now = {begin};
            try (Journal journal = Journal.begin(file(), header(Question.EITHER, List.of("new")))) {
                Duet.Opener opener = (match, side) -> {
                    now[0] = now[0].plusSeconds(5); // two sides: a round takes ten
                    return field.open(match, side);
                };
                new Duet(journal, List.of(), opener, line -> {}, () -> now[0]).play(begin.plusSeconds(seconds));
                assertEquals(seconds == 70 ? 7 : 5, journal.played().size());
            }
        }
    }

    @Test
    void anEndInBetweenKeepsWhatWasPlayedAndCanBeResumed() throws Exception {
        Header header = header(Question.EITHER, List.of("new"));
        Field field = new Field(name -> 1);
        try (Journal journal = Journal.begin(file(), header)) {
            Duet[] duet = new Duet[1];
            duet[0] = new Duet(
                    journal,
                    (match, side) -> {
                        if (journal.played().size() == 2) {
                            duet[0].stop();
                        }
                        return field.open(match, side);
                    },
                    line -> {});
            duet[0].play(Instant.MAX);
            assertEquals(2, of(journal, "new").pairs());
            assertEquals(List.of(), journal.failures());
        }
        try (Journal resumed = Journal.resume(file(), header)) {
            new Duet(resumed, field::open, line -> {}).play(Instant.MAX);
            assertEquals(5, of(resumed, "new").pairs());
            assertEquals(
                    List.of(0, 1, 2, 3, 4),
                    resumed.played().stream().map(Played::pair).toList());
        }
        Header other = header(Question.of("at-most 2"), List.of("new"));
        IOException problem = assertThrows(IOException.class, () -> Journal.resume(file(), other));
        assertTrue(problem.getMessage().contains("it is of another run"), problem::getMessage);
    }

    @Test
    void theBaseHasParametersOfItsOwnAndAnOperationItsScale() throws Exception {
        Cell cell = new Cell("cell", "Bench.method", Map.of("size", "1", "way", "x"), Map.of("size", "8"));
        Trial trial = new Trial("cell", "", "cell", "new", Trial.CPU, 8, Question.EITHER);
        Match match = new Match(
                "match",
                Match.Engine.JMH,
                Match.Pace.USUAL,
                List.of(),
                BASE,
                List.of(BASE.as("new")),
                List.of(cell),
                List.of(trial));
        Journal journal = FakeContestant.journal(file(), List.of(match), name -> name.equals("new") ? 1 : 8, 0.001);
        assertEquals(1, Score.of(journal, trial).cost().ratio(), 0.01);
        assertEquals(Map.of("size", "8", "way", "x"), match.parameters(cell, BASE));
        assertEquals(Map.of("size", "8", "way", "x"), match.parameters(cell, BASE.as(Match.CONTROL)));
        assertEquals(Map.of("size", "1", "way", "x"), match.parameters(cell, BASE.as("new")));
    }

    private static Score of(Journal journal, String challenger) {
        return journal.header().trials().stream()
                .filter(trial -> trial.challenger().equals(challenger))
                .map(trial -> Score.of(journal, trial))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> lines(Journal journal) {
        Match match = journal.header().matches().get(0);
        String asked = match.trials().get(0).question().text();
        Claim row = Claim.question("row", new Claim.Source(2026, "", ""), asked, match);
        return Results.of("", "", journal, List.of(row)).lines();
    }

    private Score score(Field field) throws Exception {
        return of(play(field, Question.EITHER, "new"), "new");
    }

    private Journal play(Field field, Question question, String... challengers) throws Exception {
        try (Journal journal = Journal.begin(file(), header(question, List.of(challengers)))) {
            new Duet(journal, field::open, line -> {}).play(Instant.MAX);
            return journal;
        }
    }

    private Header header(Question question, List<String> challengers) {
        return new Header(
                Environment.here(), List.of(match(CELL, question, challengers)), leastPairs, 24, controlled, busy);
    }

    private Match match(Cell cell, Question question, List<String> challengers) {
        List<Variant> sides = challengers.stream().map(BASE::as).toList();
        Match.Pace pace = new Match.Pace(quads, 20, 0, 0);
        return Match.of(cell.name(), Match.Engine.JMH, pace, BASE, sides, cell, question);
    }

    private Path file() {
        return folder.resolve("journal.jsonl");
    }
}

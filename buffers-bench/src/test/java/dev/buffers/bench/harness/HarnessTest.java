// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.harness.FakeContestant.Field;
import dev.buffers.bench.harness.Journal.Header;
import dev.buffers.bench.harness.Journal.Measured;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The order of the turns, the end of a harness, and that the journal gives all of it again. */
@Tag("full")
class HarnessTest {
    private static final Cell CELL = new Cell("cell", "Bench.method", Map.of());
    private static final Variant BASE = new Variant("base", Map.of());

    @TempDir
    private Path folder;

    private int quads = 1;
    private int leastPairs = 1;
    private boolean busy = true;
    private List<String> controlled = List.of();

    @Test
    void baseAndAlternativeTakeTurnsAndChangePlaces() throws Exception {
        Field field = new Field(name -> name.equals("new") ? 0.5 : 1);
        quads = 2;
        Journal journal = run(field, Question.EITHER, "new");
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
    void runEndsAtFirstDecidingAnalysis() throws Exception {
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
    void undecidedTrialRunsToLastAnalysis() throws Exception {
        Field field = new Field(name -> name.equals("new") ? 1.05 : 1);
        field.noise = 0.1;
        Score score = score(field);
        assertEquals(16, score.pairs());
        assertEquals(Verdict.OPEN, score.verdict());
    }

    @Test
    void eachAlternativeRunsAgainstBaseUntilDecided() throws Exception {
        Field field = new Field(name -> name.equals("slow") ? 1.5 : name.equals("unsure") ? 1.05 : 1);
        field.noise = 0.05;
        controlled = List.of("cell");
        Journal journal = run(field, Question.EITHER, "slow", "unsure");
        assertEquals(5, of(journal, "slow").pairs());
        assertEquals(16, of(journal, "unsure").pairs());
        assertEquals(
                16,
                Score.of(journal, Trial.of("cell", Comparison.CONTROL, Question.EITHER))
                        .pairs());
        assertTrue(field.asked.contains("base 2 x 20"), "as many turns as the others");
        assertTrue(
                Collections.indexOfSubList(
                                field.asked, List.of("control", "base", "unsure", "unsure", "base", "control"))
                        > 0,
                () -> "two against the base: " + field.asked);
    }

    /** A turn that follows one of the same side is cheaper. */
    @Test
    void allSidesFollowThemselvesEquallyOften() throws Exception {
        quads = 8;
        Field field = new Field(name -> 1);
        run(field, Question.EITHER, "x", "y", "z");
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

    /** Timed work that is done once has the machine for itself; work that only keeps memory runs on three sides at once. */
    @Test
    void memoryPassesRunTogetherAndTimedPassesAlone() throws Exception {
        assertEquals(
                List.of("begin base", "begin a", "begin b", "warm base", "warm a", "warm b", "begin c", "warm c"),
                preparing(Comparison.Engine.PASS, "kept"));
        assertEquals(
                List.of("begin base", "warm base", "begin a", "warm a", "begin b", "warm b", "begin c", "warm c"),
                preparing(Comparison.Engine.PASS, Trial.CPU));
        assertEquals(
                List.of("begin base", "begin a", "begin b", "begin c", "warm base", "warm a", "warm b", "warm c"),
                preparing(Comparison.Engine.JMH, Trial.CPU));
    }

    private List<String> preparing(Comparison.Engine engine, String figure) throws Exception {
        Field field = new Field(name -> 1);
        List<Variant> sides = List.of(BASE.as("a"), BASE.as("b"), BASE.as("c"));
        List<Trial> trials = sides.stream()
                .map(side -> new Trial(side.name(), "", CELL.name(), side.name(), figure, 1, Question.EITHER))
                .toList();
        Comparison comparison =
                new Comparison("once", engine, Comparison.Pace.ONCE, List.of(), BASE, sides, List.of(CELL), trials);
        Header header = new Header(Environment.here(), List.of(comparison), 1, 1, List.of(), true);
        Files.deleteIfExists(file());
        try (Journal journal = Journal.begin(file(), header)) {
            FakeContestant.harness(journal, field::open).run(Instant.MAX);
        }
        return field.preparing.subList(0, 8);
    }

    @Test
    void byTheProcessClockSlicesAreLong() throws Exception {
        Field field = new Field(name -> 1);
        field.threadClock = false;
        run(field, Question.EITHER, "new");
        assertTrue(field.asked.contains("base 2 x 500"), () -> "asked=" + field.asked);
    }

    @Test
    void failureIsInJournalAndLeavesNoContestantRunning() throws Exception {
        Field field = new Field(name -> 1);
        field.failing = "new";
        Journal journal = run(field, Question.EITHER, "new");
        assertEquals(List.of("cell: broken"), journal.failures());
        assertEquals(Map.of("base", 0, "new", 0), field.open);
        assertEquals(Verdict.NOT_RUN, of(journal, "new").verdict());
    }

    @Test
    void aJournalSaysTheSameAgain() throws Exception {
        controlled = List.of("cell");
        Journal journal = run(new Field(name -> 1), Question.of("at-most 1.05"), "new");
        Journal again = Journal.read(file());
        assertEquals(journal.header(), again.header());
        assertEquals(lines(journal), lines(again));
        assertTrue(lines(again).stream().anyMatch(line -> line.endsWith("holds")));
        assertTrue(lines(again).contains("    at most 5.0 % more"), () -> "" + lines(again));
        assertTrue(String.join(" ", lines(again)).contains(", as it should be."), () -> "" + lines(again));
        Files.writeString(file(), "{\"slice\":{\"pa", StandardOpenOption.APPEND);
        assertEquals(lines(journal), lines(Journal.read(file())));
    }

    @Test
    void contestantsWarmUpInTurns() throws Exception {
        Field field = new Field(name -> 1);
        field.bursts = 2;
        run(field, Question.EITHER, "new");
        assertEquals(
                List.of("begin base", "begin new", "warm base", "warm new", "warm base", "warm new"),
                field.preparing.subList(0, 6));
    }

    /** Others used 42 % of the machine: the interval is 1 / (1 - 0.42) times as wide. */
    @Test
    void disturbedPairsCountWithWiderInterval() throws Exception {
        Journal quiet = run(new Field(name -> 1), Question.EITHER, "new");
        Estimate cost = of(quiet, "new").cost();
        try (Journal disturbed = disturbed(quiet)) {
            Score score = of(disturbed, "new");
            assertEquals(5, score.counted());
            assertEquals(cost.ratio(), score.cost().ratio());
            assertEquals(cost.error() / 0.58, score.cost().error(), 1e-9);
            String said = String.join(" ", lines(disturbed));
            assertTrue(said.contains("5 of 5 pairs were disturbed: they count, with a wider interval."), said);
            assertTrue(said.contains(" To close: other, pid 7 (30 %). "), said);
        }
    }

    /** One alternative: Student's error. Two that vary alike: the same error from twice the degrees of freedom. */
    @Test
    void errorIsPooledOverAlternatives() {
        double[] one = {0.02, -0.01, 0.05, 0};
        Estimate alone = Estimate.of(one);
        Estimate same = alone.pooled(List.of(one));
        assertEquals(alone.error(), same.error(), 1e-12);
        assertEquals(3, same.freedom());
        double[] other = {0.5 - 0.02, 0.5 + 0.01, 0.5 - 0.05, 0.5};
        Estimate both = alone.pooled(List.of(one, other));
        assertEquals(6, both.freedom());
        assertEquals(alone.mean(), both.mean());
        // sides 0, r and c - r: residuals sum up to 2 r^2 of the deviations, over 6 degrees of freedom
        double squares = 4 * 3 * alone.error() * alone.error();
        assertEquals(Math.sqrt(2 * (2 * squares) / 6 / 4), both.error(), 1e-12);
        double critical = Math.log(both.interval().high()) - both.mean();
        assertTrue(critical / both.error() < 4.2, "of six degrees of freedom: " + critical / both.error());
    }

    @Test
    void disturbedPairsOfClaimsAreLeftOut() throws Exception {
        Journal quiet = run(new Field(name -> 1), Question.EITHER, "new");
        busy = false;
        try (Journal disturbed = disturbed(quiet)) {
            assertEquals(Verdict.WITHHELD, of(disturbed, "new").verdict());
            assertEquals(disturbed.measured(), Journal.read(file()).measured());
            assertTrue(String.join(" ", lines(disturbed)).contains("--busy counts them"), () -> "" + lines(disturbed));
        }
    }

    private Journal disturbed(Journal journal) throws IOException {
        Journal disturbed = Journal.begin(file(), header(Question.EITHER, List.of("new")));
        for (Journal.Slice slice : journal.slices("cell")) {
            disturbed.add(slice);
        }
        Machine.Load loud = new Machine.Load(0.4, 0.02, 3, Map.of("other, pid 7", 0.3));
        for (Measured measured : journal.measured()) {
            disturbed.add(new Measured(measured.pair(), "cell", measured.warmth(), true, loud));
        }
        return disturbed;
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
    void leastPairsExtendRunBeyondFirstAnalysis() throws Exception {
        leastPairs = 12;
        assertEquals(12, score(new Field(name -> 1)).pairs());
    }

    @Test
    void allComparisonsGetFirstAnalysisBeforeAnySecond() throws Exception {
        Field field = new Field(name -> name.equals("new") ? 1.05 : 1);
        field.noise = 0.1;
        Cell second = new Cell("second", "Bench.method", Map.of());
        Header header = new Header(
                Environment.here(),
                List.of(
                        comparison(CELL, Question.EITHER, List.of("new")),
                        comparison(second, Question.EITHER, List.of("new"))),
                1,
                24,
                List.of(),
                true);
        try (Journal journal = Journal.begin(file(), header)) {
            FakeContestant.harness(journal, List.of(), field::open, () -> Instant.EPOCH)
                    .run(Instant.MAX);
            List<String> order = journal.measured().stream().map(Measured::cell).toList();
            assertEquals(Collections.nCopies(5, "cell"), order.subList(0, 5));
            assertEquals(Collections.nCopies(5, "second"), order.subList(5, 10));
            assertEquals(List.of("cell", "cell", "second", "second"), order.subList(10, 14));
        }
    }

    /** Three comparisons are open after the first analysis. A few more pairs decide the second one; no number decides the others. */
    @Test
    void comparisonDecidedSoonestRunsFirst() throws Exception {
        Field field = new Field(name -> name.equals("near") ? 1.22 : 1.05);
        field.noise = 0.1;
        List<Comparison> comparisons = new ArrayList<>();
        for (String side : List.of("far", "near", "farther")) {
            comparisons.add(comparison(new Cell(side, "Bench.method", Map.of()), Question.EITHER, List.of(side)));
        }
        Header header = new Header(Environment.here(), comparisons, 1, 24, List.of(), true);
        try (Journal journal = Journal.begin(file(), header)) {
            FakeContestant.harness(journal, List.of(), field::open, () -> Instant.EPOCH)
                    .run(Instant.MAX);
            List<String> order = journal.measured().stream().map(Measured::cell).toList();
            assertEquals(Verdict.REVERSED, of(journal, "near").verdict());
            int pairs = of(journal, "near").pairs();
            assertTrue(pairs > 5, () -> "open after the first analysis: " + pairs);
            assertEquals(Collections.nCopies(pairs - 5, "near"), order.subList(15, 10 + pairs));
            assertEquals(List.of("far", "far", "farther", "farther"), order.subList(10 + pairs, 14 + pairs));
        }
    }

    /** Runs two comparisons that decide a claim together, and returns how many pairs each got. */
    private List<Integer> pairsOfClaim(Field field, String first, String second) throws Exception {
        Question better = Question.of("better 1.05");
        Cell other = new Cell("other", "Bench.method", Map.of());
        List<Comparison> both =
                List.of(comparison(CELL, better, List.of(first)), comparison(other, better, List.of(second)));
        List<Trial> row = both.stream()
                .flatMap(comparison -> comparison.trials().stream())
                .toList();
        Header header = new Header(Environment.here(), both, 1, 24, List.of(), true);
        try (Journal journal = Journal.begin(file(), header)) {
            FakeContestant.harness(journal, List.of(row), field::open, () -> Instant.EPOCH)
                    .run(Instant.MAX);
            return row.stream().map(trial -> Score.of(journal, trial).pairs()).toList();
        }
    }

    @Test
    void openTrialOfDecidedClaimDoesNotGoOn() throws Exception {
        Field field = new Field(name -> name.equals("slow") ? 1.5 : name.equals("unsure") ? 0.95 : 1);
        field.noise = 0.1;
        assertEquals(List.of(5, 5), pairsOfClaim(field, "slow", "unsure"));
    }

    @Test
    void openTrialOfOpenClaimGoesOn() throws Exception {
        Field field = new Field(name -> name.equals("fast") ? 0.5 : name.equals("unsure") ? 0.95 : 1);
        field.noise = 0.1;
        assertEquals(List.of(5, 16), pairsOfClaim(field, "fast", "unsure"));
    }

    /** Each trial by itself shows no difference. To refute the claim takes more pairs, because two trials could refute it. */
    @Test
    void decidedTrialsOfOpenClaimGoOn() throws Exception {
        Field field = new Field(name -> name.equals("fast") ? 0.5 : 1);
        field.noise = 0.035;
        List<Integer> pairs = pairsOfClaim(field, "fast", "same");
        assertTrue(pairs.get(1) > 5 && pairs.get(1) < 16, () -> "pairs=" + pairs);
        assertEquals(pairs.get(0), pairs.get(1));
    }

    @Test
    void analysisBeyondDeadlineIsNotBegun() throws Exception {
        Field field = new Field(name -> name.equals("new") ? 1.05 : 1);
        field.noise = 0.1;
        Instant begin = Instant.EPOCH;
        for (int seconds : new int[] {67, 70}) {
            Instant[] now = {begin};
            try (Journal journal = Journal.begin(file(), header(Question.EITHER, List.of("new")))) {
                Harness.Opener opener = (comparison, side) -> {
                    now[0] = now[0].plusSeconds(5); // two sides: a round takes ten
                    return field.open(comparison, side);
                };
                FakeContestant.harness(journal, List.of(), opener, () -> now[0]).run(begin.plusSeconds(seconds));
                assertEquals(seconds == 70 ? 7 : 5, journal.measured().size());
            }
        }
    }

    @Test
    void stoppedRunKeepsItsPairsAndCanBeResumed() throws Exception {
        Header header = header(Question.EITHER, List.of("new"));
        Field field = new Field(name -> 1);
        try (Journal journal = Journal.begin(file(), header)) {
            Harness[] harness = new Harness[1];
            harness[0] = FakeContestant.harness(journal, (comparison, side) -> {
                if (journal.measured().size() == 2) {
                    harness[0].stop();
                }
                return field.open(comparison, side);
            });
            harness[0].run(Instant.MAX);
            assertEquals(2, of(journal, "new").pairs());
            assertEquals(List.of(), journal.failures());
        }
        try (Journal resumed = Journal.resume(file(), header)) {
            FakeContestant.harness(resumed, field::open).run(Instant.MAX);
            assertEquals(5, of(resumed, "new").pairs());
            assertEquals(
                    List.of(0, 1, 2, 3, 4),
                    resumed.measured().stream().map(Measured::pair).toList());
        }
        Header other = header(Question.of("at-most 2"), List.of("new"));
        IOException problem = assertThrows(IOException.class, () -> Journal.resume(file(), other));
        assertTrue(problem.getMessage().contains("it is of another run"), problem::getMessage);
    }

    @Test
    void resumedRunKeepsToItsMostPairs() throws Exception {
        Comparison comparison = comparison(CELL, Question.EITHER, List.of("new"));
        Header header = new Header(Environment.here(), List.of(comparison), 5, 2, List.of(), true);
        Field field = new Field(name -> 1);
        try (Journal journal = Journal.begin(file(), header)) {
            FakeContestant.harness(journal, field::open).run(Instant.MAX);
            assertEquals(2, of(journal, "new").pairs());
        }
        try (Journal resumed = Journal.resume(file(), header)) {
            FakeContestant.harness(resumed, field::open).run(Instant.MAX);
            assertEquals(2, of(resumed, "new").pairs());
        }
    }

    @Test
    void baseHasSeparateParametersAndOperationIsScaled() throws Exception {
        Cell cell = new Cell("cell", "Bench.method", Map.of("size", "1", "way", "x"), Map.of("size", "8"));
        Trial trial = new Trial("cell", "", "cell", "new", Trial.CPU, 8, Question.EITHER);
        Comparison comparison = new Comparison(
                "comparison",
                Comparison.Engine.JMH,
                Comparison.Pace.USUAL,
                List.of(),
                BASE,
                List.of(BASE.as("new")),
                List.of(cell),
                List.of(trial));
        Journal journal =
                FakeContestant.journal(file(), List.of(comparison), name -> name.equals("new") ? 1 : 8, 0.001);
        assertEquals(1, Score.of(journal, trial).cost().ratio(), 0.01);
        assertEquals(Map.of("size", "8", "way", "x"), comparison.parameters(cell, BASE));
        assertEquals(Map.of("size", "8", "way", "x"), comparison.parameters(cell, BASE.as(Comparison.CONTROL)));
        assertEquals(Map.of("size", "1", "way", "x"), comparison.parameters(cell, BASE.as("new")));
    }

    private static Score of(Journal journal, String alternative) {
        return journal.header().trials().stream()
                .filter(trial -> trial.alternative().equals(alternative))
                .map(trial -> Score.of(journal, trial))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> lines(Journal journal) {
        Comparison comparison = journal.header().comparisons().get(0);
        String asked = comparison.trials().get(0).question().text();
        Claim row = Claim.question("row", new Claim.Source(2026, "", ""), asked, comparison);
        return Results.of("", journal, List.of(row)).lines();
    }

    private Score score(Field field) throws Exception {
        return of(run(field, Question.EITHER, "new"), "new");
    }

    private Journal run(Field field, Question question, String... alternatives) throws Exception {
        try (Journal journal = Journal.begin(file(), header(question, List.of(alternatives)))) {
            FakeContestant.harness(journal, field::open).run(Instant.MAX);
            return journal;
        }
    }

    private Header header(Question question, List<String> alternatives) {
        return new Header(
                Environment.here(),
                List.of(comparison(CELL, question, alternatives)),
                leastPairs,
                24,
                controlled,
                busy);
    }

    private Comparison comparison(Cell cell, Question question, List<String> alternatives) {
        List<Variant> sides = alternatives.stream().map(BASE::as).toList();
        Comparison.Pace pace = new Comparison.Pace(quads, 20, 0, 0);
        return Comparison.of(cell.name(), Comparison.Engine.JMH, pace, BASE, sides, cell, question);
    }

    private Path file() {
        return folder.resolve("journal.jsonl");
    }
}

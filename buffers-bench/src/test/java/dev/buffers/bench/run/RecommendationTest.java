package dev.buffers.bench.run;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.bench.duet.Cell;
import dev.buffers.bench.duet.FakeContestant;
import dev.buffers.bench.duet.Match;
import dev.buffers.bench.duet.Question;
import dev.buffers.bench.duet.Variant;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which policy is named when a difference is planted. */
class RecommendationTest {
    @TempDir
    private Path folder;

    @Test
    void fivePercentAreFoundAndSaid() throws Exception {
        String said = of(side -> side.equals("heap") ? 0.95 : side.equals("rival") ? 0.5 : 1, 0.01);
        assertTrue(said.matches("Set -Dbuffers.policy=heap: a request takes [45][.]\\d % less .*"), said);
        assertTrue(said.contains("% less CPU time of the server than with the default, direct-view, -"), said);
        assertTrue(said.endsWith("% at 95 %."), said);
    }

    @Test
    void theDefaultStaysWhereNothingIsBetter() throws Exception {
        String said = of(side -> side.equals("heap") ? 1.2 : 1, 0.005);
        assertTrue(
                said.startsWith(
                        "Leave -Dbuffers.policy=direct-view, the default: a request takes more CPU time with heap ("),
                said);
        assertTrue(
                said.matches(
                        ".* with heap \\((19|20)[.]\\d % more, .*; it takes as much, within 5 %, with heap-view \\(.*"),
                said);
        assertFalse(said.contains("open"), said);
    }

    @Test
    void whatIsOpenIsCalledSo() throws Exception {
        String said = of(side -> 1, 0.5);
        assertTrue(said.contains("the default: whether it takes less is open with heap ("), said);
    }

    @Test
    void whatIsDecidedIsSaidBeforeWhatIsOpen() throws Exception {
        String said = of(side -> side.equals("heap") ? 3 : 1, 0.2);
        assertTrue(
                said.matches(
                        ".* takes more CPU time with heap \\(.*\\); whether it takes less is open with heap-view \\(.*"),
                said);
    }

    private String of(ToDoubleFunction<String> cost, double noise) throws Exception {
        Cell cell = new Cell("requests", "staying", Map.of());
        List<Variant> others = List.of(side("heap", "policy"), side("heap-view", "policy"), side("rival", "lane"));
        Match match = Match.of(
                "servers",
                Match.Engine.HTTP,
                new Match.Pace(4, 20, 0, 0),
                side("direct-view", "policy"),
                others,
                cell,
                Question.of("either 1"));
        return new Recommendation(FakeContestant.journal(folder.resolve("j"), List.of(match), cost, noise), match)
                .sentence();
    }

    private static Variant side(String name, String parameter) {
        return new Variant(name, Map.of(parameter, name));
    }
}

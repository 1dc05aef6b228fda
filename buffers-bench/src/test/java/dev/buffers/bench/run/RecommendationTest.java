// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.bench.harness.Cell;
import dev.buffers.bench.harness.Comparison;
import dev.buffers.bench.harness.FakeContestant;
import dev.buffers.bench.harness.Question;
import dev.buffers.bench.harness.Variant;
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
        Recommendation found = of(side -> side.equals("heap") ? 0.95 : side.equals("rival") ? 0.5 : 1, 0.01, 24);
        String said = found.headline();
        assertTrue(
                said.matches(
                        "Set the policy heap. A request takes [45][.]\\d % less CPU time than with direct-view, the"
                                + " default \\(95 %: \\d+[.]\\d % less to \\d[.]\\d % less\\)[.]"),
                said);
        assertEquals(List.of("-Dbuffers.policy=heap"), found.settings());
    }

    @Test
    void defaultStaysWhereNothingIsBetter() throws Exception {
        Recommendation found = of(side -> side.equals("heap") ? 1.2 : 1, 0.005, 24);
        assertEquals(
                "Keep the default policy, direct-view. No other takes less CPU time for a request.", found.headline());
        assertEquals(List.of(), found.settings(), "nothing to copy");
    }

    @Test
    void nearestIsNamedWhereOpen() throws Exception {
        String said = of(side -> side.equals("heap") ? 3 : 1, 0.3, 24).headline();
        assertTrue(
                said.matches("Keep the default policy, direct-view. No other is known to take less CPU time; nearest is"
                        + " heap-view with .* (less|more) \\(95 %: .* less to .* more\\)[.]"),
                said);
    }

    @Test
    void fewPairsGiveNoAdvice() throws Exception {
        Recommendation three = of(side -> 1, 0.1, 3);
        assertTrue(three.headline().startsWith("Not decided: 3 of at least 5 pairs."), three::headline);
        assertFalse(three.headline().contains("eep the default"), three::headline);
        assertEquals(List.of(), three.settings());
        String one = of(side -> side.equals("heap") ? 0.5 : 1, 0.01, 1).sentence();
        assertTrue(
                one.matches(
                        "not decided: 1 of at least 5 pairs[.] Of the other policies heap takes the least CPU time so"
                                + " far, (49|50)[.]\\d % less than direct-view, the default[.]"),
                one);
    }

    @Test
    void withoutAnyPairNothingIsSaid() throws Exception {
        assertEquals(
                "Nothing is known yet: no pair of servers was measured to its end.",
                of(side -> 1, 0.1, 0).headline());
    }

    private Recommendation of(ToDoubleFunction<String> cost, double noise, int pairs) throws Exception {
        Cell cell = new Cell("requests", "staying", Map.of());
        List<Variant> others = List.of(side("heap", "policy"), side("heap-view", "policy"), side("rival", "source"));
        Comparison comparison = Comparison.of(
                "servers",
                Comparison.Engine.HTTP,
                new Comparison.Pace(4, 20, 0, 0),
                side("direct-view", "policy"),
                others,
                cell,
                Question.of("either 1"));
        return new Recommendation(
                FakeContestant.journal(folder.resolve("j"), List.of(comparison), cost, noise, pairs), comparison);
    }

    private static Variant side(String name, String parameter) {
        return new Variant(name, Map.of(parameter, name));
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.harness.Estimate;
import dev.buffers.bench.harness.Question;
import dev.buffers.bench.harness.Score;
import dev.buffers.bench.harness.Trial;
import dev.buffers.bench.harness.Verdict;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What follows from the verdicts of all uses. */
class AdviceTest {
    private final Map<String, List<Score>> uses = new LinkedHashMap<>();

    @Test
    void aPolicyThatIsBetterOnceAndWorseNeverIsForAll() {
        uses.put("socket", List.of(score("heap", 1.3, Verdict.HOLDS), score("direct", 1, Verdict.NO_DIFFERENCE)));
        uses.put("codec", List.of(score("heap", 1, Verdict.OPEN), score("direct", 1.1, Verdict.HOLDS)));
        Advice advice = new Advice(uses);
        assertEquals(Map.of("buffers.policy", "heap"), advice.settings());
        assertEquals(
                "Set the policy heap for all uses. It takes less CPU time than direct-view, the default, in socket, and is not"
                        + " known to take more in any.",
                advice.sentence());
    }

    @Test
    void policyBetterInOneUseOnlyGetsSeparatePool() {
        uses.put("socket", List.of(score("heap", 1.3, Verdict.HOLDS)));
        uses.put("codec", List.of(score("heap", 0.8, Verdict.REVERSED)));
        Advice advice = new Advice(uses);
        assertEquals(
                List.of("buffers.socket.policy=heap"),
                advice.settings().entrySet().stream().map(Object::toString).toList());
        assertTrue(advice.sentence().contains("BufferPool.create(\"socket\")"), advice::sentence);
    }

    @Test
    void defaultStaysWhereNothingIsKnownAndNothingIsToCopy() {
        uses.put("socket", List.of(score("heap", 1.01, Verdict.OPEN)));
        assertEquals(Map.of(), new Advice(uses).settings());
        assertEquals(
                "Keep the default policy, direct-view, for all uses. No other is known to take less CPU time.",
                new Advice(uses).sentence());
    }

    @Test
    void eachUseIsAQuestionAboutOneCell() {
        List<Claim> questions = AdviseCommand.questions(AdviseCommand.comparison());
        assertEquals(
                List.of("socket", "codec", "hand-off", "file-transfer"),
                questions.stream().map(Claim::id).toList());
        for (Claim question : questions) {
            assertEquals(
                    List.of(question.id(), question.id(), question.id()),
                    question.trials(true).stream().map(Trial::cell).toList());
        }
    }

    private static Score score(String policy, double better, Verdict verdict) {
        Estimate cost = new Estimate(7, -Math.log(better), 0.01);
        Trial trial = Trial.of("cell", policy, Question.of("either 1"));
        return new Score(trial, 7, 7, cost, cost, verdict);
    }
}

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
    void policyBetterOnceAndNeverWorseIsForAll() {
        uses.put("socket", List.of(score("heap", 1.3, Verdict.HOLDS), score("direct", 1, Verdict.NO_DIFFERENCE)));
        uses.put("codec", List.of(score("heap", 1, Verdict.OPEN), score("direct", 1.1, Verdict.HOLDS)));
        Advice advice = new Advice(uses);
        assertEquals(Map.of("buffers.policy", "heap"), advice.settings());
        assertEquals(
                "Set the policy heap for all uses. It takes less CPU time than direct-view, the default, in socket, and at most"
                        + " 5 % more in each other use.",
                advice.sentence());
    }

    @Test
    void policyWithPossibleLossInAnotherUseGetsSeparatePool() {
        uses.put("socket", List.of(score("heap", 1 / 1.12, 0.05, Verdict.OPEN)));
        uses.put("codec", List.of(score("heap", 1 / 0.8, Verdict.HOLDS)));
        uses.put("hand-off", List.of(score("heap", 1 / 1.1, 0.05, Verdict.OPEN)));
        uses.put("file-transfer", List.of(score("heap", 1 / 1.15, 0.06, Verdict.OPEN)));
        assertEquals(Map.of("buffers.codec.policy", "heap"), new Advice(uses).settings());
    }

    /** Its 95 % bound for one side is about 1.04 with the error of 0.015, and 1.07 with 0.025. */
    @Test
    void lossOfMoreThanFivePercentMustBeExcludedForAllUses() {
        uses.put("socket", List.of(score("heap", 1.3, Verdict.HOLDS)));
        uses.put("codec", List.of(score("heap", 1, 0.015, Verdict.OPEN)));
        assertEquals(Map.of("buffers.policy", "heap"), new Advice(uses).settings());
        uses.put("codec", List.of(score("heap", 1, 0.025, Verdict.OPEN)));
        assertEquals(Map.of("buffers.socket.policy", "heap"), new Advice(uses).settings());
    }

    @Test
    void policyNotMeasuredInEveryUseIsNotForAll() {
        uses.put("socket", List.of(score("heap", 1.3, Verdict.HOLDS), score("direct", 1, Verdict.NO_DIFFERENCE)));
        uses.put("codec", List.of(score("direct", 1, Verdict.NO_DIFFERENCE)));
        assertEquals(Map.of("buffers.socket.policy", "heap"), new Advice(uses).settings());
    }

    @Test
    void policyForAllNamesEveryUseWhereDefaultCostsMore() {
        uses.put("socket", List.of(score("heap", 1.2, Verdict.HOLDS), score("direct", 1.3, Verdict.HOLDS)));
        uses.put("codec", List.of(score("heap", 1, Verdict.NO_DIFFERENCE), score("direct", 0.8, Verdict.REVERSED)));
        assertEquals(
                "Set the policy heap for all uses. It takes less CPU time than direct-view, the default, in socket, and at most"
                        + " 5 % more in each other use.",
                new Advice(uses).sentence());
        uses.remove("codec");
        assertEquals(
                "Set the policy direct for all uses. It takes less CPU time than direct-view, the default, in each of them.",
                new Advice(uses).sentence());
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
    void fewPairsGiveNoAdvice() {
        Trial trial = Trial.of("cell", "heap", Question.of("either 1"));
        Estimate cost = new Estimate(3, -0.1, 0.01);
        uses.put("socket", List.of(new Score(trial, 3, 3, cost, cost, Verdict.OPEN)));
        assertEquals("Not decided: 3 of at least 5 pairs.", new Advice(uses).sentence());
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
        return score(policy, better, 0.01, verdict);
    }

    private static Score score(String policy, double better, double error, Verdict verdict) {
        Estimate cost = new Estimate(7, -Math.log(better), error);
        Trial trial = Trial.of("cell", policy, Question.of("either 1"));
        return new Score(trial, 7, 7, cost, cost, verdict);
    }
}

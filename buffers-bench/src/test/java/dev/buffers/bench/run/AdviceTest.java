package dev.buffers.bench.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.bench.duet.Estimate;
import dev.buffers.bench.duet.Question;
import dev.buffers.bench.duet.Score;
import dev.buffers.bench.duet.Trial;
import dev.buffers.bench.duet.Verdict;
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
                "Set -Dbuffers.policy=heap for all uses: it takes less CPU time than the default in socket, more in none.",
                advice.sentence());
    }

    @Test
    void whatIsBetterHereAndWorseThereGetsAPoolOfItsOwn() {
        uses.put("socket", List.of(score("heap", 1.3, Verdict.HOLDS)));
        uses.put("codec", List.of(score("heap", 0.8, Verdict.REVERSED)));
        Advice advice = new Advice(uses);
        assertEquals(
                List.of("buffers.policy=direct-view", "buffers.socket.policy=heap"),
                advice.settings().entrySet().stream().map(Object::toString).toList());
        assertTrue(advice.sentence().contains("BufferPool.create(\"socket\")"), advice::sentence);
    }

    @Test
    void aDisturbedMachineAdvisesNothing() {
        uses.put("socket", List.of(score("heap", 1.3, Verdict.WITHHELD)));
        assertEquals("No advice: others used too much of this machine.", new Advice(uses).sentence());
    }

    @Test
    void theDefaultStaysWhereNothingIsKnown() {
        uses.put("socket", List.of(score("heap", 1.01, Verdict.OPEN)));
        assertEquals(Map.of("buffers.policy", "direct-view"), new Advice(uses).settings());
        assertTrue(new Advice(uses).sentence().startsWith("Leave -Dbuffers.policy=direct-view"));
    }

    @Test
    void eachUseIsARow() {
        assertEquals(4, AdviseCommand.rows().size());
    }

    private static Score score(String policy, double better, Verdict verdict) {
        Estimate cost = new Estimate(7, -Math.log(better), 0.01);
        Trial trial = Trial.of("cell", policy, Question.of("either 1"));
        return new Score(trial, 7, 7, cost, cost, 1, 1, verdict);
    }
}

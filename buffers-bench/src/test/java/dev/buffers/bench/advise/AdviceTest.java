package dev.buffers.bench.advise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.bench.claims.Experiment;
import dev.buffers.bench.figures.Verdict;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is advised for figures of each kind. */
class AdviceTest {
    private static final int ENOUGH = 5;

    @Test
    void withoutADifferenceTheDefaultStays() throws Exception {
        Advice advice = advice(ENOUGH, MadeUpUse.clear("codec", Map.of()));

        UseAdvice codec = advice.uses().get(0);
        assertEquals("direct-view", codec.policy());
        assertEquals("-Dbuffers.codec.policy=direct-view", codec.setting());
        assertEquals("the default: no difference between the policies", codec.reason());
        assertNull(advice.policyForAll());
        assertEquals(Map.of("buffers.policy", "direct-view"), advice.settings());
        assertTrue(advice.conclusion().contains("nothing is known to be better"), advice.conclusion());
    }

    @Test
    void theBestOfThoseThatAreBetterIsForTheUse() throws Exception {
        UseAdvice codec = advice(ENOUGH, MadeUpUse.clear("codec", Map.of("heap", 1.2, "heap-view", 1.4, "direct", 0.5)))
                .uses()
                .get(0);

        assertEquals("heap-view", codec.policy());
        assertTrue(codec.reason().startsWith("1.40 times better than the default (1.3"), codec.reason());
        assertEquals(Verdict.HOLDS, codec.verdict("heap"));
        assertEquals(Verdict.REVERSED, codec.verdict("direct"));
    }

    @Test
    void moreMayBeBetter() throws Exception {
        UseAdvice use = advice(ENOUGH, MadeUpUse.rate("codec", Map.of("heap", 1.2, "direct", 0.5)))
                .uses()
                .get(0);

        assertEquals("heap", use.policy());
        assertEquals(Verdict.REVERSED, use.verdict("direct"));
    }

    @Test
    void lessThanFivePercentIsNoDifference() throws Exception {
        assertEquals(
                "the default: no difference between the policies",
                advice(ENOUGH, MadeUpUse.clear("codec", Map.of("heap", 1.03)))
                        .uses()
                        .get(0)
                        .reason());
    }

    @Test
    void whatIsOnlyWorseIsNamed() throws Exception {
        assertEquals(
                "the default: no other is better; worse: heap, unpooled",
                advice(ENOUGH, MadeUpUse.clear("socket", Map.of("heap", 0.8, "unpooled", 0.7)))
                        .uses()
                        .get(0)
                        .reason());
    }

    @Test
    void noiseIsNoAdvice() throws Exception {
        Advice advice = advice(ENOUGH, MadeUpUse.noisy("socket"));

        assertEquals(
                "the default: the differences are within the noise",
                advice.uses().get(0).reason());
        assertEquals(Map.of("buffers.policy", "direct-view"), advice.settings());
    }

    @Test
    void betterHereAndWorseNowhereIsForAll() throws Exception {
        Advice advice = advice(
                ENOUGH,
                MadeUpUse.clear("codec", Map.of("heap-view", 1.3)),
                MadeUpUse.noisy("socket"),
                MadeUpUse.clear("hand-off", Map.of()));

        assertEquals("heap-view", advice.policyForAll());
        assertEquals(Map.of("buffers.policy", "heap-view"), advice.settings());
        assertTrue(advice.conclusion().contains("-Dbuffers.policy=heap-view, better than the default in codec, worse"));
    }

    @Test
    void ofSeveralThatAreForAllTheOneWithTheGreatestGainIsTaken() throws Exception {
        Advice advice = advice(
                ENOUGH,
                MadeUpUse.clear("codec", Map.of("heap-view", 1.3, "heap", 1.4)),
                MadeUpUse.clear("socket", Map.of("heap-view", 1.2)));

        assertEquals("heap-view", advice.policyForAll());
    }

    @Test
    void betterHereAndWorseThereIsForAPoolOfItsOwn() throws Exception {
        Advice advice = advice(
                ENOUGH,
                MadeUpUse.clear("codec", Map.of("heap", 1.3)),
                MadeUpUse.clear("socket", Map.of("heap", 0.8)),
                MadeUpUse.clear("hand-off", Map.of("direct", 1.2, "heap", 0.9)),
                MadeUpUse.clear("file-transfer", Map.of("direct", 0.9)));

        assertNull(advice.policyForAll());
        assertEquals(
                Map.of(
                        "buffers.policy", "direct-view",
                        "buffers.codec.policy", "heap",
                        "buffers.hand-off.policy", "direct"),
                advice.settings());
        assertTrue(
                advice.conclusion().contains("BufferPool.create(\"codec\") with -Dbuffers.codec.policy=heap;"),
                advice.conclusion());
    }

    @Test
    void threeRoundsAreTooFewAndFourAreNot() throws Exception {
        Map<String, Double> factors = Map.of("heap", 2.0);

        assertEquals(
                "the default: too few rounds to tell",
                advice(3, MadeUpUse.clear("codec", factors)).uses().get(0).reason());
        assertEquals("heap", advice(4, MadeUpUse.clear("codec", factors)).policyForAll());
    }

    @Test
    void nothingMeasuredIsNoAdvice() throws Exception {
        Advice advice = advice(0, MadeUpUse.clear("codec", Map.of()));

        assertEquals("the default: not measured", advice.uses().get(0).reason());
        assertEquals(Map.of("buffers.policy", "direct-view"), advice.settings());
    }

    @Test
    void whatFailedInOneUseIsNotForAll() throws Exception {
        Advice advice = advice(
                ENOUGH,
                MadeUpUse.clear("codec", Map.of("heap", 1.3)),
                MadeUpUse.clear("socket", Map.of("heap", MadeUpUse.FAILS)));

        assertNull(advice.policyForAll());
        assertEquals("heap", advice.settings().get("buffers.codec.policy"));
        assertEquals(Verdict.NOT_RUN, advice.uses().get(1).verdict("heap"));
    }

    @Test
    void withoutTheDefaultNothingIsCompared() throws Exception {
        Advice advice = advice(ENOUGH, MadeUpUse.clear("codec", Map.of("direct-view", MadeUpUse.FAILS)));

        assertEquals("the default: not measured", advice.uses().get(0).reason());
    }

    private static Advice advice(int rounds, Experiment... uses) throws IOException, InterruptedException {
        List<Experiment> all = List.of(uses);
        return Advice.of(all, MadeUpUse.measured(rounds, all));
    }
}

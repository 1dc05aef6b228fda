// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Combination;
import dev.buffers.support.Combinations;
import dev.buffers.support.Logged;
import dev.buffers.support.ModelSequence;
import dev.buffers.support.ReferenceModel;
import dev.buffers.support.WaitHeldTick;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random sequences of all that can be done with a pool, its leases and its channels, on every combination of settings, against a
 * {@link ReferenceModel}. A failure prints a line, as short as was found, which belongs in {@code model-corpus.txt} from then on.
 */
class ModelTest {
    private static final int OPS = 400;
    private static final long LONG_SECONDS = Long.getLong("model.seconds", 600);
    private static final long BREATH = TimeUnit.SECONDS.toNanos(20);

    private static WaitHeldTick heldTick;
    private static Logged log;

    @BeforeAll
    static void timePassesByHandOnly() throws Exception {
        log = new Logged("model");
        heldTick = new WaitHeldTick();
    }

    @AfterAll
    static void timePasses() {
        heldTick.close();
        log.close();
    }

    private static List<String> corpus() throws IOException {
        try (InputStream corpus = ModelTest.class.getResourceAsStream("model-corpus.txt")) {
            return new String(Objects.requireNonNull(corpus).readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .toList();
        }
    }

    private static void check(Combination combination, long seed, int count, boolean twoThreads) {
        ModelSequence.random(combination, seed, count, twoThreads)
                .check(
                        "seed " + seed + " of " + count + " operations by "
                                + (twoThreads ? "two threads" : "one thread") + " on " + combination + ":",
                        ReferenceModel::new,
                        Thread::new);
    }

    @Test
    void sequencesOfTheCorpusDoNotFailAgain() throws IOException {
        assertFalse(corpus().isEmpty());
        for (String line : corpus()) {
            ModelSequence sequence = ModelSequence.parse(line);
            if (sequence.combination().isValid()) {
                sequence.check("of the corpus:", ReferenceModel::new, Thread::new);
            }
        }
    }

    @Test
    void everyCombinationAgreesWithTheModel() {
        for (Combination combination : Combinations.all()) {
            check(combination, 2, OPS / 4, true);
        }
    }

    @Tag("full")
    @Test
    void everyCombinationAgreesWithTheModelWithOneAndTwoThreads() {
        for (Combination combination : Combinations.all()) {
            check(combination, 1, OPS, false);
            check(combination, 2, OPS, true);
        }
    }

    @Tag("full")
    @Test
    void everyCombinationAgreesWithTheModelOnFreshSeed() {
        long seed = System.nanoTime() & Integer.MAX_VALUE;
        System.out.println("model test: fresh seed " + seed);
        for (Combination combination : Combinations.pairwise()) {
            check(combination, seed, OPS, true);
        }
    }

    @Tag("stress")
    @Test
    void everyCombinationAgreesWithTheModelForLong() throws Exception {
        long first = System.nanoTime() & Integer.MAX_VALUE;
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LONG_SECONDS);
        List<Combination> all = Combinations.all();
        long done = 0;
        long breath = System.nanoTime() + BREATH;
        for (long seed = first; System.nanoTime() - end < 0; seed++) {
            if (System.nanoTime() - breath > 0) {
                timePasses(); // the daemon lets go of closed pools, and logged messages are forgotten
                timePassesByHandOnly();
                breath = System.nanoTime() + BREATH;
            }
            Random random = new Random(seed);
            int count = 50 + random.nextInt(3_000);
            check(all.get(random.nextInt(all.size())), seed, count, random.nextBoolean());
            done += count;
        }
        System.out.println("model test: seeds from " + first + ", operations " + done);
        assertTrue(done > 0);
    }

    /** Assumes that discarded memory goes back. */
    private static final class Forgetful extends ReferenceModel {
        Forgetful(PoolSettings settings) {
            super(settings);
        }

        @Override
        public boolean end(Lease lease, boolean discards) {
            return super.end(lease, false);
        }
    }

    @Test
    void aWrongModelIsFoundByAShortSequence() {
        Combination combination = Combination.parse("policy=heap-view max=1m zero=release leaks=all");
        ModelSequence failing = null;
        for (long seed = 1; failing == null && seed < 20; seed++) {
            ModelSequence sequence = ModelSequence.random(combination, seed, 600, true);
            failing = sequence.failure(Forgetful::new, Thread::new) == null ? null : sequence;
        }
        assertNotNull(failing, "a wrong model was not found");
        ModelSequence shortest = failing.shrunk(Forgetful::new, Thread::new);
        assertEquals(Combination.DEFAULTS, shortest.combination());
        assertTrue(shortest.ops().size() <= 3, shortest::toString);
        assertTrue(shortest.toString().contains("discard 0"), shortest::toString);
        assertNull(shortest.failure(ReferenceModel::new, Thread::new), "it is the model that is wrong");
    }

    @Test
    void theMessageHasALineForTheCorpus() {
        ModelSequence sequence = ModelSequence.parse("max=1m | acquire 3 100; write 3 0 50; @discard 3; trim");
        AssertionError error =
                assertThrows(AssertionError.class, () -> sequence.check("seed 7:", Forgetful::new, Thread::new));
        String[] lines = error.getMessage().split("\n");
        assertTrue(lines[0].startsWith("operation 2, discard 0: figures"), error::getMessage);
        assertEquals("seed 7:", lines[lines.length - 2]);
        ModelSequence again = ModelSequence.parse(lines[lines.length - 1]);
        assertEquals("defaults | acquire 0 0; discard 0", again.toString());
        assertNotNull(again.failure(Forgetful::new, Thread::new));
    }
}

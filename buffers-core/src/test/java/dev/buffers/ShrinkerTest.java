// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Combination;
import dev.buffers.support.Logged;
import dev.buffers.support.ModelSequence;
import dev.buffers.support.ReferenceModel;
import dev.buffers.support.WaitHeldTick;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A model that is wrong on purpose fails. The sequence that is printed then is short, says where it comes from, and fails again. */
class ShrinkerTest {
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

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import dev.buffers.support.Combination;
import dev.buffers.support.Combinations;
import dev.buffers.support.Logged;
import dev.buffers.support.ModelSequence;
import dev.buffers.support.ReferenceModel;
import dev.buffers.support.WaitHeldTick;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** As {@link ModelTest}, with a second thread that is virtual, and has stripes where the first one has magazines. */
@Tag("virtual")
class ModelVirtualTest {
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

    @Test
    void everyCombinationAgreesWithTheModel() {
        for (Combination combination : Combinations.pairwise()) {
            ModelSequence.random(combination, 3, 300, true)
                    .check(
                            "seed 3, virtual, on " + combination + ":",
                            ReferenceModel::new,
                            Thread.ofVirtual().factory());
        }
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import dev.buffers.support.Combination;
import dev.buffers.support.Combinations;
import dev.buffers.support.Logged;
import dev.buffers.support.ModelSequence;
import dev.buffers.support.ReferenceModel;
import dev.buffers.support.WaitHeldTick;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** As {@link ModelTest}, with a second thread that is virtual, and has stripes where the first one has magazines. */
@Tag("virtual")
class ModelVirtualTest {
    @Test
    @SuppressWarnings("try") // the tick is held, the log is kept from the console, and that is all
    void everyCombinationAgreesWithTheModel() throws Exception {
        try (Logged log = new Logged("model");
                WaitHeldTick heldTick = new WaitHeldTick()) {
            for (Combination combination : Combinations.pairwise()) {
                ModelSequence.random(combination, 3, 300, true)
                        .check(
                                "seed 3, virtual, on " + combination + ":",
                                ReferenceModel::new,
                                Thread.ofVirtual().factory());
            }
        }
    }
}

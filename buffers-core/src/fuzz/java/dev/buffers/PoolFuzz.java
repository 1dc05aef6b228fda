// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.buffers.support.FuzzedPool;
import dev.buffers.support.Logged;
import dev.buffers.support.WaitHeldTick;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Jazzer on {@link FuzzedPool}. */
class PoolFuzz {
    private static Logged said;
    private static WaitHeldTick heldTick;

    @BeforeAll
    static void timePassesByHandOnly() throws Exception {
        said = new Logged("model");
        heldTick = new WaitHeldTick();
    }

    @AfterAll
    static void timePasses() {
        heldTick.close();
        said.close();
    }

    @FuzzTest
    void operations(byte[] input) {
        FuzzedPool.run(input);
    }
}

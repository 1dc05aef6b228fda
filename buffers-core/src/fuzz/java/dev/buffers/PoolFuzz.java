// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.buffers.support.FuzzedPool;
import dev.buffers.support.Logged;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Jazzer on {@link FuzzedPool}. */
class PoolFuzz {
    private static Logged said;

    @BeforeAll
    static void listen() {
        said = new Logged("none");
    }

    @AfterAll
    static void listenNoMore() {
        said.close();
    }

    @FuzzTest
    void operations(byte[] input) throws Exception {
        FuzzedPool.run(input);
    }
}

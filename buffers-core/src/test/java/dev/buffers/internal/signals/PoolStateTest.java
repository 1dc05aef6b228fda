// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.signals;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.BareOwner;
import dev.buffers.support.Threads;
import java.util.Collections;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PoolStateTest {
    private BareOwner pool = new BareOwner();

    @AfterEach
    void free() {
        pool.close();
    }

    @Test
    void concurrentSignalsDoNotOverwriteEachOther() throws Exception {
        AtomicInteger bits = new AtomicInteger();
        Threads.together(Collections.nCopies(4, () -> {
            int bit = 1 << 16 + bits.getAndIncrement();
            for (int i = 0; i < 1_000_000; i++) {
                pool.signal(bit, true);
                assertTrue((pool.signals & bit) != 0, "another thread has overwritten it");
                pool.signal(bit, false);
            }
        }));
        assertEquals(0, pool.signals);
    }
}

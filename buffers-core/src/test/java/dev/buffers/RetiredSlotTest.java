// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import dev.buffers.support.Conservation;
import dev.buffers.support.DirectRoom;
import dev.buffers.support.Eventually;
import dev.buffers.support.Kind;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A slot that is never used again reaches its region no more, though a sleeping thread's magazine may still name it (I9). */
class RetiredSlotTest {

    @ParameterizedTest
    @MethodSource("dev.buffers.support.Kind#pooled")
    void aDiscardBeforeTheLastLeaseLetsItsMemoryGo(Kind kind) {
        DirectRoom.make();
        try (BufferPool pool = kind.builder("retired").build()) {
            PooledBuffer first = pool.acquire(4096);
            PooledBuffer further = first.retain();
            first.discard();
            further.release();
            Eventually.collected("its memory goes back", () -> {
                pool.trim();
                PoolStats now = Conservation.check(pool);
                return now.reservedBytes() + now.droppedBytes() == 0;
            });
        }
    }
}

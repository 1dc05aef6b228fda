// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.buffers.support.Conservation;
import dev.buffers.support.DirectRoom;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One program, unchanged, under each policy: {@code -Dbuffers.program.policy} alone decides. */
class PolicySwitchTest {

    /** Knows nothing of policies. */
    private static String program() {
        try (BufferPool pool = BufferPool.create("program")) {
            List<PooledBuffer> leases = new ArrayList<>();
            for (int i = 0; i < 2000; i++) {
                PooledBuffer lease = pool.acquire(1 + i * 37 % 40_000);
                lease.buffer().put((byte) i);
                leases.add(lease);
                if (leases.size() > 50) {
                    leases.remove(i % 50).release();
                }
            }
            ByteBuffer first = leases.get(0).buffer();
            boolean ownArray = first.hasArray() && first.array().length == first.capacity();
            leases.forEach(PooledBuffer::release);
            PoolStats stats = Conservation.check(pool);
            return pool.settings().policy().name() + " direct=" + first.isDirect() + " own array=" + ownArray
                    + " pooled=" + (stats.acquires(AcquireOutcome.UNPOOLED) == 0)
                    + " released=" + stats.releases(ReleaseOutcome.RECYCLED) + " leases=" + stats.leases();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "heap,        false, true,  true",
        "direct,      true,  false, true",
        "heap-view,   false, false, true",
        "direct-view, true,  false, true",
        "unpooled,    false, true,  false"
    })
    void thePolicyIsASwitch(String policy, boolean direct, boolean ownArray, boolean pooled) {
        DirectRoom.make();
        System.setProperty("buffers.program.policy", policy);
        try {
            assertEquals(
                    policy + " direct=" + direct + " own array=" + ownArray + " pooled=" + pooled
                            + " released=2000 leases=0",
                    program());
        } finally {
            System.clearProperty("buffers.program.policy");
        }
    }
}

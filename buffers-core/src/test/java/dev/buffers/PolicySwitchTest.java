// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.buffers.support.Conservation;
import dev.buffers.support.Jvm;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One program, unchanged, under each policy: {@code -Dbuffers.policy} alone decides. */
class PolicySwitchTest {

    /** Knows nothing of policies. */
    static final class Program {
        public static void main(String[] args) {
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
                boolean direct = leases.get(0).buffer().isDirect();
                boolean first = leases.get(0).buffer().hasArray()
                        && leases.get(0).buffer().array().length
                                == leases.get(0).capacity();
                leases.forEach(PooledBuffer::release);
                PoolStats stats = Conservation.check(pool);
                System.out.println(pool.settings().policy().name() + " direct=" + direct + " own array=" + first
                        + " pooled=" + (stats.acquires(AcquireOutcome.UNPOOLED) == 0)
                        + " released=" + stats.releases(ReleaseOutcome.RECYCLED) + " leases=" + stats.leases());
            }
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
    void thePolicyIsASwitch(String policy, boolean direct, boolean ownArray, boolean pooled) throws Exception {
        assertEquals(
                policy + " direct=" + direct + " own array=" + ownArray + " pooled=" + pooled
                        + " released=2000 leases=0\n",
                Jvm.run(Program.class, "-Dbuffers.policy=" + policy));
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.monitor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.PooledBuffer;
import dev.buffers.internal.signals.PoolName;
import dev.buffers.support.BareOwner;
import dev.buffers.support.Eventually;
import dev.buffers.support.Logged;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExposureTest {
    @Test
    void endFreesNameOfPoolAndNoOther() {
        BareOwner first = new BareOwner();
        Exposure exposure = new Exposure(first);
        assertTrue(PoolName.open().contains(first.name()));
        exposure.run();
        assertFalse(PoolName.open().contains(first.name()));
        BareOwner second = new BareOwner();
        assertEquals(first.name(), second.name());
        exposure.run(); // again
        assertTrue(PoolName.open().contains(second.name()));
        second.ownedName().free();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void closeLogsOpenLeasesIfThereAreAny(boolean guard) {
        try (Logged log = new Logged("exposed")) {
            BufferPool.builder("exposed").policy("heap").guard(guard).build().close();
            BufferPool pool =
                    BufferPool.builder("exposed").policy("heap").guard(guard).build();
            PooledBuffer lease = pool.acquire(1000);
            pool.close();
            Eventually.holds("the log has the line", () -> !log.records().isEmpty());
            lease.release();
            assertEquals(
                    1,
                    log.lines("a pool was closed while leases are out: pool=exposed, leases=1")
                            .size());
        }
    }
}

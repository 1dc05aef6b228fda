// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.support.PoolKind;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One call inside at a time, and the lease is ended once: by the close or by the call that it met (T1, T2). */
class StreamLeaseTest {
    private final BufferPool pool = PoolKind.of("heap").builder().build();
    private final StreamLease lease = new StreamLease(pool, 100);

    @AfterEach
    void nothingIsOut() {
        PoolKind.assertNothingOut(pool);
        pool.close();
    }

    private void assertHolds(int leases) {
        assertEquals(leases, pool.stats().leases());
    }

    /** A release may throw although it has ended the lease. */
    @Test
    void callThatFailsToReleaseLetsTheNextOneIn() throws IOException {
        FakePoolTest.FakePool fake = new FakePoolTest.FakePool();
        StreamLease its = new StreamLease(fake, 100);
        its.enter();
        its.cleared();
        fake.releaseThrows = new StackOverflowError("scripted");
        assertThrows(StackOverflowError.class, () -> its.leave(false));
        its.enter();
        its.cleared();
        assertFalse(its.close());
        assertThrows(StackOverflowError.class, () -> its.leave(false));
        assertTrue(its.isClosed());
        assertEquals(0, fake.out);
    }

    @Test
    void runningCallEndsLeaseOfClosedStream() throws IOException {
        lease.enter();
        lease.cleared();
        assertFalse(lease.close());
        assertFalse(lease.close());
        assertFalse(lease.isClosed());
        assertThrows(IOException.class, lease::enter);
        assertHolds(1);
        assertFalse(lease.leave(true));
        assertHolds(0);
        assertTrue(lease.isClosed());
    }

    @Test
    void eitherCloserOrCallEndsLease() throws Exception {
        for (int i = 0; i < 1000; i++) {
            StreamLease raced = new StreamLease(pool, 100);
            boolean[] ended = new boolean[1];
            Thread caller = new Thread(() -> {
                try {
                    do {
                        raced.enter();
                        raced.cleared();
                    } while (raced.leave(true));
                    ended[0] = true;
                } catch (IOException e) {
                    return;
                }
            });
            caller.start();
            for (int spins = i & 1023; spins > 0; spins--) {
                Thread.onSpinWait();
            }
            boolean closersToEnd = raced.close();
            if (closersToEnd) {
                raced.end();
            }
            caller.join();
            assertTrue(closersToEnd != ended[0]);
            assertHolds(0);
        }
    }
}

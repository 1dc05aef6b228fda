// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Conservation;
import dev.buffers.support.Leases;
import dev.buffers.support.Threads;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Undertow (the fix of CVE-2025-9784 had to delay the freeing): direct memory was freed while another thread still had the buffer. Here
 * memory that is freed at once stays as long as a lease on it is open, and a later use gets an exception: no crash, and no bytes of another
 * holder.
 */
class FreedUnderneathTest {
    private static final int ROUNDS = 50;

    private static BufferPool.Builder builder(String policy) {
        return BufferPool.builder("freed").policy(policy).max(8 << 20);
    }

    @ParameterizedTest
    @ValueSource(strings = {"direct-view", "direct"})
    void anOpenLeaseKeepsItsMemoryWhateverElseGoes(String policy) throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            BufferPool pool = builder(policy).free(PoolSettings.Freeing.PROMPT).build();
            PooledBuffer first = pool.acquire(100_000);
            PooledBuffer ofTheIo = first.retain();
            List<PooledBuffer> beside = Leases.of(20, () -> pool.acquire(100_000));
            CountDownLatch writing = new CountDownLatch(1);
            AtomicBoolean enough = new AtomicBoolean();
            Threads.together(List.of(
                    () -> {
                        ByteBuffer buffer = ofTheIo.buffer();
                        for (long n = 0; !enough.get(); n++) {
                            buffer.putLong(8, n);
                            assertEquals(n, buffer.getLong(8));
                            writing.countDown();
                        }
                    },
                    () -> {
                        writing.await();
                        first.release();
                        beside.forEach(PooledBuffer::release);
                        pool.trim();
                        pool.close();
                        enough.set(true);
                    }));
            ByteBuffer stale = ofTheIo.buffer();
            assertTrue(stale.getLong(8) >= 0);
            assertTrue(ofTheIo.release());
            assertThrows(IllegalStateException.class, () -> stale.getLong(8));
            Conservation.check(pool);
        }
    }

    /** The mistake: a thread goes on with a buffer that another has released, as its memory is freed. */
    @ParameterizedTest
    @ValueSource(strings = {"direct-view", "direct"})
    void aUseAfterTheFreeIsAnException(String policy) throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            try (BufferPool pool =
                    builder(policy).free(PoolSettings.Freeing.PROMPT).build()) {
                PooledBuffer lease = pool.acquire(100_000);
                useWhile(lease.buffer(), () -> {
                    lease.release();
                    pool.trim();
                });
                Conservation.check(pool);
            }
        }
    }

    /** With {@code guard=on} that is so at the release, while the next holder has the slot already. */
    @ParameterizedTest
    @ValueSource(strings = {"direct-view", "direct"})
    void aUseAfterTheReleaseIsAnExceptionWithGuard(String policy) throws Exception {
        try (BufferPool pool = builder(policy).guard(true).build()) {
            for (int round = 0; round < ROUNDS; round++) {
                PooledBuffer lease = pool.acquire(10_000);
                PooledBuffer[] next = new PooledBuffer[1];
                useWhile(lease.buffer(), () -> {
                    lease.release();
                    pool.trim(); // nothing is kept aside any more
                    next[0] = pool.acquire(10_000);
                    next[0].buffer().putLong(8, -1);
                });
                assertEquals(-1, next[0].buffer().getLong(8));
                next[0].release();
            }
            Conservation.check(pool);
        }
    }

    /** One thread writes until that fails, and the other in the meantime takes the memory from under it. */
    private static void useWhile(ByteBuffer buffer, Runnable taking) throws Exception {
        CountDownLatch writing = new CountDownLatch(1);
        Threads.together(List.of(
                () -> {
                    IllegalStateException gone = assertThrows(IllegalStateException.class, () -> {
                        for (long n = 0; ; n++) {
                            buffer.putLong(8, n);
                            writing.countDown();
                        }
                    });
                    assertFalse(gone.getMessage().isEmpty());
                },
                () -> {
                    writing.await();
                    taking.run();
                }));
    }
}

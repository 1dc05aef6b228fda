// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import dev.buffers.support.Eventually;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The trace of a lease that has ended keeps no memory, and with its stack no classes of an application. */
class OldTracesTest {
    private static final int SIZE = 1024;

    private final List<WeakReference<String>> notes = new ArrayList<>();

    /** With leases of many slots open at once, one of which stays open. */
    private PooledBuffer leaseAll(BufferPool pool) {
        List<PooledBuffer> leases = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            PooledBuffer lease = pool.acquire(SIZE);
            String note = "note " + i; // a trace keeps it
            lease.touch(note);
            notes.add(new WeakReference<>(note));
            leases.add(lease);
        }
        PooledBuffer kept = leases.remove(250);
        notes.remove(250);
        leases.forEach(PooledBuffer::release);
        return kept;
    }

    private void assertNotesAreCollected() {
        Eventually.collected("no slot keeps an old trace", this::areCollected);
    }

    private boolean areCollected() {
        return notes.stream().allMatch(note -> note.get() == null);
    }

    /** Also not in the magazine of a thread that goes on. */
    @Tag("full")
    @Test
    void trackingThatIsTurnedOffLeavesNoTraces() {
        try (BufferPool pool = pool()) {
            PooledBuffer kept = leaseAll(pool);
            pool.leaks(LeakTracking.count());
            Eventually.collected("no slot keeps an old trace", () -> {
                pool.acquire(SIZE).release();
                return areCollected();
            });
            kept.release();
        }
    }

    @Test
    void trimLeavesNoTraces() {
        try (BufferPool pool = pool()) {
            PooledBuffer kept = leaseAll(pool);
            pool.trim();
            assertNotesAreCollected();
            kept.release();
        }
    }

    private static BufferPool pool() {
        return BufferPool.builder("traces")
                .policy("heap-view")
                .max(16 << 20)
                .leaks(LeakTracking.all())
                .build();
    }
}

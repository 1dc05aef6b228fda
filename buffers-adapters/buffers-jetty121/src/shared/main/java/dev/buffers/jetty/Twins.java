// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.jetty;

import dev.buffers.BufferPolicy;
import dev.buffers.BufferPool;
import dev.buffers.PooledBuffer;
import java.util.List;
import java.util.Objects;
import org.eclipse.jetty.util.component.DumpableCollection;

/**
 * Two pools, between which Jetty's {@code direct} chooses: one as it is configured, and one whose buffers are exact arrays, because
 * parts of Jetty read into {@code array()} from index 0 and for all of its length. They are one where the first is such a pool already.
 */
final class Twins {
    /**
     * Jetty's own pool gives out nothing smaller than 4 KiB, and parts of Jetty fill what they get rather than what they asked for: its
     * gzip asks for 512 bytes, and would send chunks of that size; and 0 is asked for by what leaves the size to the pool.
     */
    static final int USUAL = 4096;

    /** What asks for so little knows how much it writes: 12 bytes for the line before a chunk, up to 28 for a frame's header. */
    static final int TINY = 32;

    private final BufferPool pool;
    private final BufferPool heap;
    private final boolean owned;

    private Twins(BufferPool pool, BufferPool heap, boolean owned) {
        this.pool = pool;
        this.heap = heap;
        this.owned = owned;
    }

    static Twins create(String name) {
        BufferPool pool = BufferPool.builder(name).forServer().build();
        if (hasExactArrays(pool)) {
            return new Twins(pool, pool, true);
        }
        try {
            BufferPool heap = BufferPool.builder(name + "-heap")
                    .forServer()
                    .policy("heap")
                    .build();
            return new Twins(pool, heap, true);
        } catch (RuntimeException e) {
            pool.close();
            throw e;
        }
    }

    static Twins of(BufferPool pool, BufferPool heap) {
        Objects.requireNonNull(pool, "pool");
        if (!hasExactArrays(heap)) {
            throw new IllegalArgumentException(
                    "each heap buffer must be its own exact array (policy heap or unpooled): heap=" + heap.name()
                            + ", policy=" + heap.settings().policy().name());
        }
        return new Twins(pool, heap, false);
    }

    private static boolean hasExactArrays(BufferPool pool) {
        BufferPolicy policy = pool.settings().policy();
        return !policy.direct() && !policy.views();
    }

    /** A lease on an empty buffer in Jetty's flush mode. */
    PooledBuffer acquire(int size, boolean direct) {
        boolean usual = size == 0 || size > TINY && size < USUAL;
        PooledBuffer lease = (direct ? pool : heap).acquire(usual ? USUAL : size);
        lease.buffer().limit(0);
        return lease;
    }

    void trim() {
        pool.trim();
        if (heap != pool) {
            heap.trim();
        }
    }

    void close() {
        if (owned) {
            pool.close();
            heap.close();
        }
    }

    BufferPool pool() {
        return pool;
    }

    BufferPool heap() {
        return heap;
    }

    /** Each pool once, as Jetty dumps it: line by line, the first as the head of the others. */
    Object[] tables() {
        return pool == heap ? new Object[] {table(pool)} : new Object[] {table(pool), table(heap)};
    }

    private static DumpableCollection table(BufferPool pool) {
        List<String> lines = pool.dump().lines().toList();
        return new DumpableCollection(lines.get(0), lines.subList(1, lines.size()));
    }

    @Override
    public String toString() {
        return pool == heap ? pool.name() : pool.name() + ", heap=" + heap.name();
    }
}

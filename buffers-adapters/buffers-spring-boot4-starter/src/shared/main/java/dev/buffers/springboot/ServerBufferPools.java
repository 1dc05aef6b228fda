// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.springboot;

import dev.buffers.BufferPolicy;
import dev.buffers.BufferPool;
import java.util.List;
import java.util.Objects;

/**
 * The pools of an application's embedded server: {@code server}, and its twin {@code server-heap} for what wants arrays. A bean of this
 * type that the application defines takes the place of the starter's own.
 *
 * <p><b>Ownership.</b> The context closes this bean after it has stopped the server. Buffers that are out then may still be used and
 * released.
 *
 * <p><b>Threads.</b> Any. <b>Source.</b> Spring Boot, {@code WebServerFactoryCustomizer}.
 */
public final class ServerBufferPools implements AutoCloseable {
    private final BufferPool pool;
    private final BufferPool heapPool;
    private volatile boolean servesServer;

    private ServerBufferPools(BufferPool pool, BufferPool heapPool) {
        this.pool = pool;
        this.heapPool = heapPool;
    }

    /**
     * These two pools, which are closed with the result.
     *
     * @param pool what most buffers come from
     * @param heapPool what buffers with arrays come from; may be {@code pool}
     * @return both as one bean
     * @throws IllegalArgumentException when {@code heapPool} gives direct memory, or views of larger arrays
     */
    public static ServerBufferPools of(BufferPool pool, BufferPool heapPool) {
        Objects.requireNonNull(pool, "pool");
        if (!hasExactArrays(heapPool)) {
            throw new IllegalArgumentException(
                    "each heap buffer must be its own exact array (policy heap or unpooled): heapPool="
                            + heapPool.name() + ", policy="
                            + heapPool.settings().policy().name());
        }
        return new ServerBufferPools(pool, heapPool);
    }

    static boolean hasExactArrays(BufferPool pool) {
        BufferPolicy policy = pool.settings().policy();
        return !policy.direct() && !policy.views();
    }

    /**
     * What most buffers come from.
     *
     * @return the pool itself
     */
    public BufferPool pool() {
        return pool;
    }

    /**
     * What buffers with exact arrays come from.
     *
     * @return the pool itself, perhaps the same as {@link #pool}
     */
    public BufferPool heapPool() {
        return heapPool;
    }

    /**
     * Each pool once.
     *
     * @return one or two
     */
    public List<BufferPool> all() {
        return pool == heapPool ? List.of(pool) : List.of(pool, heapPool);
    }

    /** A server has been put on them. */
    void serve() {
        servesServer = true;
    }

    /** Whether one has. */
    boolean servesServer() {
        return servesServer;
    }

    /** Closes both pools. Closing again does nothing. */
    @Override
    public void close() {
        all().forEach(BufferPool::close);
    }

    @Override
    public String toString() {
        return "ServerBufferPools" + all().stream().map(BufferPool::name).toList();
    }
}

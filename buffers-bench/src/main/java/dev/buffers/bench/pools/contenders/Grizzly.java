// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.pools.contenders;

import dev.buffers.bench.jvm.DirectMemory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.glassfish.grizzly.Buffer;
import org.glassfish.grizzly.memory.ByteBufferManager;
import org.glassfish.grizzly.memory.HeapMemoryManager;
import org.glassfish.grizzly.memory.MemoryManager;
import org.glassfish.grizzly.memory.PooledMemoryManager;
import org.glassfish.grizzly.memory.ThreadLocalPool;
import org.glassfish.grizzly.threadpool.DefaultWorkerThread;
import org.jspecify.annotations.Nullable;

/**
 * One of Grizzly's memory managers. Its thread-local pools and its caches of wrappers are for its own worker threads, which therefore
 * all workloads run on: on any other thread the first two managers allocate each time. A buffer is disposed of, not only released, since
 * that is what gives its wrapper back too.
 */
final class Grizzly implements Contender {
    private final MemoryManager<?> manager;
    private final LongSupplier keptBytes;

    private Grizzly(MemoryManager<?> manager, LongSupplier keptBytes) {
        this.manager = manager;
        this.keptBytes = keptBytes;
    }

    /** A separate class, so that a JVM makes only the manager that it measures. */
    private static final class Heap {
        static final HeapMemoryManager MANAGER = new HeapMemoryManager();
        static final AtomicInteger WORKERS = new AtomicInteger();
    }

    private static final class Direct {
        static final ByteBufferManager MANAGER = new ByteBufferManager(true);
    }

    /** Its default: pieces of one 64 KiB array for each worker thread, whose first and last piece alone can be given back. */
    static Contender heap() {
        return new Grizzly(Heap.MANAGER, () -> (long) Heap.WORKERS.get() * Heap.MANAGER.getMaxBufferSize());
    }

    /** Pieces of one 64 KiB direct buffer for each worker thread, of which only the last can be given back. */
    static Contender byteBuffer() {
        return new Grizzly(Direct.MANAGER, new DirectMemory()::growth);
    }

    /**
     * Its shared pool of three sizes, on the heap, with its defaults: a share of the heap, all of it allocated at the start and kept.
     * What it cannot serve from that goes to the collector.
     */
    static Contender pooled() {
        float share = PooledMemoryManager.DEFAULT_HEAP_USAGE_PERCENTAGE;
        return new Grizzly(
                new PooledMemoryManager(), () -> (long) (Runtime.getRuntime().maxMemory() * share));
    }

    static Thread heapWorker(Runnable task) {
        return worker(Heap.MANAGER.createThreadLocalPool(), () -> {
            Heap.WORKERS.incrementAndGet();
            try {
                task.run();
            } finally {
                Heap.WORKERS.decrementAndGet();
            }
        });
    }

    static Thread byteBufferWorker(Runnable task) {
        return worker(Direct.MANAGER.createThreadLocalPool(), task);
    }

    static Thread pooledWorker(Runnable task) {
        return worker(null, task);
    }

    private static Thread worker(@Nullable ThreadLocalPool<?> pool, Runnable task) {
        return new DefaultWorkerThread(
                org.glassfish.grizzly.Grizzly.DEFAULT_ATTRIBUTE_BUILDER, "grizzly-worker", pool, task);
    }

    @Override
    public Object acquire(int size) {
        return manager.allocate(size);
    }

    @Override
    public void put(Object lease, int index, byte value) {
        ((Buffer) lease).put(index, value);
    }

    @Override
    public byte get(Object lease, int index) {
        return ((Buffer) lease).get(index);
    }

    @Override
    public void release(Object lease) {
        ((Buffer) lease).dispose();
    }

    @Override
    public long keptBytes() {
        return keptBytes.getAsLong();
    }
}

// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.grizzly;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.glassfish.grizzly.Buffer;
import org.glassfish.grizzly.Grizzly;
import org.glassfish.grizzly.memory.ByteBufferManager;
import org.glassfish.grizzly.memory.HeapMemoryManager;
import org.glassfish.grizzly.memory.MemoryManager;
import org.glassfish.grizzly.memory.ThreadLocalPoolProvider;
import org.glassfish.grizzly.threadpool.DefaultWorkerThread;

/** Grizzly's own memory managers and ours, a new one for each test. */
enum Subject {
    HEAP_MEMORY_MANAGER {
        @Override
        MemoryManager<?> make() {
            return new HeapMemoryManager();
        }
    },
    BYTE_BUFFER_MANAGER {
        @Override
        MemoryManager<?> make() {
            return new ByteBufferManager();
        }
    },
    DIRECT_BYTE_BUFFER_MANAGER {
        @Override
        MemoryManager<?> make() {
            return new ByteBufferManager(true);
        }
    },
    OURS {
        @Override
        MemoryManager<?> make() {
            return new GrizzlyMemoryManager();
        }
    },
    OURS_ON_THE_HEAP {
        @Override
        MemoryManager<?> make() {
            System.setProperty("buffers.policy", "heap");
            return new GrizzlyMemoryManager();
        }
    },
    OURS_IN_HEAP_VIEWS {
        @Override
        MemoryManager<?> make() {
            System.setProperty("buffers.policy", "heap-view");
            return new GrizzlyMemoryManager();
        }
    },
    OURS_GUARDED {
        @Override
        MemoryManager<?> make() {
            System.setProperty("buffers.guard", "on");
            return new GrizzlyMemoryManager();
        }
    };

    abstract MemoryManager<?> make();

    interface Body {
        void run(MemoryManager<Buffer> memory) throws Exception;
    }

    /** Runs on a Grizzly thread, which has a thread-local pool. At the end no lease of our pools is left. */
    @SuppressWarnings("unchecked")
    void run(Body body) throws Exception {
        try {
            MemoryManager<Buffer> memory = (MemoryManager<Buffer>) make();
            Callable<Void> task = () -> {
                body.run(memory);
                return null;
            };
            FutureTask<Void> future = new FutureTask<>(task);
            Thread worker = new DefaultWorkerThread(
                    Grizzly.DEFAULT_ATTRIBUTE_BUILDER,
                    "worker",
                    memory instanceof ThreadLocalPoolProvider pools ? pools.createThreadLocalPool() : null,
                    future);
            worker.start();
            future.get(300, TimeUnit.SECONDS);
            worker.join();
            leasesAreBack(memory);
            close(memory);
        } finally {
            forgetSettings();
        }
    }

    /** Closes the manager from {@link #make}, also while some of its buffers are leased. */
    void close(MemoryManager<?> memory) {
        forgetSettings();
        if (memory instanceof GrizzlyMemoryManager ours) {
            ours.close();
        }
    }

    private static void forgetSettings() {
        System.clearProperty("buffers.policy");
        System.clearProperty("buffers.guard");
    }

    /**
     * Waits for all leases of our pools. A server may still be about to give some back when its client has its answer, and loses those that
     * it has when it is shut down at once.
     */
    static void leasesAreBack(MemoryManager<?> memory) throws InterruptedException {
        if (memory instanceof GrizzlyMemoryManager ours) {
            eventuallyNoLease(ours.pool());
            eventuallyNoLease(ours.heapPool());
        }
    }

    private static void eventuallyNoLease(BufferPool pool) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(300);
        while (pool.stats().leases() > 0) {
            assertTrue(System.nanoTime() - end < 0, () -> pool.openLeases().toString());
            Thread.sleep(5);
        }
        assertEquals(0, pool.stats().leaks());
    }
}

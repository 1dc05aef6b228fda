package dev.buffers.bench.lanes.contenders;

import java.util.concurrent.atomic.AtomicInteger;
import org.glassfish.grizzly.memory.HeapMemoryManager;

/** Grizzly's default: pieces of one 64 KiB array for each worker thread, whose first and last piece alone can be given back. */
final class GrizzlyHeap extends Grizzly {
    private static final HeapMemoryManager MANAGER = new HeapMemoryManager();
    private static final AtomicInteger WORKERS = new AtomicInteger();

    GrizzlyHeap() {
        super(MANAGER);
    }

    static Thread worker(Runnable task) {
        return worker(MANAGER.createThreadLocalPool(), () -> {
            WORKERS.incrementAndGet();
            try {
                task.run();
            } finally {
                WORKERS.decrementAndGet();
            }
        });
    }

    /** An array for each worker alive. */
    @Override
    public long keptBytes() {
        return (long) WORKERS.get() * MANAGER.getMaxBufferSize();
    }
}

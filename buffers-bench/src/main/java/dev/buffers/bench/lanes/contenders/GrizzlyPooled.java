package dev.buffers.bench.lanes.contenders;

import org.glassfish.grizzly.memory.PooledMemoryManager;

/**
 * Grizzly's shared pool of three sizes, on the heap, with its defaults: a share of the heap, all of it allocated at the start and kept.
 * What it cannot serve from that goes to the collector.
 */
final class GrizzlyPooled extends Grizzly {
    GrizzlyPooled() {
        super(new PooledMemoryManager());
    }

    static Thread worker(Runnable task) {
        return worker(null, task);
    }

    @Override
    public long keptBytes() {
        return (long) (Runtime.getRuntime().maxMemory() * PooledMemoryManager.DEFAULT_HEAP_USAGE_PERCENTAGE);
    }
}

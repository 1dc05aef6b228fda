package dev.buffers.bench.lanes.contenders;

import dev.buffers.bench.jvm.DirectMemory;
import org.glassfish.grizzly.memory.ByteBufferManager;

/** Grizzly's pieces of one 64 KiB direct buffer for each worker thread, of which only the last can be given back. */
final class GrizzlyByteBuffer extends Grizzly {
    private static final ByteBufferManager MANAGER = new ByteBufferManager(true);

    private final DirectMemory memory = new DirectMemory();

    GrizzlyByteBuffer() {
        super(MANAGER);
    }

    static Thread worker(Runnable task) {
        return worker(MANAGER.createThreadLocalPool(), task);
    }

    @Override
    public long keptBytes() {
        return memory.growth();
    }
}

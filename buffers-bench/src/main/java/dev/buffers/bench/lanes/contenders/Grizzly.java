package dev.buffers.bench.lanes.contenders;

import org.glassfish.grizzly.Buffer;
import org.glassfish.grizzly.memory.MemoryManager;
import org.glassfish.grizzly.memory.ThreadLocalPool;
import org.glassfish.grizzly.threadpool.DefaultWorkerThread;
import org.jspecify.annotations.Nullable;

/**
 * One of Grizzly's memory managers. Its thread-local pools and its caches of wrappers are for its own worker threads, which therefore
 * all lanes run on: on any other thread the first two managers allocate each time. A buffer is disposed of, not only released, since that
 * is what gives its wrapper back too.
 */
abstract class Grizzly implements Contender {
    private final MemoryManager<?> manager;

    Grizzly(MemoryManager<?> manager) {
        this.manager = manager;
    }

    /** A worker thread with a thread-local pool, if its manager has such. */
    static Thread worker(@Nullable ThreadLocalPool<?> pool, Runnable task) {
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
}

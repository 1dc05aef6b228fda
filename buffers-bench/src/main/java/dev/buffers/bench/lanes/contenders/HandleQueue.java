package dev.buffers.bench.lanes.contenders;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The same queue, with a handle for each acquire that ends exactly once, as our leases do: what a plain queue costs when it sees a double
 * release. It has no cap and one size.
 */
final class HandleQueue implements Contender {
    private final SharedQueue queue;

    HandleQueue(int size) {
        this.queue = new SharedQueue(size);
    }

    @SuppressWarnings("serial") // nobody writes it
    private static final class Handle extends AtomicReference<ByteBuffer> {
        Handle(ByteBuffer buffer) {
            super(buffer);
        }
    }

    @Override
    public Object acquire(int asked) {
        return new Handle(queue.acquire(asked));
    }

    @Override
    public void put(Object lease, int index, byte value) {
        ((Handle) lease).getPlain().put(index, value);
    }

    @Override
    public byte get(Object lease, int index) {
        return ((Handle) lease).getPlain().get(index);
    }

    @Override
    public void release(Object lease) {
        ByteBuffer buffer = ((Handle) lease).getAndSet(null);
        if (buffer == null) {
            throw new IllegalStateException("was released before");
        }
        queue.release(buffer);
    }

    @Override
    public long keptBytes() {
        return queue.keptBytes();
    }

    @Override
    public void close() {
        queue.close();
    }
}

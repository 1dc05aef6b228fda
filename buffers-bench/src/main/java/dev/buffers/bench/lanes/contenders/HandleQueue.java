package dev.buffers.bench.lanes.contenders;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

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
    private static final class Handle extends AtomicReference<@Nullable ByteBuffer> {
        Handle(ByteBuffer buffer) {
            super(buffer);
        }

        ByteBuffer open() {
            return notEnded(getPlain());
        }

        ByteBuffer end() {
            return notEnded(getAndSet(null));
        }

        private static ByteBuffer notEnded(@Nullable ByteBuffer buffer) {
            if (buffer == null) {
                throw new IllegalStateException("was released before");
            }
            return buffer;
        }
    }

    @Override
    public Object acquire(int asked) {
        return new Handle(queue.acquire(asked));
    }

    @Override
    public void put(Object lease, int index, byte value) {
        ((Handle) lease).open().put(index, value);
    }

    @Override
    public byte get(Object lease, int index) {
        return ((Handle) lease).open().get(index);
    }

    @Override
    public void release(Object lease) {
        queue.release(((Handle) lease).end());
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

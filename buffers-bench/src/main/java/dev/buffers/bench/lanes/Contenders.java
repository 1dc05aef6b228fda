package dev.buffers.bench.lanes;

import dev.buffers.BufferPool;
import dev.buffers.PoolSettings;
import dev.buffers.PooledBuffer;
import java.nio.ByteBuffer;
import org.jctools.queues.varhandle.MpmcVarHandleArrayQueue;

/** The contenders of the lanes: this library, the floor, a queue that anyone would write in ten lines, and the plain JDK. */
public enum Contenders {
    /** This library with its defaults. */
    buffers {
        @Override
        Contender make(int maxSize) {
            return new Pool(PoolSettings.LeaseMode.FRESH);
        }
    },
    /** This library with {@code leases=recycled}. */
    buffersRecycled {
        @Override
        Contender make(int maxSize) {
            return new Pool(PoolSettings.LeaseMode.RECYCLED);
        }
    },
    /** A thread-local array stack of ready buffers: no size classes, no checks, no sharing. Not a usable pool. */
    floor {
        @Override
        Contender make(int maxSize) {
            return new Floor(maxSize);
        }
    },
    /** One MPMC queue of buffers of one size. */
    queue {
        @Override
        Contender make(int maxSize) {
            return new Queue(maxSize);
        }
    },
    /** {@code ByteBuffer.allocateDirect} each time. */
    allocateDirect {
        @Override
        Contender make(int maxSize) {
            return new Plain(true);
        }
    },
    /** {@code ByteBuffer.allocate} each time. */
    allocateHeap {
        @Override
        Contender make(int maxSize) {
            return new Plain(false);
        }
    };

    /** A contender, for sizes up to {@code maxSize}. */
    abstract Contender make(int maxSize);

    private static final class Pool implements Contender {
        private final BufferPool pool;

        Pool(PoolSettings.LeaseMode leases) {
            pool = BufferPool.builder("lanes").leases(leases).build();
        }

        @Override
        public int cycle(int size) {
            PooledBuffer lease = pool.acquire(size);
            lease.buffer().put(0, (byte) size);
            lease.release();
            return size;
        }

        @Override
        public Object acquire(int size) {
            return pool.acquire(size);
        }

        @Override
        public ByteBuffer buffer(Object lease) {
            return ((PooledBuffer) lease).buffer();
        }

        @Override
        public void release(Object lease) {
            ((PooledBuffer) lease).release();
        }

        @Override
        public long keptBytes() {
            return pool.stats().reservedBytes();
        }

        @Override
        public void checkQuiet() {
            if (pool.stats().leases() != 0) {
                throw new IllegalStateException("leases are still out: " + pool.stats());
            }
        }

        @Override
        public void close() {
            pool.close();
        }
    }

    private static final class Floor implements Contender {
        private static final int DEPTH = 128;

        private final ThreadLocal<Stack> local;

        Floor(int size) {
            local = ThreadLocal.withInitial(() -> new Stack(size));
        }

        private static final class Stack {
            final ByteBuffer[] buffers = new ByteBuffer[DEPTH];
            int count;

            Stack(int size) {
                while (count < DEPTH) {
                    buffers[count++] = ByteBuffer.allocateDirect(size);
                }
            }
        }

        @Override
        public int cycle(int size) {
            ByteBuffer buffer = acquire(size);
            buffer.put(0, (byte) size);
            release(buffer);
            return size;
        }

        @Override
        public ByteBuffer acquire(int size) {
            Stack stack = local.get();
            ByteBuffer buffer = stack.buffers[--stack.count];
            buffer.clear().limit(size);
            return buffer;
        }

        @Override
        public ByteBuffer buffer(Object lease) {
            return (ByteBuffer) lease;
        }

        @Override
        public void release(Object lease) {
            Stack stack = local.get();
            stack.buffers[stack.count++] = (ByteBuffer) lease;
        }

        @Override
        public void close() {}
    }

    private static final class Queue implements Contender {
        private final MpmcVarHandleArrayQueue<ByteBuffer> free = new MpmcVarHandleArrayQueue<>(1 << 17);
        private final int size;

        Queue(int size) {
            this.size = size;
        }

        @Override
        public int cycle(int asked) {
            ByteBuffer buffer = acquire(asked);
            buffer.put(0, (byte) asked);
            release(buffer);
            return asked;
        }

        @Override
        public ByteBuffer acquire(int asked) {
            ByteBuffer buffer = free.poll();
            buffer = buffer == null ? ByteBuffer.allocateDirect(size) : buffer;
            buffer.clear().limit(asked);
            return buffer;
        }

        @Override
        public ByteBuffer buffer(Object lease) {
            return (ByteBuffer) lease;
        }

        @Override
        public void release(Object lease) {
            free.offer((ByteBuffer) lease);
        }

        @Override
        public long keptBytes() {
            return (long) free.size() * size;
        }

        @Override
        public void close() {
            free.clear();
        }
    }

    private static final class Plain implements Contender {
        private final boolean direct;

        Plain(boolean direct) {
            this.direct = direct;
        }

        @Override
        public int cycle(int size) {
            ByteBuffer buffer = acquire(size);
            buffer.put(0, (byte) size);
            return size;
        }

        @Override
        public ByteBuffer acquire(int size) {
            return direct ? ByteBuffer.allocateDirect(size) : ByteBuffer.allocate(size);
        }

        @Override
        public ByteBuffer buffer(Object lease) {
            return (ByteBuffer) lease;
        }

        @Override
        public void release(Object lease) {}

        @Override
        public void close() {}
    }
}

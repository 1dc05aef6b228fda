package dev.buffers.bench.claims.kinds;

import dev.buffers.BufferPool;
import dev.buffers.PooledBuffer;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import org.openjdk.jmh.infra.Blackhole;

/** Gets a buffer, touches one byte, gives it up. */
interface Allocator extends AutoCloseable {

    void cycle(int size, Blackhole hole);

    /** Checks that nothing is out. */
    @Override
    void close();

    private static void use(ByteBuffer buffer, int size) {
        if (buffer.remaining() != size) {
            throw new IllegalStateException("not the buffer that was asked for: size=" + size + ", got=" + buffer);
        }
        buffer.put(0, (byte) size);
    }

    /** The plain JDK. */
    final class Plain implements Allocator {
        private final boolean direct;

        Plain(boolean direct) {
            this.direct = direct;
        }

        @Override
        public void cycle(int size, Blackhole hole) {
            ByteBuffer buffer = direct ? ByteBuffer.allocateDirect(size) : ByteBuffer.allocate(size);
            use(buffer, size);
            hole.consume(buffer);
        }

        @Override
        public void close() {}
    }

    /** Direct memory, freed without the collector. */
    final class Freed implements Allocator {
        private static final MethodHandle FREE = free();

        /** Through reflection, since the compiler warns of the class's very name. */
        private static MethodHandle free() {
            try {
                Class<?> type = Class.forName("sun.misc.Unsafe");
                Field only = type.getDeclaredField("theUnsafe");
                only.setAccessible(true);
                return MethodHandles.lookup()
                        .findVirtual(type, "invokeCleaner", MethodType.methodType(void.class, ByteBuffer.class))
                        .bindTo(only.get(null));
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        @Override
        public void cycle(int size, Blackhole hole) {
            ByteBuffer buffer = ByteBuffer.allocateDirect(size);
            use(buffer, size);
            hole.consume(buffer);
            try {
                FREE.invokeExact(buffer);
            } catch (Throwable e) {
                throw new IllegalStateException("not freed: " + buffer, e);
            }
        }

        @Override
        public void close() {}
    }

    /** This library. */
    final class Pooled implements Allocator {
        private final BufferPool pool;

        Pooled(String policy) {
            pool = BufferPool.builder("claims").policy(policy).build();
        }

        @Override
        public void cycle(int size, Blackhole hole) {
            PooledBuffer lease = pool.acquire(size);
            ByteBuffer buffer = lease.buffer();
            use(buffer, size);
            hole.consume(buffer.get(0));
            lease.release();
        }

        @Override
        public void close() {
            Pools.closeQuiet(pool);
        }
    }
}

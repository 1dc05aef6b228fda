// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.work;

import dev.buffers.BufferPool;
import dev.buffers.PooledBuffer;
import dev.buffers.bench.pools.Timed;
import dev.buffers.bench.pools.contenders.Pools;
import io.netty.util.internal.CleanableDirectBuffer;
import io.netty.util.internal.PlatformDependent;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.infra.Blackhole;

/**
 * What does it cost to have a buffer, and to give it up again, each time? One byte is touched. Plain buffers leave the method,
 * as they would on their way to a channel, and are left to the collector. {@code directFreed} are Netty's, which frees them at once in the
 * way that it has on this JDK. The JVM is to have a young generation so small, and so little direct memory, that the collector is at work.
 */
public class AllocateBenchmark extends Timed {
    /** {@code heap}, {@code direct}, {@code directFreed}, or a policy of this library's after {@code pool:}. */
    @Param({
        "heap", "direct", "directFreed", "pool:heap",
        "pool:direct", "pool:heap-view", "pool:direct-view", "pool:unpooled"
    })
    public String source;

    @Param({"64", "4096", "65536"})
    public int size;

    private @Nullable BufferPool pool;
    private boolean direct;
    private boolean freed;

    @Override
    public void open() {
        direct = source.equals("direct");
        freed = source.equals("directFreed");
        if (source.startsWith("pool:")) {
            pool = BufferPool.builder("claims").policy(source.substring(5)).build();
        }
    }

    @Override
    public void close() {
        if (pool != null) {
            Pools.closeQuiet(pool);
        }
    }

    @Benchmark
    public void cycle(Blackhole hole) {
        if (pool != null) {
            PooledBuffer lease = pool.acquire(size);
            use(lease.buffer());
            hole.consume(lease.buffer().get(0));
            lease.release();
            return;
        }
        if (freed) {
            CleanableDirectBuffer cleanable = PlatformDependent.allocateDirect(size);
            use(cleanable.buffer());
            hole.consume(cleanable.buffer());
            cleanable.clean();
            return;
        }
        ByteBuffer buffer = direct ? ByteBuffer.allocateDirect(size) : ByteBuffer.allocate(size);
        use(buffer);
        hole.consume(buffer);
    }

    private void use(ByteBuffer buffer) {
        if (buffer.remaining() != size) {
            throw new IllegalStateException("not the buffer that was asked for: size=" + size + ", got=" + buffer);
        }
        buffer.put(0, (byte) size);
    }
}

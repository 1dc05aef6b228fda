package dev.buffers.bench.claims.copy;

import dev.buffers.BufferPool;
import dev.buffers.PooledBuffer;
import dev.buffers.io.Transfers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** Copies with what a pool of its own lends. */
final class PooledCopier implements ChannelCopier {
    private final BufferPool pool;
    private final ChannelCopier way;

    private PooledCopier(BufferPool pool, ChannelCopier way) {
        this.pool = pool;
        this.way = way;
    }

    /** Through one buffer: the source's second lane, where it is direct. */
    static Copier throughOneBuffer(String policy, int buffer) {
        BufferPool pool = BufferPool.builder("copy")
                .policy(policy)
                .maxSize(CopyingFiles.LARGEST)
                .build();
        return new PooledCopier(pool, (in, out) -> {
            try (PooledBuffer lease = pool.acquire(buffer)) {
                copy(in, lease.buffer(), out);
            }
        });
    }

    private static void copy(FileChannel in, ByteBuffer buffer, FileChannel out) throws IOException {
        while (in.read(buffer) >= 0) {
            buffer.flip();
            while (buffer.hasRemaining()) {
                out.write(buffer);
            }
            buffer.clear();
        }
    }

    /** By our {@link Transfers} with their defaults, which choose the way. */
    static Copier transfers() {
        BufferPool pool = BufferPool.builder("copy").build();
        Transfers transfers = new Transfers(pool);
        return new PooledCopier(pool, transfers::transfer);
    }

    @Override
    public void copy(FileChannel in, FileChannel out) throws IOException {
        way.copy(in, out);
    }

    @Override
    public void close() {
        long leases = pool.stats().leases();
        pool.close();
        if (leases != 0) {
            throw new IllegalStateException("leases are still out: leases=" + leases);
        }
    }
}

package dev.buffers.bench.claims.transfer;

import dev.buffers.BufferPool;
import dev.buffers.io.Transfers;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** Our {@link Transfers}, over a pool of its own. */
final class PooledMover implements Mover {
    private final BufferPool pool;
    private final Transfers transfers;

    PooledMover(String policy, int buffer) {
        pool = BufferPool.builder("transfer").policy(policy).build();
        transfers = new Transfers(pool, buffer);
    }

    @Override
    public void move(InputStream in, OutputStream out) throws IOException {
        transfers.transfer(in, out);
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

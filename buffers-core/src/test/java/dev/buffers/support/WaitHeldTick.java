package dev.buffers.support;

import dev.buffers.BufferPool;
import dev.buffers.PooledBuffer;
import dev.buffers.internal.pool.MaintenanceThread;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;

/**
 * While it is open the daemon does nothing, so that a wake-up that was lost is not made good by the next tick: it stands before a lock of
 * a pool of its own, which the tick needs because somebody waits there.
 */
public final class WaitHeldTick implements AutoCloseable {
    private final CountDownLatch end = new CountDownLatch(1);
    private final BufferPool pool;
    private final PooledBuffer lease;
    private final Thread holder;

    public WaitHeldTick() throws Exception {
        pool = BufferPool.builder("held-tick").policy("heap").max(4096).build();
        lease = pool.acquire(4096);
        pool.whenAvailable(4096, () -> {});
        ReentrantLock lock = Peek.lock(Peek.slabs(pool));
        CountDownLatch held = new CountDownLatch(1);
        holder = Threads.start(() -> {
            lock.lock();
            try {
                held.countDown();
                end.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            } finally {
                lock.unlock();
            }
        });
        held.await();
        Eventually.holds("the daemon is held", () -> {
            MaintenanceThread.requestTick();
            return lock.hasQueuedThreads();
        });
    }

    @Override
    public void close() {
        end.countDown();
        try {
            Threads.join(holder);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        pool.close();
        lease.release();
    }
}

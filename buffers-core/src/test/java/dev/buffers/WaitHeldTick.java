package dev.buffers;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;

/**
 * While it is open the daemon does nothing, so that a wake-up that was lost is not made good by the next tick: it stands before a lock of
 * a pool of this test's own, which its tick needs.
 */
final class WaitHeldTick implements AutoCloseable {
    private final CountDownLatch end = new CountDownLatch(1);
    private final BufferPool pool;
    private final Thread holder;

    WaitHeldTick() throws Exception {
        pool = BufferPool.builder("held-tick").policy("heap").max(1 << 20).build();
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
        Eventually.holds("the daemon is held", lock::hasQueuedThreads);
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
    }
}

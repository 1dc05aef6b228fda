package dev.buffers;

import java.util.concurrent.CountDownLatch;

/** While it is open the daemon does nothing, so that a wake-up that was lost is not made good by the next tick. */
final class WaitHeldTick implements AutoCloseable {
    private final CountDownLatch held = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);
    private final BufferPool pool;

    WaitHeldTick() throws Exception {
        pool = BufferPool.builder("held-tick")
                .policy("heap")
                .max(1 << 20)
                .onLeak(leak -> {
                    held.countDown();
                    try {
                        end.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                })
                .build();
        Threads.run(() -> pool.acquire(1)); // lost: the daemon tells of it, and waits in the listener
        Eventually.collected("the daemon is held", () -> {
            Trimmer.hurry();
            return held.getCount() == 0;
        });
    }

    @Override
    public void close() {
        end.countDown();
        pool.close();
    }
}

package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A slab is withheld for somebody who waits, and for nobody else (I5). The tick is called by the test, so that nothing hides the other way. */
@SuppressWarnings("try") // the daemon is held, and that is all
class WithheldSlabTest {

    @Test
    void nothingIsWithheldOnceItsWaiterHasGone() throws Exception {
        try (WaitHeldTick daemon = new WaitHeldTick();
                BufferPool pool = BufferPool.builder("withheld")
                        .policy("heap-view")
                        .max(1 << 20)
                        .build()) {
            List<PooledBuffer> leases = WaitReachTest.fill(pool, 4096);
            WaitingThread large = WaitingThread.parked(pool, 256 << 10, Duration.ofSeconds(60));
            for (int i = 0; i < 2; i++) { // the first tick looks whether it comes free without that
                assertFalse(Peek.withholds(pool));
                ((SlabPool) pool).tick(System.nanoTime());
            }
            assertTrue(Peek.withholds(pool));
            large.interrupt();
            large.refusal(PoolExhaustedException.class);
            assertFalse(Peek.withholds(pool));
            leases.forEach(PooledBuffer::release);
            Conservation.check(pool);
        }
    }

    /** Nor when a wake-up is called, by whoever makes the room for it: not even while it runs. */
    @Test
    void nothingIsWithheldOnceItsWakeUpIsCalled() throws Exception {
        try (WaitHeldTick daemon = new WaitHeldTick();
                BufferPool pool = BufferPool.builder("withheld")
                        .policy("heap-view")
                        .max(1 << 20)
                        .threadCache(0)
                        .build()) {
            List<PooledBuffer> leases = WaitReachTest.fill(pool, 4096);
            List<Boolean> withheld = new ArrayList<>();
            pool.whenAvailable(128 << 10, () -> withheld.add(Peek.withholds(pool)));
            for (int i = 0; i < 2; i++) {
                ((SlabPool) pool).tick(System.nanoTime());
            }
            assertTrue(Peek.withholds(pool));
            for (PooledBuffer lease : leases) { // the slab that is withheld stays out
                if (withheld.isEmpty() && !Peek.slot(lease).slab.earmarked) {
                    lease.release();
                }
            }
            assertEquals(List.of(false), withheld);
            leases.forEach(PooledBuffer::close);
            Conservation.check(pool);
        }
    }
}

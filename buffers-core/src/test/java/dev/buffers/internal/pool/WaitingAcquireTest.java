package dev.buffers.internal.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.AcquireOutcome;
import dev.buffers.PoolExhaustedException;
import dev.buffers.internal.slab.Slot;
import dev.buffers.support.Eventually;
import dev.buffers.support.Threads;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class WaitingAcquireTest {
    private static final int SIZE = 64 << 10;
    private static final long LONG = TimeUnit.SECONDS.toNanos(60);

    private final PoolParts parts = new PoolParts("heap-view", SIZE);
    private final int sizeClass = parts.classes.classOf(SIZE);

    /** The one slot of the pool. */
    private Slot theSlot() {
        Slot slot = parts.find(SIZE);
        slot.beginAndTake();
        return slot;
    }

    private Slot findOrWait(long nanos) {
        return parts.slowAcquire.waiting().findOrWait(SIZE, sizeClass, null, nanos);
    }

    private void awaitQueued() {
        Eventually.holds("it waits", () -> parts.waitQueue.hasWaiters(sizeClass));
    }

    @Test
    void patienceIsAnyDurationThatIsNotNegative() {
        assertEquals(0, WaitingAcquire.nanos(Duration.ZERO));
        assertEquals(1_500_000, WaitingAcquire.nanos(Duration.ofNanos(1_500_000)));
        assertEquals(Long.MAX_VALUE, WaitingAcquire.nanos(Duration.ofDays(1_000_000)));
        assertEquals(
                "patience must not be negative: patience=PT-1S",
                assertThrows(IllegalArgumentException.class, () -> WaitingAcquire.nanos(Duration.ofSeconds(-1)))
                        .getMessage());
    }

    @Test
    void whatThereIsComesWithoutWaiting() {
        assertNotNull(findOrWait(0));
        assertEquals(0, parts.owner.stats().waits());
    }

    @Test
    void withoutPatienceItIsRefusedAtOnce() {
        theSlot();
        assertThrows(PoolExhaustedException.class, () -> findOrWait(0));
        assertEquals(0, parts.owner.stats().waits());
        assertEquals(1, parts.acquires(AcquireOutcome.REJECTED));
    }

    @Test
    void patienceEnds() {
        theSlot();
        PoolExhaustedException refused = assertThrows(PoolExhaustedException.class, () -> findOrWait(1_000_000));
        assertTrue(refused.getMessage().contains("waited "), refused::getMessage);
        assertFalse(parts.waitQueue.hasWaiters());
        assertEquals(1, parts.owner.stats().waits());
    }

    @Test
    void anInterruptEndsTheWaitAndStaysSet() throws Exception {
        theSlot();
        AtomicReference<String> ended = new AtomicReference<>();
        Thread thread = Threads.start(() -> {
            try {
                findOrWait(LONG);
            } catch (PoolExhaustedException e) {
                ended.set(Thread.currentThread().isInterrupted() + " " + e.getMessage());
            }
        });
        awaitQueued();
        thread.interrupt();
        Threads.join(thread);
        assertTrue(ended.get().startsWith("true") && ended.get().contains("interrupted after "), ended::get);
        assertFalse(parts.waitQueue.hasWaiters());
    }

    @Test
    void whatIsGivenBackEndsTheWait() throws Exception {
        Slot slot = theSlot();
        AtomicReference<Slot> got = new AtomicReference<>();
        Thread thread = Threads.start(() -> got.set(findOrWait(LONG)));
        awaitQueued();
        slot.endUnused(parts.slabs.all().get(0).region.view(0, SIZE));
        parts.giveBack(slot);
        Threads.join(thread);
        assertSame(slot, got.get());
        assertNotNull(slot.viewVolatile(), "the caller begins the tenancy again");
        assertEquals(1, parts.acquires(AcquireOutcome.DEPOT));
        assertFalse(parts.waitQueue.hasWaiters());
    }

    @Test
    void whatCanNeverBeHadIsNotWaitedFor() {
        assertThrows(
                PoolExhaustedException.class, () -> parts.slowAcquire.waiting().findOrWait(SIZE + 1, -1, null, LONG));
        assertThrows(
                PoolExhaustedException.class, () -> parts.slowAcquire.waiting().whenAvailable(SIZE + 1, -1, () -> {}));
    }

    @Test
    void aWakeUpIsCalledAtOnceWhenThereIsRoom() {
        parts.slowAcquire.waiting().whenAvailable(SIZE, sizeClass, () -> {});
        assertEquals(1, parts.called.size());
        assertFalse(parts.waitQueue.hasWaiters());
    }

    @Test
    void aWakeUpWaitsForRoomBehindThoseThatCameBefore() {
        Slot slot = theSlot();
        WaitQueue.Waiter before = parts.waiter(SIZE, new Thread());
        parts.slowAcquire.waiting().whenAvailable(SIZE, sizeClass, () -> {});
        assertTrue(parts.called.isEmpty());
        slot.endUnused(parts.slabs.all().get(0).region.view(0, SIZE));
        parts.giveBack(slot);
        assertSame(slot, before.slot());
        assertTrue(parts.called.isEmpty());
        assertEquals(1, parts.waitQueue.size());
    }
}

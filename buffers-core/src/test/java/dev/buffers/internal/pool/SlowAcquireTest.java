package dev.buffers.internal.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.AcquireOutcome;
import dev.buffers.Exhaustion;
import dev.buffers.PoolExhaustedException;
import dev.buffers.internal.cache.Magazine;
import dev.buffers.internal.slab.SizeClasses;
import dev.buffers.internal.slab.Slot;
import dev.buffers.support.Explicit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Where an acquire that misses looks, in which order, and what it is counted as. */
class SlowAcquireTest {
    private static final int SIZE = 100;
    private static final int CLASS = 0;

    private PoolParts parts = new PoolParts("heap-view", 64 << 10);

    private void counted(AcquireOutcome outcome, long n) {
        assertEquals(n, parts.acquires(outcome), outcome::toString);
    }

    @Test
    void theFirstOneIsCutAndTheRestOfItsBatchIsForTheNextHits() {
        Slot slot = parts.find(SIZE);
        assertNotNull(slot);
        counted(AcquireOutcome.CARVED, 1);
        Magazine own = parts.own();
        assertEquals(parts.depot(CLASS).batchSize - 1, own.size());
        Slot next = own.take();
        own.put(next);
        assertSame(next, parts.find(SIZE), "its own magazine comes first");
        counted(AcquireOutcome.THREAD, 1);
    }

    @Test
    void theDepotComesBeforeASlab() {
        Slot slot = parts.carve(SIZE);
        parts.depot(CLASS).putLoose(slot);
        assertSame(slot, parts.find(SIZE));
        counted(AcquireOutcome.DEPOT, 1);
        counted(AcquireOutcome.CARVED, 0);
    }

    @Test
    void aFreeSlotOfASlabComesBeforeGrowth() {
        Slot slot = parts.carve(SIZE);
        assertSame(slot.slab, parts.find(SIZE).slab);
        counted(AcquireOutcome.DEPOT, 1);
        assertEquals(1, parts.owner.stats().slabs());
    }

    @Test
    void aRevokedSlotIsPassedOver() {
        Slot slot = parts.carve(SIZE);
        parts.depot(CLASS).putLoose(slot);
        slot.getAndSetView(null);
        Slot found = parts.find(SIZE);
        assertNotSame(slot, found);
        assertNotNull(found.viewVolatile());
        counted(AcquireOutcome.DEPOT, 1);
    }

    @Test
    void oneThatWasRevokedAfterItWasFoundIsCountedOnce() {
        Slot first = parts.find(SIZE);
        Slot second = parts.slowAcquire.find(SIZE, CLASS, first, SlowAcquire.AtCap.RETURN_NULL);
        assertNotSame(first, second);
        long all = 0;
        for (AcquireOutcome outcome : AcquireOutcome.values()) {
            all += parts.acquires(outcome);
        }
        assertEquals(1, all);
        assertEquals(1, parts.owner.stats().leases());
    }

    @Test
    void whatIsLargerThanAnyClassHasARegionOfItsOwn() {
        parts = new PoolParts("heap-view", 1 << 20);
        int size = parts.classes.maxSize() + 1;
        Slot slot = parts.find(size);
        assertEquals(size, slot.size());
        counted(AcquireOutcome.OVERSIZE, 1);
        assertEquals(size, parts.owner.stats().leasedBytes());
    }

    @Test
    void theExactPoliciesThatPoolNothingAllocateEachTime() {
        parts = new PoolParts("unpooled", 1000);
        Slot slot = parts.find(SIZE);
        assertEquals(SIZE, slot.size());
        counted(AcquireOutcome.UNPOOLED, 1);
        assertNull(parts.find(901), "under the same cap");
    }

    private void takeAll(int expected) {
        int taken = 0;
        for (Slot slot = parts.find(SIZE); slot != null; slot = parts.find(SIZE)) {
            slot.beginAndTake();
            taken++;
        }
        assertEquals(expected, taken);
    }

    @Test
    void atTheCapItObeysTheSetting() {
        takeAll(512);
        counted(AcquireOutcome.REJECTED, 0);
        PoolExhaustedException refused = assertThrows(PoolExhaustedException.class, () -> parts.acquire(SIZE));
        assertTrue(refused.getMessage().contains("the cap is reached"), refused::getMessage);
        counted(AcquireOutcome.REJECTED, 1);
    }

    @Test
    void atLimitUnpooledGivesHeapBeyondTheCap() {
        parts = new PoolParts(new Explicit().policy("heap-view").max(64 << 10).atLimit(Exhaustion.unpooled()));
        takeAll(512);
        Slot beyond = parts.slowAcquire.findOrRefuse(SIZE, CLASS, null);
        assertEquals(SIZE, beyond.size());
        counted(AcquireOutcome.UNPOOLED, 1);
        assertEquals(64 << 10, parts.owner.stats().reservedBytes(), "it is charged to nobody");
    }

    @Test
    void memoryBeyondTheCapThatWasRevokedIsUncountedAsWhatItWas() {
        parts = new PoolParts(new Explicit()
                .policy("heap-view")
                .max(64 << 10)
                .maxSize(16 << 10)
                .atLimit(Exhaustion.unpooled()));
        int size = 40 << 10;
        parts.slowAcquire.findOrRefuse(size, SizeClasses.OVERSIZE, null);
        Slot beyond = parts.slowAcquire.findOrRefuse(size, SizeClasses.OVERSIZE, null);
        parts.slowAcquire.findOrRefuse(size, SizeClasses.OVERSIZE, beyond);
        counted(AcquireOutcome.OVERSIZE, 1);
        counted(AcquireOutcome.UNPOOLED, 1);
    }

    @Test
    void aClosedPoolServesNobody() {
        parts.carve(SIZE);
        parts.owner.beginClose();
        assertThrows(IllegalStateException.class, () -> parts.find(SIZE));
    }

    @Test
    void aSilentRefusalIsCountedUnlessItCanNeverBeServed() {
        takeAll(512);
        assertNull(parts.slowAcquire.find(SIZE, CLASS, null, SlowAcquire.AtCap.REFUSE));
        counted(AcquireOutcome.REJECTED, 1);
        int never = (64 << 10) + 1;
        assertThrows(
                PoolExhaustedException.class,
                () -> parts.slowAcquire.find(never, SizeClasses.OVERSIZE, null, SlowAcquire.AtCap.REFUSE));
    }

    @Test
    void theListenersAreNotifiedOfEachAcquireOnce() {
        List<Integer> heard = new ArrayList<>();
        parts.owner.addSizeListener(heard::add);
        Slot first = parts.slowAcquire.find(SIZE, CLASS, null, SlowAcquire.AtCap.REFUSE);
        parts.slowAcquire.find(SIZE, CLASS, first, SlowAcquire.AtCap.REFUSE); // the first turned out to be revoked
        assertEquals(List.of(SIZE), heard);
        parts.slowAcquire.find(SIZE, CLASS, null, SlowAcquire.AtCap.RETURN_NULL);
        assertEquals(List.of(SIZE), heard, "whoever tries or waits on notifies them in the end");
    }

    @Test
    void anAcquireThatIsRefusedAfterItsSlotWasRevokedIsHeardOfOnce() {
        List<Integer> heard = new ArrayList<>();
        parts.owner.addSizeListener(heard::add);
        Slot revoked = parts.find(SIZE);
        takeAll(511);
        heard.clear();
        assertNull(parts.slowAcquire.find(SIZE, CLASS, revoked, SlowAcquire.AtCap.REFUSE));
        counted(AcquireOutcome.REJECTED, 1);
        parts.owner.counters.acquired(AcquireOutcome.DEPOT, CLASS); // as if it had been given one
        assertThrows(PoolExhaustedException.class, () -> parts.slowAcquire.findOrRefuse(SIZE, CLASS, revoked));
        parts.owner.counters.acquired(AcquireOutcome.DEPOT, CLASS);
        assertThrows(
                PoolExhaustedException.class, () -> parts.slowAcquire.waiting().findOrWait(SIZE, CLASS, revoked, 1));
        counted(AcquireOutcome.REJECTED, 3);
        assertEquals(List.of(), heard, "it was heard of when the slot was found");
        assertNull(parts.slowAcquire.find(SIZE, CLASS, null, SlowAcquire.AtCap.REFUSE));
        assertEquals(List.of(SIZE), heard);
    }

    @Test
    void anAcquireTakesAWholeSlot() {
        assertEquals(128, parts.slowAcquire.bytesFor(1, 0));
        assertEquals(5000, parts.slowAcquire.bytesFor(5000, SizeClasses.OVERSIZE));
        PoolParts unpooled = new PoolParts("unpooled", 64 << 10);
        int alone = unpooled.classes.classOf(1);
        assertEquals(1, unpooled.slowAcquire.bytesFor(1, alone), "plain memory has no slots");
    }

    @Test
    void whatIsLargerThanTheCapCanNeverBeHad() {
        int max = 64 << 10;
        parts.slowAcquire.checkCanBeHad(max, parts.classes.classOf(max), true);
        String message = assertThrows(
                        PoolExhaustedException.class,
                        () -> parts.slowAcquire.checkCanBeHad(max + 1, SizeClasses.OVERSIZE, true))
                .getMessage();
        assertTrue(message.contains("it can never be had: it takes 65537 bytes"), message);
        counted(AcquireOutcome.REJECTED, 1);
    }

    @Test
    void aWakeUpIsNoAcquire() {
        String message = assertThrows(
                        PoolExhaustedException.class,
                        () -> parts.slowAcquire.checkCanBeHad(65_537, SizeClasses.OVERSIZE, false))
                .getMessage();
        assertTrue(message.contains("it can never be had: it takes 65537 bytes"), message);
        parts.slowAcquire.checkCanBeHad(100, 0, false);
        counted(AcquireOutcome.REJECTED, 0);
    }

    @Test
    void aRefusalIsCountedAndToldAndExplained() {
        List<Integer> told = new ArrayList<>();
        parts.owner.addSizeListener(told::add);
        parts.regions.refuse("of something");
        PoolExhaustedException refused = parts.slowAcquire.refused(100, "waited 1s, ", null);
        assertTrue(refused.getMessage().contains("waited 1s, of something"), refused::getMessage);
        assertTrue(refused.getMessage().contains(parts.owner.name()), refused::getMessage);
        counted(AcquireOutcome.REJECTED, 1);
        assertEquals(List.of(100), told);
        assertEquals(0, parts.owner.stats().leases());
    }
}

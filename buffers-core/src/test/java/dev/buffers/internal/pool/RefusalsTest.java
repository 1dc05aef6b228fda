package dev.buffers.internal.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.AcquireOutcome;
import dev.buffers.PoolExhaustedException;
import dev.buffers.internal.slab.SizeClasses;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RefusalsTest {
    private final PoolParts parts = new PoolParts("heap-view", 64 << 10);
    private final Refusals refusals = parts.refusals;

    private long rejected() {
        return parts.acquires(AcquireOutcome.REJECTED);
    }

    @Test
    void anAcquireTakesAWholeSlot() {
        assertEquals(128, refusals.bytesFor(1, 0));
        assertEquals(5000, refusals.bytesFor(5000, SizeClasses.OVERSIZE));
        PoolParts unpooled = new PoolParts("unpooled", 64 << 10);
        assertEquals(1, unpooled.refusals.bytesFor(1, 0), "plain memory has no slots");
    }

    @Test
    void whatIsLargerThanTheCapCanNeverBeHad() {
        int max = 64 << 10;
        assertTrue(refusals.canBeHad(max, parts.classes.classOf(max)));
        refusals.checkCanBeHad(max, parts.classes.classOf(max));
        assertFalse(refusals.canBeHad(max + 1, SizeClasses.OVERSIZE));
        String message = assertThrows(
                        PoolExhaustedException.class, () -> refusals.checkCanBeHad(max + 1, SizeClasses.OVERSIZE))
                .getMessage();
        assertTrue(message.contains("it can never be had: it takes 65537 bytes"), message);
        assertEquals(1, rejected());
    }

    @Test
    void aWakeUpIsNoAcquire() {
        assertThrows(PoolExhaustedException.class, () -> refusals.checkCanBeWaitedFor(65_537, SizeClasses.OVERSIZE));
        refusals.checkCanBeWaitedFor(100, 0);
        assertEquals(0, rejected());
    }

    @Test
    void aRefusalIsCountedAndToldAndExplained() {
        List<Integer> told = new ArrayList<>();
        parts.owner.addListener(told::add);
        parts.regions.refuse("of something");
        PoolExhaustedException refused = refusals.refused(100, "waited 1s, ", null);
        assertTrue(refused.getMessage().contains("waited 1s, of something"), refused::getMessage);
        assertTrue(refused.getMessage().contains(parts.owner.name()), refused::getMessage);
        assertEquals(1, rejected());
        refusals.count(200, null);
        assertEquals(2, rejected());
        assertEquals(List.of(100, 200), told);
        assertEquals(0, parts.owner.stats().leases());
    }
}

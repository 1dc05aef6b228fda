package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whose a recalled slot is, in each of the orders that {@link Recall} tells apart; the test plays the owner whose write shows late. */
class RecallTest {
    private final BufferPool pool =
            BufferPool.builder("recall").policy("heap-view").max(1 << 20).build();
    private final Recall recall = new Recall(Peek.slabs(pool));
    private Slot slot;
    private ByteBuffer view;

    @BeforeEach
    void oneSlotIsFree() {
        PooledBuffer lease = pool.acquire(4096);
        slot = Peek.slot(lease);
        view = lease.buffer();
        lease.release();
    }

    @AfterEach
    void everyByteIsAccountedFor() {
        Conservation.check(pool);
        pool.trim();
        assertEquals(0, Conservation.check(pool).reservedBytes());
        pool.close();
    }

    private int recallOnlyWhatWasTaken() {
        return recall.now(visit -> {});
    }

    @Test
    void whatStaysFreeIsHad() {
        assertEquals(0, recall.soon(visit -> visit.accept(slot)), "not at once");
        assertNull(slot.viewVolatile());
        assertTrue(recall.isPending());
        assertEquals(1, recallOnlyWhatWasTaken());
        assertFalse(recall.isPending());
        assertNull(slot.viewVolatile());
    }

    @Test
    void whatIsHeldIsLeftAlone() {
        try (PooledBuffer lease = pool.acquire(4096)) {
            assertSame(slot, Peek.slot(lease));
            assertEquals(0, recall.now(visit -> visit.accept(slot)));
            assertFalse(recall.isPending());
            assertTrue(lease.isOpen());
        }
        assertSame(view, slot.viewVolatile());
    }

    /** Its owner had begun, and read the view, before that was taken. */
    @Test
    void whatTurnsOutToBeInUseIsItsOwners() {
        recall.soon(visit -> visit.accept(slot));
        slot.stateOpaque(slot.stateVolatile() | Slot.FIRST);
        assertEquals(0, recallOnlyWhatWasTaken(), "its owner may have the view");
        assertTrue(recall.isPending(), "or is about to see that it has not");
        slot.endUnused();
        slot.viewRelease(view);
        assertEquals(0, recallOnlyWhatWasTaken());
        assertFalse(recall.isPending());
        assertSame(view, slot.viewVolatile());
    }

    /** Its owner had begun, and came to read the view after that was taken. */
    @Test
    void whatItsOwnerDropsIsHad() {
        recall.soon(visit -> visit.accept(slot));
        long free = slot.stateVolatile();
        slot.stateOpaque(free | Slot.FIRST);
        assertEquals(0, recallOnlyWhatWasTaken());
        assertNull(slot.beginAndTake());
        assertEquals(1, recallOnlyWhatWasTaken());
        assertFalse(recall.isPending());
    }

    /** Its owner discarded it while it was being recalled. */
    @Test
    void whatWasRetiredIsNotGivenItsViewBack() {
        PooledBuffer neighbour = pool.acquire(4096);
        PooledBuffer lease = pool.acquire(4096);
        Slot retired = Peek.slot(lease);
        ByteBuffer its = lease.buffer();
        assertSame(Peek.slot(neighbour).slab, retired.slab);
        lease.discard();
        Peek.slabs(pool).putBack(retired, its);
        assertNull(retired.viewVolatile());
        neighbour.release();
    }
}

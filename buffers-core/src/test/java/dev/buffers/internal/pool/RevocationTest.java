package dev.buffers.internal.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.PooledBuffer;
import dev.buffers.internal.slab.Slot;
import dev.buffers.internal.slab.SlotState;
import dev.buffers.support.Conservation;
import dev.buffers.support.Eventually;
import dev.buffers.support.Peek;
import dev.buffers.support.Threads;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whose a revoked slot is, in each of the orders that {@link Revocation} tells apart; the test plays the owner whose write shows late. */
class RevocationTest {
    private final BufferPool pool =
            BufferPool.builder("revoke").policy("heap-view").max(1 << 20).build();
    private final Revocation revocation = new Revocation(Peek.slabs(pool));
    private Slot slot;
    private ByteBuffer view;
    private volatile boolean passed;

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

    /** Once: a tenancy began and ended; its releaser has not put the view back yet. */
    private void aTenancyPasses() {
        if (!passed) {
            slot.stateOpaque(slot.stateVolatile() | SlotState.FIRST);
            slot.endUnused();
            passed = true;
        }
    }

    private int revokeOnlyWhatWasTaken() {
        return revocation.revokeNow(visit -> {});
    }

    @Test
    void whatStaysFreeIsHad() {
        assertEquals(0, revocation.revokeWithoutPause(visit -> visit.accept(slot)), "not at once");
        assertNull(slot.viewVolatile());
        assertTrue(Peek.isPending(revocation));
        assertEquals(1, revokeOnlyWhatWasTaken());
        assertFalse(Peek.isPending(revocation));
        assertNull(slot.viewVolatile());
    }

    @Test
    void whatIsHeldIsLeftAlone() {
        try (PooledBuffer lease = pool.acquire(4096)) {
            assertSame(slot, Peek.slot(lease));
            assertEquals(0, revocation.revokeNow(visit -> visit.accept(slot)));
            assertFalse(Peek.isPending(revocation));
            assertTrue(lease.isOpen());
        }
        assertSame(view, slot.viewVolatile());
    }

    /** Its owner had begun, and read the view, before that was taken. */
    @Test
    void whatTurnsOutToBeInUseIsItsOwners() {
        revocation.revokeWithoutPause(visit -> visit.accept(slot));
        slot.stateOpaque(slot.stateVolatile() | SlotState.FIRST);
        assertEquals(0, revokeOnlyWhatWasTaken(), "its owner may have the view");
        assertTrue(Peek.isPending(revocation), "or is about to see that it has not");
        slot.endUnused(view);
        assertEquals(0, revokeOnlyWhatWasTaken());
        assertFalse(Peek.isPending(revocation));
        assertSame(view, slot.viewVolatile());
    }

    /** Whichever of them it is. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void ofSeveralOneThatIsInUseIsItsOwners(int which) {
        List<PooledBuffer> leases = List.of(pool.acquire(4096), pool.acquire(4096), pool.acquire(4096));
        List<Slot> slots = leases.stream().map(Peek::slot).toList();
        ByteBuffer its = leases.get(which).buffer();
        leases.forEach(PooledBuffer::release);
        revocation.revokeWithoutPause(slots::forEach);
        Slot inUse = slots.get(which);
        inUse.stateOpaque(inUse.stateVolatile() | SlotState.FIRST);
        assertEquals(2, revokeOnlyWhatWasTaken());
        assertTrue(Peek.isPending(revocation));
        inUse.endUnused(its);
        assertEquals(0, revokeOnlyWhatWasTaken());
        assertFalse(Peek.isPending(revocation));
    }

    /** Its owner had begun, and came to read the view after that was taken. */
    @Test
    void whatItsOwnerDropsIsHad() {
        revocation.revokeWithoutPause(visit -> visit.accept(slot));
        long free = slot.stateVolatile();
        slot.stateOpaque(free | SlotState.FIRST);
        assertEquals(0, revokeOnlyWhatWasTaken());
        assertNull(slot.beginAndTake());
        assertEquals(1, revokeOnlyWhatWasTaken());
        assertFalse(Peek.isPending(revocation));
    }

    /** Which of the two generations the view belongs to cannot be told. */
    @Test
    void whatChangedHandsMeanwhileIsPutBack() {
        Peek.beforeTheSwap(revocation, this::aTenancyPasses);
        revocation.revokeWithoutPause(visit -> visit.accept(slot));
        assertFalse(Peek.isPending(revocation));
        assertSame(view, slot.viewVolatile());
    }

    /** Its releaser may be about to put the view back, and to hand the slot on: whoever had revoked it would have its memory too. */
    @Test
    void whatWasPutBackIsLeftAloneUntilItsNextTenancy() {
        Peek.beforeTheSwap(revocation, this::aTenancyPasses);
        revocation.revokeWithoutPause(visit -> visit.accept(slot));
        assertEquals(0, revocation.revokeNow(visit -> visit.accept(slot)));
        assertSame(view, slot.viewVolatile());
        slot.viewRelease(view);
        try (PooledBuffer next = pool.acquire(4096)) {
            assertSame(slot, Peek.slot(next));
            assertEquals(0, revocation.revokeNow(visit -> visit.accept(slot)));
        }
        assertEquals(1, revocation.revokeNow(visit -> visit.accept(slot)));
    }

    /** Its releaser puts the view back first, and the next owner takes it: what is put back after that is no free slot's. */
    @Test
    void whatItsNextOwnerTookIsTakenOutOnceMore() throws Exception {
        Thread revokes = Thread.currentThread();
        CountDownLatch locked = new CountDownLatch(1);
        Thread next = Threads.start(() -> Peek.slabs(pool).eachOut(slot.slab, out -> {
            if (out == slot) {
                locked.countDown();
                Eventually.holds(
                        "it is about to put the view back", () -> passed && revokes.getState() == Thread.State.BLOCKED);
                slot.viewRelease(view);
                assertSame(view, slot.beginAndTake());
            }
        }));
        locked.await();
        Peek.beforeTheSwap(revocation, this::aTenancyPasses);
        revocation.revokeWithoutPause(visit -> visit.accept(slot));
        Threads.join(next);
        assertTrue(SlotState.isHeld(slot.stateVolatile()));
        assertNull(slot.viewVolatile(), "a slot on lease that has its view is never found to be lost");
        slot.endUnused(view);
        assertEquals(0, revokeOnlyWhatWasTaken());
        assertFalse(Peek.isPending(revocation));
        assertSame(view, slot.viewVolatile());
    }

    /** Its region was given back while it was being revoked. */
    @Test
    void whatIsGoneIsNotGivenItsViewBack() {
        pool.trim();
        Peek.slabs(pool).putViewBack(slot, view);
        assertNull(slot.viewVolatile());
    }

    /** Its owner discarded it while it was being revoked. */
    @Test
    void whatWasRetiredIsNotGivenItsViewBack() {
        PooledBuffer neighbour = pool.acquire(4096);
        PooledBuffer lease = pool.acquire(4096);
        Slot retired = Peek.slot(lease);
        ByteBuffer its = lease.buffer();
        assertSame(Peek.slot(neighbour).slab, retired.slab);
        lease.discard();
        Peek.slabs(pool).putViewBack(retired, its);
        assertNull(retired.viewVolatile());
        neighbour.release();
    }
}

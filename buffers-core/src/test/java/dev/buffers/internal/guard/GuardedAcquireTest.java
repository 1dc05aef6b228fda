// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.Exhaustion;
import dev.buffers.PooledBuffer;
import dev.buffers.internal.memory.Footprint;
import dev.buffers.internal.memory.TakenMemory;
import dev.buffers.internal.signals.Counters;
import dev.buffers.internal.signals.WaitQueue;
import dev.buffers.support.Eventually;
import dev.buffers.support.Explicit;
import dev.buffers.support.Threads;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Finding memory for a lease, waiting for it, refusing. */
class GuardedAcquireTest {
    private static final int MAX = 64 << 10;

    private WeakReference<byte[]> memory;

    /** Healing asks for a collection then. */
    @Test
    void acquireBeyondCapIsNeedUnlessPermanent() {
        GuardParts parts = new GuardParts(new Explicit().policy("heap").max(MAX).atLimit(Exhaustion.unpooled()));
        GuardedAcquire acquire = parts.acquire();
        assertNotNull(parts.blocks.charge(MAX, 0));
        assertTrue(acquire.acquire(MAX + 1).isOpen());
        assertEquals(Counters.NONE_REFUSED, parts.counters.takeLeastRefused());
        assertTrue(acquire.acquire(4096).isOpen());
        assertEquals(4096, parts.counters.takeLeastRefused());
    }

    /** The charge that was meant for the wake-up before this thread is no memory. */
    @Test
    void threadThatComesFirstDuringSearchIsGivenMemory() {
        GuardParts parts = new GuardParts("heap", MAX);
        GuardedAcquire acquire = parts.acquire();
        int sizeClass = parts.classes.classOf(4096);
        WaitQueue.Waiter wakeUp = new WaitQueue.Waiter(4096, sizeClass, () -> {});
        WaitQueue.Waiter thread = new WaitQueue.Waiter(4096, sizeClass, Thread.currentThread());
        acquire.waitQueue.add(wakeUp);
        acquire.waitQueue.add(thread);
        Block all = parts.blocks.charge(MAX, 0);
        Footprint.Owner during = it -> {
            assertTrue(acquire.waitQueue.remove(wakeUp));
            parts.blocks.giveBack(all);
        };
        TakenMemory.add(parts.budget, during);
        acquire.serve();
        Reference.reachabilityFence(during);
        assertTrue(((Block) thread.slot()).hasMemory());
        assertEquals(4096, parts.budget.charged());
    }

    /** An exact policy, all memory is charged, and one block is free: it is aside. */
    private GuardParts oneBlockAside() {
        GuardParts parts = new GuardParts("heap", MAX);
        Tenancy tenancy = parts.lend(parts.take(4096));
        memory = new WeakReference<>(tenancy.block.view().array());
        assertNotNull(parts.blocks.charge(MAX - 4096, 0));
        assertTrue(parts.blocks.takeBack(tenancy, tenancy.block, false));
        assertNull(parts.blocks.take(4096, 4096, 0));
        return parts;
    }

    /** The credit of an empty part stands for the other thread: the acquire makes it between its looks. */
    @Test
    void blockThatAnotherThreadMovesDuringTheSearchIsFound() {
        GuardParts parts = oneBlockAside();
        Footprint.Owner during = it -> assertTrue(parts.blocks.leaveOldest());
        TakenMemory.add(parts.budget, during);
        assertNotNull(parts.acquire().tryAcquire(4096));
        Reference.reachabilityFence(during);
        assertFalse(parts.blocks.leaveOldest());
    }

    @Test
    void blockThatAnotherThreadDropsBeforeTheLastLookIsFound() throws Exception {
        GuardParts parts = oneBlockAside();
        assertTrue(findsWhenOvertaken(parts, () -> {}));
        assertFalse(parts.blocks.leaveOldest());
    }

    @Test
    void blockThatIsCollectedBeforeTheLastLookIsAllocatedAnew() throws Exception {
        GuardParts parts = oneBlockAside();
        assertTrue(findsWhenOvertaken(
                parts, () -> Eventually.collected("the memory is gone", () -> memory.get() == null)));
        assertEquals(MAX, parts.budget.charged());
        assertEquals(0, parts.stats().droppedBytes());
    }

    /** Whether a search finds memory though this thread drops the last block after the other one's first look. */
    private static boolean findsWhenOvertaken(GuardParts parts, Runnable afterwards) throws Exception {
        AtomicReference<PooledBuffer> found = new AtomicReference<>();
        Thread searching;
        synchronized (parts.blocks) {
            GuardedAcquire acquire = parts.acquire();
            searching = Threads.start(() -> found.set(acquire.tryAcquire(4096)));
            Eventually.holds("the search waits for the store", () -> isHeldByThisThread(searching));
            assertTrue(parts.blocks.leaveOldest());
            afterwards.run();
        }
        searching.join();
        return found.get() != null;
    }

    private static boolean isHeldByThisThread(Thread other) {
        ThreadInfo info = ManagementFactory.getThreadMXBean().getThreadInfo(other.getId());
        return info != null && info.getLockOwnerId() == Thread.currentThread().getId();
    }
}

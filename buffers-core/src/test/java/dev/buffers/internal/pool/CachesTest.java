package dev.buffers.internal.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.buffers.internal.cache.Depot;
import dev.buffers.internal.cache.Magazine;
import dev.buffers.internal.slab.Slot;
import dev.buffers.support.Linked;
import dev.buffers.support.Threads;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

class CachesTest {
    private final PoolParts parts = new PoolParts("heap-view", 1 << 20);
    private final Set<Slot> drained = new HashSet<>();
    private int parted;

    private void sink(Slot first) {
        drained.addAll(Linked.list(first));
    }

    private void run(Runnable part) {
        parted++;
        part.run();
    }

    @Test
    void whatThisThreadCanReachIsDrained() {
        Slot[] batch = Linked.array(parts.growth.grow(0, 3));
        Magazine own = parts.own();
        own.put(batch[0]);
        parts.depot(0).putLoose(batch[1]);
        parts.depot(5).putLoose(batch[2]);
        parts.caches.drain(this::sink, this::run);
        assertEquals(Set.of(batch), drained);
        assertEquals(
                4, parted, "its own, other threads', and two depots: none holds up a thread that looks into the next");
    }

    @Test
    void onlyWhatADepotHasNotNeededIsReaped() {
        Slot slot = parts.carve(100);
        parts.depot(0).putLoose(slot);
        parts.caches.reap(this::sink, this::run);
        assertEquals(Set.of(), drained, "it may have come just now");
        parts.caches.reap(this::sink, this::run);
        assertEquals(Set.of(slot), drained);
    }

    @Test
    void eachClassHasADepotOfItsOwnSize() {
        Depot small = parts.depot(0);
        Depot large = parts.depot(parts.classes.count() - 1);
        assertSame(small, parts.depot(0));
        assertNotSame(small, large);
        assertEquals(32, small.batchSize);
        assertEquals(1, large.batchSize, "too large for batches");
    }

    /** Slots that one of them put into another depot would be lost. */
    @Test
    void threadsThatComeFirstAtOnceGetTheSameDepot() throws Exception {
        for (int round = 0; round < 200; round++) {
            Caches fresh = new Caches(parts.classes, parts.threads, null);
            Set<Depot> got = ConcurrentHashMap.newKeySet();
            Threads.together(Collections.nCopies(4, () -> got.add(fresh.depot(0))));
            assertEquals(1, got.size());
        }
    }
}

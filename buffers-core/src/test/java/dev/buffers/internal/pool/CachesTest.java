package dev.buffers.internal.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.buffers.internal.cache.Magazine;
import dev.buffers.internal.slab.Slot;
import dev.buffers.support.Linked;
import java.util.HashSet;
import java.util.Set;
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
        parts.depots.of(0).putLoose(batch[1]);
        parts.depots.of(5).putLoose(batch[2]);
        parts.caches.drain(this::sink, this::run);
        assertEquals(Set.of(batch), drained);
        assertEquals(
                4, parted, "its own, other threads', and two depots: none holds up a thread that looks into the next");
    }

    @Test
    void onlyWhatADepotHasNotNeededIsReaped() {
        Slot slot = parts.carve(100);
        parts.depots.of(0).putLoose(slot);
        parts.caches.reap(this::sink, this::run);
        assertEquals(Set.of(), drained, "it may have come just now");
        parts.caches.reap(this::sink, this::run);
        assertEquals(Set.of(slot), drained);
    }
}

package dev.buffers.internal.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.buffers.internal.slab.SizeClasses;
import dev.buffers.support.Threads;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

class DepotsTest {
    private final SizeClasses classes = new SizeClasses(256 << 10);
    private final Depots depots = new Depots(classes);

    @Test
    void eachClassHasOneOfItsOwnSize() {
        Depot small = depots.of(0);
        Depot large = depots.of(classes.count() - 1);
        assertSame(small, depots.of(0));
        assertNotSame(small, large);
        assertEquals(Depot.batchSize(128), small.batchSize);
        assertEquals(1, large.batchSize, "too large for batches");
    }

    @Test
    void onlyThoseThatAreNeededAreMade() {
        List<Depot> seen = new ArrayList<>();
        depots.each(seen::add);
        assertEquals(List.of(), seen);
        Depot third = depots.of(3);
        Depot first = depots.of(1);
        depots.each(seen::add);
        assertEquals(List.of(first, third), seen, "in the order of the classes");
    }

    /** Slots that one of them put into another depot would be lost. */
    @Test
    void threadsThatComeFirstAtOnceGetTheSame() throws Exception {
        for (int round = 0; round < 200; round++) {
            Depots fresh = new Depots(classes);
            Set<Depot> got = ConcurrentHashMap.newKeySet();
            Threads.together(Collections.nCopies(4, () -> got.add(fresh.of(0))));
            assertEquals(1, got.size());
        }
    }
}
